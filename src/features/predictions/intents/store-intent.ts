import type { Queryable, Transaction } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { IntentTerms } from './signed-text.ts';

/** Returns when a round locks: no intent for it is useful later. Null when there is no such round. */
export async function findLockTime(db: Queryable, roundId: string): Promise<Date | null> {
  const [row] = await db<{ locksAt: Date }[]>`select locks_at from prediction_rounds where id = ${roundId}`;
  return row?.locksAt ?? null;
}

/** The reason for not storing an intent. */
export type IntentRefusal = 'unknown_account' | 'unknown_round' | 'stored_before';

/**
 * Stores a signed intent in the caller's transaction. The signature is verified when a prediction uses the
 * intent (contract/predictions#delegated-intents). Returns null when it was stored.
 */
export async function storePredictionIntent(
  transaction: Transaction,
  clock: Clock,
  terms: IntentTerms,
  signature: Uint8Array,
): Promise<IntentRefusal | null> {
  const { id, accountId, roundId, walletAddress, predictedPriceInSol, expiresAt } = terms;
  if ((await transaction`select from accounts where id = ${accountId}`).count === 0) return 'unknown_account';
  if ((await findLockTime(transaction, roundId)) === null) return 'unknown_round';
  const stored = await transaction`
    insert into prediction_intents
      (id, account_id, round_id, wallet_address, predicted_price_in_sol, signature, expires_at, created_at)
    values (${id}, ${accountId}, ${roundId}, ${walletAddress}, ${predictedPriceInSol}, ${signature}, ${expiresAt},
      ${clock.now()})
    on conflict (id) do nothing`;
  return stored.count === 1 ? null : 'stored_before';
}
