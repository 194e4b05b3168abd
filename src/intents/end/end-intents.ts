import { describeFailure } from '../../chain/failures/describe-failure.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import type { Outbox } from '../../outbox/append.ts';
import { type ComposedEvent, insertEvents } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { newLanding } from '../land/landing.ts';
import { type IntentEventRow, intentEventColumns, toIntentEvent } from '../row.ts';
import { type IntentErrorCode, intentErrorDetails, isTerminal, transitionEvent } from '../state.ts';

/** How an intent ends: `expired` when it was never submitted, else `confirmed` or `failed`. */
export type IntentEnd =
  | { intentId: string; status: 'expired' }
  | { intentId: string; status: 'confirmed'; transactionSignature: string; slot: bigint }
  | {
      intentId: string;
      status: 'failed';
      errorCode: IntentErrorCode;
      /** The chain's error as JSON, when the nodes agree on it; `error.detail` then describes it. */
      failure?: string | null;
      /** The account whose nonce something else has spent; `error.detail` then names it. */
      spentNonceAccount?: string;
      /** Slot of the block, when the transaction landed. */
      slot?: bigint;
      /** Set when the transaction landed or was sent; with null the stored id stays. */
      transactionSignature: string | null;
      /** Ends the intent only if it has not been sent, and keeps it from being sent. */
      onlyIfUnsent?: true;
    };

/** An intent as it was read before its end. */
export interface EndableIntent {
  row: IntentEventRow;
  /** W3C trace context of the submission; null without tracing. */
  traceparent: string | null;
  /** Read only when `error.detail` describes the failed instruction. */
  signedTransaction?: Uint8Array | null;
}

/** Dependencies of background changes of intents. */
export interface IntentContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  /** Called after the commit that ended these intents, before the publisher takes their events. */
  onStatusChanged(intentIds: readonly string[]): void;
  /** Called after a commit with the intents that ended; for metrics. */
  onIntentsEnded?(ended: readonly EndedIntent[]): void;
  /** Records that end with intents of other features. */
  dependents?: IntentDependents;
}

export type EndedIntent = Pick<
  IntentEventRow,
  'id' | 'kind' | 'status' | 'errorCode' | 'submittedAt' | 'completedAt'
>;

/** Records that end with an intent, in the same transaction. */
export interface IntentDependents {
  /** Kinds of the intents that have such records. */
  kinds: ReadonlySet<string>;
  /** @param ended intents of these kinds that this transaction has ended */
  end(transaction: Transaction, ended: readonly EndedIntent[]): Promise<void>;
}

/**
 * Ends intents in one statement: status, version, time, error, event, the end of the broadcast job, and the
 * landing of a transaction that landed, which a job follows from there (decision 0063). Where records end
 * with the intents, a transaction ends them too (contract/intents#dependents). Skips an intent that has
 * changed since it was read, so one of several workers wins, and an event shows the stored state. Returns the
 * number of intents that ended.
 * @param known intents that the caller has read already; failures are read again, with their bytes
 * @param history ends nothing in another history of the database than this one, in which they were read
 */
export async function endIntents(
  context: IntentContext,
  ends: readonly IntentEnd[],
  known: ReadonlyMap<string, EndableIntent> = new Map(),
  history?: string,
): Promise<number> {
  const { db, outbox, onStatusChanged, onIntentsEnded } = context;
  const unread = ends.filter(({ intentId, status }) => status === 'failed' || !known.has(intentId));
  const read = unread.length === 0 ? known : new Map([...known, ...(await readIntents(db, unread))]);
  const composed = ends.flatMap((end) => composeEnd(context, end, read.get(end.intentId)));
  if (composed.length === 0) return 0;
  const ended = await storeWithDependents(context, composed, history);
  const [first] = ended;
  if (first === undefined) return 0;
  // One hint says that accounts have new events, however many there are.
  outbox.hint(first.event);
  onStatusChanged(ended.map(({ row }) => row.id));
  onIntentsEnded?.(ended.map(({ row }) => row));
  return ended.length;
}

async function storeWithDependents(
  { db, dependents }: IntentContext,
  composed: readonly ComposedEnd[],
  history: string | undefined,
): Promise<ComposedEnd[]> {
  const isAwaited = ({ row }: ComposedEnd) => dependents?.kinds.has(row.kind) === true;
  if (dependents === undefined || !composed.some(isAwaited)) return await storeEnds(db, composed, history);
  return await db.begin(async (transaction) => {
    const ended = await storeEnds(transaction, composed, history);
    const awaited = ended.filter(isAwaited).map(({ row }) => row);
    if (awaited.length > 0) await dependents.end(transaction, awaited);
    return ended;
  });
}

interface ReadRow extends IntentEventRow {
  traceparent: string | null;
  signedTransaction: Uint8Array | null;
}

async function readIntents(db: Database, ends: readonly IntentEnd[]): Promise<[string, EndableIntent][]> {
  const ids = ends.map(({ intentId }) => intentId);
  const failed = ends.flatMap((end) => (end.status === 'failed' && end.failure ? end.intentId : []));
  const rows = await db<ReadRow[]>`
    select ${intentEventColumns(db)}, b.traceparent,
      case when i.id = any(${failed}::uuid[]) then i.signed_transaction end as signed_transaction
    from transaction_intents i left join intent_broadcasts b on b.intent_id = i.id where i.id = any(${ids}::uuid[])`;
  return rows.map(({ traceparent, signedTransaction, ...row }) => [
    row.id,
    { row, traceparent, signedTransaction },
  ]);
}

