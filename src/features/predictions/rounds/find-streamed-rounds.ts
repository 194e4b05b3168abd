import type { Queryable } from '../../../db/client.ts';
import { type RoundRow, roundColumns, toRound } from './record.ts';
import type { PredictionRound } from './schema.ts';

/** Rounds by id, of visible tokens whose rounds can be read (contract/predictions). */
export async function findStreamedRounds(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, PredictionRound>> {
  if (ids.length === 0) return new Map();
  const rows = await db<RoundRow[]>`
    select ${roundColumns(db)} from prediction_rounds r join visible_tokens t using (mint_address)
    where r.id = any(${ids as string[]}::uuid[]) and t.predictions_enabled`;
  return new Map(rows.map((row) => [row.id, toRound(row)]));
}

/** Rounds that have not ended, oldest first, at most `limit` of the newest of each token. */
export async function findOpenRounds(
  db: Queryable,
  mints: readonly string[],
  limit: number,
): Promise<PredictionRound[]> {
  if (mints.length === 0) return [];
  const rows = await db<RoundRow[]>`
    select open.* from visible_tokens t
    cross join lateral (
      select r.ordinal, ${roundColumns(db)}
      from unnest('{scheduled,open,locked,settling}'::text[]) as unended (status)
      cross join lateral (
        select * from prediction_rounds
        where mint_address = t.mint_address and status = unended.status
        order by ordinal desc limit ${limit}
      ) as r
      order by r.ordinal desc limit ${limit}
    ) as open
    where t.mint_address = any(${mints as string[]}::text[]) and t.predictions_enabled
    order by open.ordinal`;
  return rows.map(toRound);
}
