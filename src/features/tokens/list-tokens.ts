import type { Queryable } from '../../db/client.ts';
import { enumLiteral } from '../../db/enum-literal.ts';
import {
  BEFORE_LARGEST_ORDINAL,
  type KeysetPage,
  keysetPage,
  type OrdinalPosition,
} from '../../db/keyset-page.ts';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import { type LaunchType, type TokenRow, type TokenStatus, tokenColumns, toToken } from './record.ts';
import type { Token } from './schema.ts';

export interface TokenListFilter {
  status?: TokenStatus | undefined;
  launchType?: LaunchType | undefined;
  limit: number;
  after?: OrdinalPosition | undefined;
}

/**
 * Lists visible tokens, newest first, by the partial index that matches the filters. Tokens of unsigned
 * launches are listed only by their status (contract/launches#unsigned).
 */
export async function listTokens(
  db: Queryable,
  { status, launchType, limit, after = BEFORE_LARGEST_ORDINAL }: TokenListFilter,
): Promise<KeysetPage<Token, OrdinalPosition>> {
  const [ordinal] = after;
  const rows = await db<(TokenRow & { ordinal: bigint })[]>`
    select t.ordinal, ${tokenColumns(db)}
    from tokens t left join token_markets m using (mint_address)
    where not t.hidden and t.ordinal < ${ordinal}::int8
      ${status === undefined ? db`and t.listed` : db`and t.status = ${enumLiteral(db, tokenStatuses, status)}`}
      ${launchType === undefined ? db`` : db`and t.launch_type = ${enumLiteral(db, launchTypes, launchType)}`}
    order by t.ordinal desc
    limit ${limit + 1}`;
  return keysetPage(rows, limit, toToken, (row) => [row.ordinal.toString()]);
}
