import type { Queryable } from '../../../src/db/client.ts';

/** Ends an intent whose transaction has landed, as version 3; nothing more is known of the landing. */
export async function landIntent(
  database: Queryable,
  id: string,
  status: 'confirmed' | 'failed' = 'confirmed',
): Promise<void> {
  const error = status === 'failed' ? 'solana_transaction_failed' : null;
  // As the worker does it: no read sees the one without the other.
  await database`
    with ended as (
      update transaction_intents set status = ${status}, error_code = ${error}, version = 3, submitted_at = now(),
        completed_at = now(), signed_transaction = coalesce(signed_transaction, prepared_transaction)
      where id = ${id} returning id
    )
    insert into intent_landings (intent_id, slot, finality, landed_at, due_at)
    select id, 1000, 'confirmed', now(), now() + interval '1 hour' from ended`;
}

/** The facts of its landing become known, and with `finalized` its block is final. */
export async function learnLanding(
  database: Queryable,
  id: string,
  finality: 'confirmed' | 'finalized' = 'confirmed',
): Promise<void> {
  await database`
    with learnt as (
      update intent_landings set facts_at = now(), succeeded = true, fee_lamports = 5000, finality = ${finality},
        settled_at = ${finality === 'confirmed' ? null : new Date()}, changes = '{"lamports":"-5000","tokens":[]}'
      where intent_id = ${id} returning intent_id
    )
    update transaction_intents i set version = version + 1 from learnt where i.id = learnt.intent_id`;
}
