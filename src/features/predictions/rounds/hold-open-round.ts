import type { Transaction } from '../../../db/client.ts';

/**
 * Keeps an open round from locking until the end of the transaction. False when it is not open, or past
 * `locksAt`: then the row is not held, so that late submissions cannot delay the lock.
 */
export async function holdOpenRound(transaction: Transaction, roundId: string, now: Date): Promise<boolean> {
  const held = await transaction`
    select from prediction_rounds where id = ${roundId} and status = 'open' and locks_at > ${now} for share`;
  return held.count === 1;
}
