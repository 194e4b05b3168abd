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
