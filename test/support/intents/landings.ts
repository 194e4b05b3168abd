import type { Database } from '../../../src/db/client.ts';

/** Ends an intent whose transaction has landed, as version 3; nothing more is known of the landing. */
export async function landIntent(
  database: Database,
  id: string,
  status: 'confirmed' | 'failed' = 'confirmed',
): Promise<void> {
  const error = status === 'failed' ? 'solana_transaction_failed' : null;
  await database`
    update transaction_intents set status = ${status}, error_code = ${error}, version = 3, submitted_at = now(),
      completed_at = now(), signed_transaction = coalesce(signed_transaction, prepared_transaction) where id = ${id}`;
  await database`
    insert into intent_landings (intent_id, slot, finality, landed_at, due_at)
    values (${id}, 1000, 'confirmed', now(), now() + interval '1 hour')`;
}

/** The facts of its landing become known, or its block final. */
export async function learnLanding(
  database: Database,
  id: string,
  finality: 'confirmed' | 'finalized' = 'confirmed',
): Promise<void> {
  await database`
    update intent_landings set facts_at = now(), succeeded = true, fee_lamports = 5000, finality = ${finality},
      settled_at = ${finality === 'confirmed' ? null : new Date()}, changes = '{"lamports":"-5000","tokens":[]}'
    where intent_id = ${id}`;
  await database`update transaction_intents set version = version + 1 where id = ${id}`;
}
