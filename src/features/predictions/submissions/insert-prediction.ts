import type { Transaction } from '../../../db/client.ts';
import { timedId } from '../../../shared/timed-id.ts';
import type { PredictionRow } from './record.ts';

export interface NewPrediction {
  roundId: string;
  accountId: string;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  evaluationSlot: bigint;
  balanceRaw: bigint;
  submittedAt: Date;
}

/** Null when the wallet already has a prediction in the round: of concurrent ones, one is stored. */
export async function insertPrediction(
  transaction: Transaction,
  prediction: NewPrediction,
): Promise<Omit<PredictionRow, 'mintAddress'> | null> {
  const { roundId, accountId, walletAddress, username, predictedPriceInSol, evaluationSlot } = prediction;
  const [row] = await transaction<Omit<PredictionRow, 'mintAddress'>[]>`
    insert into predictions
      (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status, evaluation_slot,
       balance_raw, submitted_at)
    values (${timedId(prediction.submittedAt)}, ${roundId}, ${accountId}, ${walletAddress}, ${username}, ${predictedPriceInSol},
      'accepted', ${evaluationSlot}, ${prediction.balanceRaw.toString()}, ${prediction.submittedAt})
    on conflict (round_id, wallet_address) do nothing
    returning id, round_id, wallet_address, predicted_price_in_sol, status, evaluation_slot, balance_raw,
      submitted_at, rank, distance_ppm, payout_lamports`;
  return row ?? null;
}
