import type { Queryable } from '../../../db/client.ts';
import { enumLiteral } from '../../../db/enum-literal.ts';
import {
  BEFORE_LARGEST_ORDINAL,
  type KeysetPage,
  keysetPage,
  type OrdinalPosition,
} from '../../../db/keyset-page.ts';
import { roundStatuses } from '../../../db/values/predictions.ts';
import { type RoundRow, roundColumns, toRound } from './record.ts';
import { type FoundRound, requireRounds } from './require-rounds.ts';
import type { PredictionRound } from './schema.ts';
import type { RoundStatus } from './state.ts';

export interface RoundListFilter {
  status?: RoundStatus | undefined;
  limit: number;
  after?: OrdinalPosition | undefined;
}

/** Lists the rounds of a visible token, newest first. Throws `prediction_token_not_enabled`. */
export async function listRounds(
  db: Queryable,
  mintAddress: string,
  { status, limit, after = BEFORE_LARGEST_ORDINAL }: RoundListFilter,
): Promise<KeysetPage<PredictionRound, OrdinalPosition>> {
  const [ordinal] = after;
  const rows = await db<FoundRound<RoundRow & { ordinal: bigint }>[]>`
    select t.predictions_enabled, l.*
    from visible_tokens t left join lateral (
      select r.ordinal, ${roundColumns(db)} from prediction_rounds r
      where r.mint_address = ${mintAddress} and r.ordinal < ${ordinal}::int8
        ${status === undefined ? db`` : db`and r.status = ${enumLiteral(db, roundStatuses, status)}`}
      order by r.ordinal desc
      limit ${limit + 1}) l on true
    where t.mint_address = ${mintAddress}
    order by l.ordinal desc`;
  return keysetPage(requireRounds(rows), limit, toRound, (row) => [row.ordinal.toString()]);
}
