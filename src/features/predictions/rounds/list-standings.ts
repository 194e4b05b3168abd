import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Standing } from './schema.ts';

interface StandingRow {
  /** Whether the round is locked. */
  isLocked: boolean;
  /** Null in the only row of a page without ranks. */
  rank: number | null;
  predictionId: string;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  distancePpm: string;
  submittedAt: Date;
  payoutLamports: string | null;
}

/** Standings are sorted by rank, which never changes after settlement. */
export type StandingPosition = readonly [rank: string];

// Sorts before the first rank: the first page runs the same statement as the others.
const BEFORE_ALL: StandingPosition = ['0'];

/**
 * Lists the standings of a round, best first. Ranks exist once the round is settled: a locked round has no
 * standings yet, and one that was voided after its lock never has any. Throws
 * `prediction_exact_values_locked` before the lock, and `prediction_round_not_found`.
 */
export async function listStandings(
  db: Queryable,
  mintAddress: string,
  roundId: string,
  { limit, after = BEFORE_ALL }: { limit: number; after?: StandingPosition | undefined },
): Promise<KeysetPage<Standing, StandingPosition>> {
  const [afterRank] = after;
  const rows = await db<StandingRow[]>`
    select r.locked_at is not null as is_locked, p.rank, p.id as prediction_id,
      p.wallet_address, p.username, p.predicted_price_in_sol, p.distance_ppm, p.submitted_at, p.payout_lamports
    from visible_tokens t join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    left join lateral (
      select rank, id, wallet_address, username, predicted_price_in_sol, distance_ppm, submitted_at, payout_lamports
      from predictions
      where round_id = ${roundId} and rank > ${afterRank}::int4
      order by rank
      limit ${limit + 1}) p on true
    where t.mint_address = ${mintAddress} and t.predictions_enabled
    order by p.rank`;
  const [first] = rows;
  if (first === undefined) throw new Problem('prediction_round_not_found');
  if (!first.isLocked) throw new Problem('prediction_exact_values_locked');
  const standings = rows.flatMap((row) => (row.rank === null ? [] : [toStanding(row, row.rank)]));
  return keysetPage(
    standings,
    limit,
    (standing) => standing,
    ({ rank }) => [rank.toString()],
  );
}

function toStanding(row: StandingRow, rank: number): Standing {
  return {
    id: row.predictionId,
    rank,
    walletAddress: row.walletAddress,
    username: row.username,
    predictedPriceInSol: normaliseDecimal(row.predictedPriceInSol),
    distancePpm: row.distancePpm,
    submittedAt: row.submittedAt.toISOString(),
    ...(row.payoutLamports !== null && { payoutLamports: row.payoutLamports }),
  };
}