interface ComposedEnd {
  /** The intent after its end. */
  row: IntentEventRow;
  from: IntentEventRow['status'];
  onlyIfUnsent: boolean;
  /** Null when the transaction did not land. */
  slot: bigint | null;
  event: ComposedEvent;
}

function composeEnd(
  { outbox, clock }: IntentContext,
  end: IntentEnd,
  intent: EndableIntent | undefined,
): ComposedEnd[] {
  if (intent === undefined || isTerminal(intent.row.status)) return [];
  const { id, accountId, status: from } = intent.row;
  const name = transitionEvent(from, end.status);
  if (name === null) throw new Error(`an intent cannot go from ${from} to ${end.status}`);
  const completedAt = clock.now();
  const row: IntentEventRow = {
    ...intent.row,
    status: end.status,
    version: intent.row.version + 1,
    transactionSignature:
      intent.row.transactionSignature ?? (end.status === 'expired' ? null : end.transactionSignature),
    errorCode: end.status === 'failed' ? end.errorCode : null,
    errorDetail: end.status === 'failed' ? errorDetail(end, intent) : null,
    completedAt,
  };
  const slot = end.status === 'expired' ? null : (end.slot ?? null);
  const event = outbox.compose({
    name,
    subject: id,
    accountId,
    data: toIntentEvent(row, slot === null ? null : newLanding(slot)),
    time: completedAt,
    traceparent: intent.traceparent,
  });
  return [{ row, from, onlyIfUnsent: end.status === 'failed' && end.onlyIfUnsent === true, slot, event }];
}

/** The text of the code, unless the chain's error says more (contract/intents#error-detail). */
function errorDetail(
  { errorCode, failure, spentNonceAccount }: IntentEnd & { status: 'failed' },
  { signedTransaction }: EndableIntent,
): string {
  if (spentNonceAccount !== undefined)
    return `Another transaction has spent the nonce of account ${spentNonceAccount}, or closed the account: this one can never land.`;
  const described = failure && signedTransaction ? describeFailure(failure, signedTransaction) : null;
  return described ?? intentErrorDetails[errorCode];
}

/** Codes that say that no node has accepted the transaction. */
const neverAccepted: readonly IntentErrorCode[] = [
  'transaction_intent_broadcast_exhausted',
  'solana_signature_mismatch',
];

/**
 * Returns the intents that ended. An expiry skips an intent that a submission holds: the first commit wins.
 * Any other end waits, and locks intents in the order of their ids, before jobs, so that two workers cannot
 * deadlock.
 */
async function storeEnds(
  db: Queryable,
  ends: readonly ComposedEnd[],
  history: string | undefined,
): Promise<ComposedEnd[]> {
  const rows = ends.map(({ row }) => row);
  const events = ends.map(({ event }) => event);
  const isExpiry = rows.every(({ status }) => status === 'expired');
  const ended = await db<{ subject: string }[]>`
    with given as materialized (
      select * from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${ends.map(({ from }) => from)}::text[],
        ${rows.map(({ version }) => String(version - 1))}::int[], ${rows.map(({ status }) => status)}::text[],
        ${rows.map(({ errorCode }) => errorCode)}::text[], ${rows.map(({ errorDetail }) => errorDetail)}::text[],
        ${rows.map(({ transactionSignature }) => transactionSignature)}::text[],
        ${rows.map(({ completedAt }) => completedAt?.toISOString() ?? null)}::text[],
        ${ends.map(({ onlyIfUnsent }) => String(onlyIfUnsent))}::text[],
        ${ends.map(({ slot }) => slot?.toString() ?? null)}::text[]
      ) as e (id, from_status, version, status, error_code, error_detail, transaction_signature, completed_at,
        only_if_unsent, slot)
      order by id
    ), open as materialized (
      select e.* from given e, lateral (
        select from transaction_intents
        where id = e.id and status is not distinct from e.from_status and version = e.version
          -- One that a node has taken since it was judged has another end, which is found at the next look.
          and (transaction_signature is null or transaction_signature = e.transaction_signature
            and (e.error_code is null or e.error_code <> all(${neverAccepted}::text[])))
          ${history === undefined ? db`` : db`and ${history} = (select database_history())`}
        for update ${isExpiry ? db`skip locked` : db``}
      ) i
    ), unsent as materialized (
      -- A send that is being claimed is seen, or prevented.
      select b.intent_id from open e, lateral (
        select intent_id from intent_broadcasts
        where intent_id = e.id and not (e.only_if_unsent::bool and send_count > 0) for update
      ) b
    ), ended as materialized (
      select * from open e
      where e.from_status = 'prepared' or exists (select from unsent where unsent.intent_id = e.id)
    ), updated as (
      update transaction_intents i set
        status = e.status, version = i.version + 1, completed_at = e.completed_at::timestamptz, error_code = e.error_code,
        error_detail = e.error_detail, transaction_signature = e.transaction_signature
      from ended e where ${rowById(db, db`i.id`, db`e.id`)}
    ), landed as (
      insert into intent_landings (intent_id, slot, finality, landed_at, due_at)
      select id, slot::int8, 'confirmed', completed_at::timestamptz, completed_at::timestamptz from ended
      where slot is not null
    ), done as (
      delete from intent_broadcasts b using ended e where ${rowById(db, db`b.intent_id`, db`e.id`)}
    )
    ${insertEvents(db, events, db`where e.subject in (select id::text from ended)`)}
    returning subject`;
  const subjects = new Set(ended.map(({ subject }) => subject));
  return ends.filter(({ row }) => subjects.has(row.id));
}
