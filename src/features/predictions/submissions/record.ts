import { normaliseDecimal } from '../../../shared/decimal.ts';
import type { Prediction } from './schema.ts';

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
