import type { Queryable } from '../../../db/client.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { type DecimalString, normaliseDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import { requireRounds } from './require-rounds.ts';

/** contract/predictions#standings */
const STANDINGS_MAX = unpublishedLimits.predictionStandings;

/** One participant of a settled round (contract/predictions#standings). */
export interface Standing {
  id: string;
  rank: number;
  walletAddress: string;
  username: string;
  predictedPriceInSol: DecimalString;
  distancePpm: string;
  submittedAt: string;
  /** Absent when nothing was won. */
  payoutLamports?: string;
}

interface StandingRow {
  /** Of the round. */
  id: string;
  isLocked: boolean;
  /** Null in the only row of a round without ranks. */
  rank: number | null;
  predictionId: string;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  distancePpm: string;
  submittedAt: Date;
  payoutLamports: string | null;
}

/**
 * The best of a round, at most 500. Ranks exist once the round is settled: a locked round has no standings yet, and
 * one that was voided after its lock never has any. Throws `prediction_exact_values_locked` before the lock,
 * `token_not_found`, `prediction_token_not_enabled`, `prediction_round_not_found`.
 */
export async function listStandings(
  db: Queryable,
  mintAddress: string,
  roundId: string,
): Promise<{ data: Standing[] }> {
  const rows = await db<(({ id: null } | StandingRow) & { predictionsEnabled: boolean | null })[]>`
    select t.predictions_enabled, r.id, r.locked_at is not null as is_locked, p.rank, p.id as prediction_id,
      p.wallet_address, p.username, p.predicted_price_in_sol, p.distance_ppm, p.submitted_at, p.payout_lamports
    from tokens t left join prediction_rounds r on r.id = ${roundId} and r.mint_address = t.mint_address
    left join predictions p on p.round_id = r.id and p.rank between 1 and ${STANDINGS_MAX}
    where t.mint_address = ${mintAddress} and not t.hidden
    order by p.rank`;
  const found = requireRounds<StandingRow>(rows);
  const [first] = found;
  if (first === undefined) throw new Problem('prediction_round_not_found');
  if (!first.isLocked) throw new Problem('prediction_exact_values_locked');
  return { data: found.flatMap((row) => (row.rank === null ? [] : [toStanding(row, row.rank)])) };
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
