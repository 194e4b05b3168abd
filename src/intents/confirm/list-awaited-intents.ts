import { transactionId } from '../../chain/transactions/transaction-id.ts';
import type { Database } from '../../db/client.ts';
import type { EndableIntent } from '../end/end-intents.ts';
import { type IntentEventRow, intentEventColumns } from '../row.ts';
import type { SignedIntent } from './landed-reports.ts';

/** A submitted intent that waits for its outcome. */
export interface AwaitedIntent {
  intentId: string;
  /** The stored id; null while no node has accepted it, and then the bytes contain it. */
  transactionSignature: string | null;
  /** Set only when the id or the lifetime has to be read from the bytes. */
  signedTransaction: Uint8Array | null;
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
  expiresAt: Date;
  /** When it was submitted. */
  queuedAt: Date;
  /** Sends that a node may have accepted, whether it reported that or not. */
  sendCount: number;
  /** A node has accepted a send with the signature of another transaction. */
  hasSignatureMismatch: boolean;
}

/** SQL: a submitted intent waits for its end. */
export function isIntentAwaited(db: Database): ReturnType<Database> {
  return db`exists (select from intent_broadcasts)`;
}

/** Where a walk over intents in the order of their ids begins. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Submitted intents in the order of their ids, after `afterId`, without those of `listOverdueUntimed`. */
export async function listAwaitedIntents(
  db: Database,
  now: Date,
  afterId: string,
  limit: number,
): Promise<AwaitedIntent[]> {
  return db<AwaitedIntent[]>`
    select ${awaitedColumns(db)} from intent_broadcasts b join transaction_intents i on i.id = b.intent_id
    where b.intent_id > ${afterId} and i.status = 'submitted' and not (${isOverdueUntimed(db, now)})
    order by b.intent_id limit ${limit}`;
}

/**
 * Expired intents without a block height that could end them: their blockhash or nonce may be valid for
 * years.
 */
export async function listOverdueUntimed(
  db: Database,
  now: Date,
  afterId: string,
  limit: number,
): Promise<AwaitedIntent[]> {
  return db<AwaitedIntent[]>`
    select ${awaitedColumns(db)} from intent_broadcasts b join transaction_intents i on i.id = b.intent_id
    where b.intent_id > ${afterId} and i.status = 'submitted' and ${isOverdueUntimed(db, now)}
    order by b.intent_id limit ${limit}`;
}

function isOverdueUntimed(sql: Database, now: Date) {
  return sql`i.last_valid_block_height is null and i.expires_at <= ${now}`;
}

function awaitedColumns(sql: Database) {
  return sql`b.intent_id, i.transaction_signature, i.last_valid_block_height, i.created_at, i.expires_at,
    b.created_at as queued_at, b.send_count, b.misanswered as has_signature_mismatch,
    case when i.transaction_signature is null or i.last_valid_block_height is null then i.signed_transaction end as signed_transaction`;
}

/** An intent with a subscription, as it was read at its beginning. */
export type WatchedIntent = SignedIntent & EndableIntent;

/** A submitted intent that can be subscribed to, and when it was submitted. */
export type QueuedIntent = WatchedIntent & { queuedAt: Date };

interface QueuedRow extends IntentEventRow {
  queuedAt: Date;
  traceparent: string | null;
  signedTransaction: Uint8Array;
}

/** Submitted intents that were queued after `since`, without those in `known`, in the order of their submissions. */
export async function listNewlyAwaited(
  db: Database,
  since: Date,
  known: readonly string[],
  limit: number,
): Promise<QueuedIntent[]> {
  return identified(
    await db<QueuedRow[]>`
    with queued as materialized (
      select intent_id, created_at, traceparent from intent_broadcasts
      where created_at > ${since} and intent_id <> all(${known as string[]}::uuid[])
      order by created_at limit ${limit}
    )
    select ${queuedColumns(db)} from queued b join transaction_intents i on i.id = b.intent_id
    where i.status = 'submitted' order by b.created_at`,
  );
}

/** The submitted intents among the ids, in the order of their submissions. */
export async function listAwaited(db: Database, ids: readonly string[]): Promise<QueuedIntent[]> {
  return identified(
    await db<QueuedRow[]>`
    select ${queuedColumns(db)} from intent_broadcasts b join transaction_intents i on i.id = b.intent_id
    where b.intent_id = any(${ids as string[]}::uuid[]) and i.status = 'submitted' order by b.created_at`,
  );
}

function queuedColumns(sql: Database) {
  return sql`${intentEventColumns(sql)}, i.signed_transaction, b.created_at as queued_at, b.traceparent`;
}

function identified(rows: readonly QueuedRow[]): QueuedIntent[] {
  return rows.flatMap(({ signedTransaction, queuedAt, traceparent, ...row }) => {
    const signature = transactionId(signedTransaction);
    return signature === null ? [] : [{ intentId: row.id, signature, row, traceparent, queuedAt }];
  });
}

/** The intents that have ended, and whether their transactions landed. */
export async function listEnded(
  db: Database,
  intentIds: readonly string[],
): Promise<{ intentId: string; hasLanded: boolean }[]> {
  return db<{ intentId: string; hasLanded: boolean }[]>`
    select id as intent_id, status = 'confirmed' or error_code = 'solana_transaction_failed' as has_landed
    from transaction_intents where id = any(${intentIds as string[]}::uuid[]) and status <> 'submitted'`;
}
