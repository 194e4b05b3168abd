import type { Transaction } from '../../../db/client.ts';

/** False when another prediction has used the intent. */
export async function consumeIntent(
  transaction: Transaction,
  intentId: string,
  predictionId: string,
): Promise<boolean> {
  const consumed = await transaction`
    update prediction_intents set consumed_by = ${predictionId} where id = ${intentId} and consumed_by is null`;
  return consumed.count === 1;
}
