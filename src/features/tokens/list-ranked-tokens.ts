import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import type { KeysetPage } from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { within, withinBounds } from './bound-rows.ts';
import { type ListedTokenRow, listedColumns, sortColumns, toListedToken } from './listed-token.ts';
import { SCANNED_ROWS, type ScannedRow, scannedPage } from './scanned-page.ts';
import type { ListedToken } from './schema.ts';
import type { RankedSort, TokenFilter } from './token-filter.ts';

/** Value and ordinal of a row; the value as Postgres prints it. */
export type RankedPosition = readonly [key: string, ordinal: string];

export interface RankedListFilter extends Omit<TokenFilter, 'creatorWallet'> {
  sort: RankedSort;
  limit: number;
  after?: RankedPosition | undefined;
}

const LARGEST_ORDINAL = '9223372036854775807';

/**
 * Lists visible tokens by a value of `token_rankings`, the largest first, among equal ones the newest, and those
 * without a value last. Its index serves the value, the status and the bounds of the value; other filters are applied
 * to a bounded number of rows. Whether a token is hidden, and its status, is looked up in `tokens` once more.
 */
export async function listRankedTokens(
  db: Queryable,
  { sort, status, launchType, bounds, limit, after }: RankedListFilter,
): Promise<KeysetPage<ListedToken, RankedPosition>> {
  const { column, type, above } = sortColumns[sort];
  // As text: the driver would make a date of it, and knows none that is infinite.
  const [key, ordinal] = after ?? [above, LARGEST_ORDINAL];
  const { [sort]: ownBounds = {}, ...others } = bounds;
  const isFiltered = launchType !== undefined || Object.keys(others).length > 0;
  const scanned = isFiltered ? SCANNED_ROWS : limit + 1;
  // A plan that is made before its values takes a parameter for a tenth of the table.
  const readMax = db.unsafe(String(isFiltered ? SCANNED_ROWS : publishedLimits.pageLimitMax + 1));
  const by = db`r.${db(column)} desc, r.ordinal desc`;
  const rows = await db<(ListedTokenRow & ScannedRow & { key: string })[]>`
    select * from (
      select ${listedColumns(db)}, r.at, r.key, not t.hidden and t.listed
        ${status === undefined ? db`` : db`and t.status = ${enumLiteral(db, tokenStatuses, status)}`}
        ${launchType === undefined ? db`` : db`and r.launch_type = ${enumLiteral(db, launchTypes, launchType)}`}
        ${withinBounds(db, others)} as matches
      from (
        select *, r.${db(column)}::text as key, row_number() over (order by ${by})::int4 as at from token_rankings r
        where r.listed and (r.${db(column)}, r.ordinal) < (${key}::text${db.unsafe(`::${type}`)}, ${ordinal}::int8)
          ${status === undefined ? db`` : db`and r.status = ${enumLiteral(db, tokenStatuses, status)}`}
          ${within(db, sort, ownBounds)}
        order by ${by} limit ${readMax}) r
      join tokens t using (mint_address) left join token_markets m using (mint_address)) scanned
    where at <= ${scanned} and (matches or at = ${scanned}) order by at`;
  return scannedPage(rows, { limit, scanned }, toListedToken, (row) => [row.key, row.ordinal.toString()]);
}
