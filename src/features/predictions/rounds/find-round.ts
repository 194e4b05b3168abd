import type { Queryable } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type RoundRow, roundColumns, toRound } from './record.ts';
import { type FoundRound, requireRounds } from './require-rounds.ts';
import type { PredictionRound } from './schema.ts';

/** Finds a round of a visible token. Throws `prediction_round_not_found`, `prediction_token_not_enabled`. */
export async function findRound(
  db: Queryable,
  mintAddress: string,
  roundId: string,
): Promise<PredictionRound> {
  const rows = await db<FoundRound<RoundRow>[]>`
    select t.predictions_enabled, ${roundColumns(db)}
    from visible_tokens t left join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    where t.mint_address = ${mintAddress}`;
  const [round] = rows.length === 0 ? [] : requireRounds(rows);
  if (round === undefined) throw new Problem('prediction_round_not_found');
  return toRound(round);
}

/** Finds the mint of a round, which never changes; null when there is no such round. */
export async function findRoundMint(db: Queryable, roundId: string): Promise<string | null> {
  const [row] = await db<{ mintAddress: string }[]>`
    select mint_address from prediction_rounds where id = ${roundId}`;
  return row?.mintAddress ?? null;
}
