import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import {
  BEFORE_LARGEST_ORDINAL,
  type KeysetPage,
  keysetPage,
  type OrdinalPosition,
} from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import { withinBounds } from './bound-rows.ts';
import { type ListedTokenRow, listedColumns, toListedToken } from './listed-token.ts';
import type { LaunchType, TokenStatus } from './record.ts';
import { SCANNED_ROWS, type ScannedRow, scannedPage } from './scanned-page.ts';
import type { ListedToken } from './schema.ts';
import { isFiltered, type TokenFilter } from './token-filter.ts';

export interface TokenListFilter {
  status?: TokenStatus | undefined;
  launchType?: LaunchType | undefined;
  creatorWallet?: string | undefined;
  bounds?: TokenFilter['bounds'];
  limit: number;
  after?: OrdinalPosition | undefined;
}

/**
 * Lists visible tokens, newest first, by the partial index that matches the filters. Tokens of unsigned
 * launches are listed only by their status (contract/launches#unsigned).
 */
export async function listTokens(
  db: Queryable,
  filter: TokenListFilter,
): Promise<KeysetPage<ListedToken, OrdinalPosition>> {
  const { bounds = {}, limit } = filter;
  if (isFiltered({ ...filter, bounds })) return listFiltered(db, filter);
  const [ordinal] = filter.after ?? BEFORE_LARGEST_ORDINAL;
  const rows = await db<ListedTokenRow[]>`
    select ${listedColumns(db)}
    from visible_tokens t left join token_markets m using (mint_address) left join token_rankings r using (mint_address)
    where t.ordinal < ${ordinal}::int8 and ${listedAs(db, filter)}
    order by t.ordinal desc
    limit ${limit + 1}`;
  return keysetPage(rows, limit, toListedToken, (row) => [row.ordinal.toString()]);
}

/** As `listTokens`, for filters that no index serves: those are applied to a bounded number of rows. */
async function listFiltered(
  db: Queryable,
  { limit, after = BEFORE_LARGEST_ORDINAL, bounds = {}, ...filter }: TokenListFilter,
): Promise<KeysetPage<ListedToken, OrdinalPosition>> {
  const [ordinal] = after;
  const { creatorWallet } = filter;
  const rows = await db<(ListedTokenRow & ScannedRow)[]>`
    select * from (
      select ${listedColumns(db)}, t.at, ${listedAs(db, filter)} ${withinBounds(db, bounds)} as matches
      from (
        select *, row_number() over (order by ordinal desc)::int4 as at from visible_tokens t
        where t.ordinal < ${ordinal}::int8
          ${creatorWallet === undefined ? db`and ${listedAs(db, filter)}` : db`and t.creator_wallet = ${creatorWallet}`}
        order by t.ordinal desc limit ${db.unsafe(String(SCANNED_ROWS))}) t
      left join token_markets m using (mint_address) left join token_rankings r using (mint_address)) scanned
    where matches or at = ${SCANNED_ROWS} order by at`;
  return scannedPage(rows, { limit, scanned: SCANNED_ROWS }, toListedToken, (row) => [
    row.ordinal.toString(),
  ]);
}

/** SQL: a condition on `tokens t`. */
function listedAs(db: Queryable, { status, launchType }: Pick<TokenListFilter, 'status' | 'launchType'>) {
  return db`
    ${status === undefined ? db`t.listed` : db`t.status = ${enumLiteral(db, tokenStatuses, status)}`}
    ${launchType === undefined ? db`` : db`and t.launch_type = ${enumLiteral(db, launchTypes, launchType)}`}`;
}
