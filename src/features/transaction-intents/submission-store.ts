import type { Queryable, Transaction } from '../../db/client.ts';
import type { IntentRow } from './record.ts';

/** The intent of an account, or null. */
export async function findIntent(
  db: Queryable,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await db<IntentRow[]>`
    select * from transaction_intents where id = ${intentId} and account_id = ${accountId}`;
  return row ?? null;
}

/** As `findIntent`, and no other transaction changes it until this one ends. */
export async function lockIntent(
  transaction: Transaction,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await transaction<IntentRow[]>`
    select * from transaction_intents where id = ${intentId} and account_id = ${accountId} for update`;
  return row ?? null;
}

/** Every wallet that a key of the account is pinned to. */
export async function accountWallets(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db<{ walletAddress: string }[]>`
    select distinct wallet_address from api_keys where account_id = ${accountId}`;
  return rows.map(({ walletAddress }) => walletAddress);
}

/** Moves a prepared intent to submitted and queues its broadcast; the row must be locked. */
export async function markSubmitted(
  transaction: Transaction,
  intentId: string,
  signedTransaction: Uint8Array,
  now: Date,
  traceparent: string | null,
): Promise<IntentRow> {
  const [row] = await transaction<IntentRow[]>`
    with submitted as (
      update transaction_intents
      set status = 'submitted', version = version + 1, signed_transaction = ${signedTransaction}, submitted_at = ${now}
      where id = ${intentId} and status = 'prepared'
      returning *
    ), queued as (
      insert into intent_broadcasts (intent_id, next_send_at, created_at, traceparent)
      select id, ${now}, ${now}, ${traceparent} from submitted
    )
    select * from submitted`;
  if (row === undefined) throw new Error('a locked prepared intent could not be submitted');
  return row;
}
