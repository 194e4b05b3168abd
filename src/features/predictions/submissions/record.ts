import type { Queryable } from '../../../db/client.ts';
import type { predictionStatuses } from '../../../db/schema/predictions.ts';
import { type DecimalString, normaliseDecimal } from '../../../shared/decimal.ts';

/** A prediction as its account sees it (contract/predictions#prediction). */
export interface Prediction {
  id: string;
  roundId: string;
  mintAddress: string;
  walletAddress: string;
  predictedPriceInSol: DecimalString;
  status: (typeof predictionStatuses)[number];
  evaluationSlot: string;
  balanceRaw: string;
  submittedAt: string;
  /** Null until the round is settled, and for ever when it is voided; the payout also when nothing was won. */
  rank: number | null;
  distancePpm: string | null;
  payoutLamports: string | null;
}

/** Columns of `predictions` with the mint of the round. */
export interface PredictionRow
  extends Omit<Prediction, 'evaluationSlot' | 'submittedAt' | 'predictedPriceInSol'> {
  predictedPriceInSol: string;
  evaluationSlot: bigint;
  submittedAt: Date;
}

export function toPrediction(row: PredictionRow): Prediction {
  return {
    id: row.id,
    roundId: row.roundId,
    mintAddress: row.mintAddress,
    walletAddress: row.walletAddress,
    predictedPriceInSol: normaliseDecimal(row.predictedPriceInSol),
    status: row.status,
    evaluationSlot: row.evaluationSlot.toString(),
    balanceRaw: row.balanceRaw,
    submittedAt: row.submittedAt.toISOString(),
    rank: row.rank,
    distancePpm: row.distancePpm,
    payoutLamports: row.payoutLamports,
  };
}

/** A prediction of the account, or null. */
export async function findPrediction(
  db: Queryable,
  predictionId: string,
  accountId: string,
): Promise<Prediction | null> {
  const [row] = await db<PredictionRow[]>`
    select p.id, p.round_id, r.mint_address, p.wallet_address, p.predicted_price_in_sol, p.status, p.evaluation_slot,
      p.balance_raw, p.submitted_at, p.rank, p.distance_ppm, p.payout_lamports
    from predictions p join prediction_rounds r on r.id = p.round_id
    where p.id = ${predictionId} and p.account_id = ${accountId}`;
  return row === undefined ? null : toPrediction(row);
}
