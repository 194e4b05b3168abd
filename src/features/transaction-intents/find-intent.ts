import type { Queryable, Transaction } from '../../db/client.ts';
import type { IntentRow } from './record.ts';

/**
 * SQL: the columns of an IntentRow, by name. A statement that answers `*` fails in running processes when the migrations
 * of the next release add a column.
 */
export function intentColumns(sql: Queryable) {
  return sql`id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset, signed_transaction,
    recent_blockhash, last_valid_block_height, policy, transaction_signature, error_code, error_detail, version,
    expires_at, created_at, submitted_at, completed_at`;
}

/** The intent of an account, or null. */
export async function findIntent(
  db: Queryable,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await db<IntentRow[]>`
    select ${intentColumns(db)} from transaction_intents where id = ${intentId} and account_id = ${accountId}`;
  return row ?? null;
}

/** As `findIntent`, and no other transaction changes it until this one ends. */
export async function lockIntent(
  transaction: Transaction,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await transaction<IntentRow[]>`
    select ${intentColumns(transaction)} from transaction_intents where id = ${intentId} and account_id = ${accountId} for update`;
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
      returning ${intentColumns(transaction)}
    ), queued as (
      insert into intent_broadcasts (intent_id, next_send_at, created_at, traceparent)
      select id, ${now}, ${now}, ${traceparent} from submitted
    )
    select ${intentColumns(transaction)} from submitted`;
  if (row === undefined) throw new Error('a locked prepared intent could not be submitted');
  return row;
}
