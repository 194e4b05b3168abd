import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { asynchronousCommit } from '../db/async-commit.ts';
import type { Database, Transaction } from '../db/client.ts';
import { rowById } from '../db/row-look-up.ts';
import { settleWhileConnected } from '../shared/bus/connect.ts';
import { publishStored } from '../shared/bus/publish.ts';
import { EVENT_STREAM, eventSubject, hints } from '../shared/bus/topology.ts';
import { eventNames, eventType } from '../shared/events/catalogue.ts';
import type { Tracing } from '../shared/tracing/tracing.ts';

const ACK_TIMEOUT_MS = 5_000;

export interface PublishOutcome {
  /** Number of events that the broker has acknowledged and that are marked. */
  published: number;
  /** Their types, in order. */
  types: readonly string[];
  /**
   * The first error of the broker, or null. Events that it has not acknowledged stay in the outbox.
   */
  failure: unknown;
  /** The batch was as large as it may be, so that more events may wait. */
  isFull: boolean;
}

interface OutboxRow {
  id: string;
  /** It was deleted by hand: everything but the id is null. */
  isEventMissing: boolean;
  type: string;
  subject: string;
  accountId: string | null;
  body: string;
  traceparent: string | null;
}

/**
 * Publishes the oldest unpublished events, up to `limit` at a time, and waits for all acknowledgements in
 * parallel. An event is marked only after its PubAck. The rows stay locked meanwhile, so several workers
 * share the outbox; a killed worker frees its rows with its connection. After a lost mark the event is
 * published again, and the broker drops the repeat by its `Nats-Msg-Id`.
 */
export async function publishBatch(
  db: Database,
  connection: NatsConnection,
  limit: number,
  tracing?: Tracing,
): Promise<PublishOutcome> {
  const stream = jetstream(connection);
  let outcome: PublishOutcome = { published: 0, types: [], failure: null, isFull: false };
  await db.begin(async (transaction) => {
    const [, locked] = await Promise.all([configure(transaction), lockUnpublished(transaction, limit)]);
    const rows = locked.filter((row) => !row.isEventMissing);
    const missing = locked.filter(({ isEventMissing }) => isEventMissing);
    await dropWithoutEvent(
      transaction,
      missing.map(({ id }) => id),
    );
    hintStatuses(connection, rows);
    const requests = rows.map((row) => publish(stream, row, tracing));
    const results = await settleWhileConnected(connection, requests);
    const acknowledged = rows.filter((_row, at) => results[at]?.status === 'fulfilled');
    const ids = acknowledged.map(({ id }) => id);
    await markPublished(transaction, ids);
    const refusal = results.find((result) => result.status === 'rejected');
    const types = acknowledged.map(({ type }) => type);
    outcome = {
      published: acknowledged.length,
      types,
      failure: refusal?.reason ?? null,
      isFull: locked.length === limit,
    };
  });
  return outcome;
}

/** SQL: an event waits to be published. */
export function isEventUnpublished(db: Database): ReturnType<Database> {
  return db`exists (select from events_to_publish)`;
}

function lockUnpublished(transaction: Transaction, limit: number): Promise<OutboxRow[]> {
  return transaction<OutboxRow[]>`
    with unpublished as materialized (
      select event_id from events_to_publish order by event_id limit ${limit} for update skip locked
    )
    select event_id as id, event.id is null as is_event_missing, type, subject, account_id, body, traceparent
    from unpublished left join lateral (
      select * from events where ${rowById(transaction, transaction`id`, transaction`unpublished.event_id`)}
    ) event on true
    order by event_id`;
}

/**
 * Sends the api processes the ids of changed operations, orders and intents. Their rows are committed, whoever
 * changed them, also by a command of an operator. The hint does not wait for the broker's acknowledgements,
 * because a request may wait for it.
 */
function hintStatuses(connection: NatsConnection, rows: readonly OutboxRow[]): void {
  const changed = rows.filter(({ type }) => statusTypes.has(type)).map(({ subject }) => subject);
  if (changed.length > 0) connection.publish(hints.statusChanged, changed.join(','));
}

/** Events about a status for which a request can wait (contract/requests#waiting). */
const statusTypes: ReadonlySet<string> = new Set(
  eventNames
    .filter((name) => ['operation', 'order', 'transaction_intent'].includes(name.split('.')[0] ?? ''))
    .map(eventType),
);

async function publish(
  stream: JetStreamClient,
  { id, type, accountId, body, traceparent }: OutboxRow,
  tracing: Tracing | undefined,
): Promise<void> {
  const child = tracing?.childOf(traceparent) ?? null;
  const startedAtMs = performance.now();
  let acknowledged = false;
  try {
    await publishStored(stream, eventSubject(accountId), body, { msgID: id, timeout: ACK_TIMEOUT_MS });
    acknowledged = true;
  } finally {
    if (tracing !== undefined && child !== null) {
      tracing.record({
        ...child,
        name: 'publish event',
        kind: 'producer',
        startedAtMs,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.name': 'publish',
          'messaging.operation.type': 'send',
          // The stream: a subject names the account, and a destination is one of few.
          'messaging.destination.name': EVENT_STREAM,
          'messaging.message.id': id,
          'launchwire.event.type': type,
        },
        failed: !acknowledged,
      });
    }
  }
}

/**
 * The marks need no disk flush. Planning the statements again for each batch costs as much as executing them, once for
 * every partition of the events. A plan that was made while few events waited would sort all of a later backlog for
 * every batch; only the index is allowed.
 */
async function configure(transaction: Transaction): Promise<void> {
  await transaction`
    select ${asynchronousCommit(transaction)}, set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('enable_seqscan', 'off', true)`;
}

async function markPublished(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction`delete from events_to_publish where event_id = any(${ids as string[]}::uuid[])`;
}

/**
 * Drops rows whose event was deleted by hand, or they would fill every batch. It asks again in a statement of its own: its
 * snapshot is younger than any move of the event to another partition that the first one may have met.
 */
async function dropWithoutEvent(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction`
    delete from events_to_publish
    where event_id = any(${ids as string[]}::uuid[]) and not exists (
      select from events where ${rowById(transaction, transaction`id`, transaction`events_to_publish.event_id`)})`;
}
