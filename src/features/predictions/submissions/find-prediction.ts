import type { Reader } from '../../../db/look-ups.ts';
import { type PredictionRow, toPrediction } from './record.ts';
import type { Prediction } from './schema.ts';

export async function findPrediction(
  db: Reader,
  predictionId: string,
  accountId: string,
): Promise<Prediction | null> {
  const [row] = await db<PredictionRow[]>`
    select ${predictionColumns(db)}
    from predictions p join prediction_rounds r on r.id = p.round_id
    where p.id = ${predictionId} and p.account_id = ${accountId}`;
  return row === undefined ? null : toPrediction(row);
}

/** Columns of a PredictionRow, from `predictions p` and `prediction_rounds r`. */
export function predictionColumns(db: Reader) {
  return db`
    p.id, p.round_id, r.mint_address, p.wallet_address, p.predicted_price_in_sol, p.status, p.evaluation_slot,
    p.balance_raw, p.submitted_at, p.rank, p.distance_ppm, p.payout_lamports`;
}
