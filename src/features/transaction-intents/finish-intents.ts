import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { type IntentEventRow, toIntentEvent } from './record.ts';
import { type IntentErrorCode, type IntentStatus, intentErrorDetails, transitionEvent } from './state.ts';

/** How a submitted intent ends. */
export type IntentEnd =
  | { intentId: string; status: 'confirmed'; transactionSignature: string }
  | {
      intentId: string;
      status: 'failed';
      errorCode: IntentErrorCode;
      /** For `error.detail`; the sentence of the code when absent. */
      detail?: string;
      /** Known when the transaction landed or was sent; what is stored stays otherwise. */
      transactionSignature: string | null;
      /** Ends it only if it has not been sent by then, and keeps it from being sent. */
      onlyIfUnsent?: true;
    };

/** What changing the state of intents in the background needs. */
export interface IntentContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  /** Called after a commit that added events of these intents to the outbox. */
  onEventsAdded(intentIds: readonly string[]): void;
  /** Called after a commit with the intents that ended; for metrics. */
  onIntentsEnded?(ended: readonly EndedIntent[]): void;
}

/** An intent that has come to its end. */
export type EndedIntent = Pick<IntentEventRow, 'status' | 'errorCode' | 'submittedAt' | 'completedAt'>;

/**
 * Ends submitted intents: status, version, time, error, event and the end of the broadcast job in one transaction.
 * One that has ended already is left alone, so of several workers one wins. Returns how many ended now.
 */
export async function finishIntents(
  { db, outbox, clock, onEventsAdded, onIntentsEnded }: IntentContext,
  ends: readonly IntentEnd[],
): Promise<number> {
  if (ends.length === 0) return 0;
  const ended = await db.begin(async (transaction) => {
    const rows = await updateIntents(transaction, ends, clock.now());
    const ids = rows.map((row) => row.id);
    const jobs = await transaction<{ intentId: string; traceparent: string | null }[]>`
      delete from intent_broadcasts where intent_id = any(${ids}::uuid[]) returning intent_id, traceparent`;
    const causes = new Map(jobs.map(({ intentId, traceparent }) => [intentId, traceparent]));
    await appendIntentEvents(transaction, outbox, 'submitted', rows, causes);
    return rows;
  });
  if (ended.length > 0) onEventsAdded(ended.map(({ id }) => id));
  onIntentsEnded?.(ended);
  return ended.length;
}

/** They say that no node has accepted the transaction. */
const neverAccepted: readonly IntentErrorCode[] = [
  'transaction_intent_broadcast_exhausted',
  'solana_signature_mismatch',
];

async function updateIntents(
  transaction: Transaction,
  ends: readonly IntentEnd[],
  now: Date,
): Promise<IntentEventRow[]> {
  const onlyIfUnsent = ends.map((end) => String(end.status === 'failed' && end.onlyIfUnsent === true));
  const codes = ends.map((end) => (end.status === 'failed' ? end.errorCode : null));
  const details = ends.map((end) =>
    end.status === 'failed' ? (end.detail ?? intentErrorDetails[end.errorCode]) : null,
  );
  return transaction<IntentEventRow[]>`
    with ended as materialized (
      select e.* from (
        select * from unnest(
          ${ends.map((end) => end.intentId)}::uuid[], ${ends.map((end) => end.status)}::text[], ${codes}::text[],
          ${details}::text[], ${ends.map((end) => end.transactionSignature)}::text[], ${onlyIfUnsent}::text[]
        ) as e (id, status, error_code, error_detail, transaction_signature, only_if_unsent)
        -- One order for all workers, so that two batches never wait for each other.
        order by id
      ) e, lateral (
        -- The job is locked with the intent: a send that is being claimed is seen, or prevented.
        select from transaction_intents i join intent_broadcasts b on b.intent_id = i.id
        where i.id = e.id and i.status = 'submitted' and not (e.only_if_unsent::bool and b.send_count > 0)
          -- One that a node has taken since it was judged has another end, which is found at the next look.
          and (i.transaction_signature is null or e.error_code is null or e.error_code <> all(${neverAccepted}::text[]))
        for update of i, b
      ) open)
    update transaction_intents i set
      status = e.status, version = i.version + 1, completed_at = ${now}, error_code = e.error_code,
      error_detail = e.error_detail, transaction_signature = coalesce(i.transaction_signature, e.transaction_signature)
    from ended e where ${rowById(transaction, transaction`i.id`, transaction`e.id`)}
    returning ${eventColumns(transaction)}`;
}

/**
 * Sends the event of a transition for each intent; the caller has just made it in the same transaction.
 *
 * @param causes trace contexts that the events continue, by intent
 */
export async function appendIntentEvents(
  transaction: Transaction,
  outbox: Outbox,
  from: IntentStatus,
  rows: readonly IntentEventRow[],
  causes: ReadonlyMap<string, string | null> = new Map(),
): Promise<void> {
  const appended = rows.map((row) => {
    const name = transitionEvent(from, row.status);
    if (name === null) throw new Error(`an intent cannot go from ${from} to ${row.status}`);
    const { id: subject, accountId } = row;
    const traceparent = causes.get(subject) ?? null;
    return outbox.append(transaction, { name, subject, accountId, data: toIntentEvent(row), traceparent });
  });
  await Promise.all(appended);
}

/** Columns of `transaction_intents i` that an event needs. */
export function eventColumns(sql: Queryable) {
  return sql`
    i.id, i.account_id, i.kind, i.status, i.expected_signer, i.recent_blockhash, i.last_valid_block_height,
    i.policy, i.transaction_signature, i.error_code, i.error_detail, i.version, i.expires_at, i.created_at,
    i.submitted_at, i.completed_at`;
}
