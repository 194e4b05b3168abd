import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { asynchronousCommit } from '../db/async-commit.ts';
import type { Database, Transaction } from '../db/client.ts';
import { rowById } from '../db/row-look-up.ts';
import { settleWhileConnected } from '../shared/bus/connect.ts';
import { publishStored } from '../shared/bus/publish.ts';
import { eventSubject, hints } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
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
}

interface OutboxRow {
  id: string;
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
  clock: Clock,
  limit: number,
  tracing?: Tracing,
): Promise<PublishOutcome> {
  const stream = jetstream(connection);
  let outcome: PublishOutcome = { published: 0, types: [], failure: null };
  await db.begin(async (transaction) => {
    const [, rows] = await Promise.all([configure(transaction), lockUnpublished(transaction, limit)]);
    hintStatuses(connection, rows);
    const requests = rows.map((row) => publish(stream, row, tracing));
    const results = await settleWhileConnected(connection, requests);
    const acknowledged = rows.filter((_row, at) => results[at]?.status === 'fulfilled');
    const ids = acknowledged.map(({ id }) => id);
    await markPublished(transaction, ids);
    const refusal = results.find((result) => result.status === 'rejected');
    const types = acknowledged.map(({ type }) => type);
    outcome = { published: acknowledged.length, types, failure: refusal?.reason ?? null };
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
    select id, type, subject, account_id, body, traceparent
    from unpublished, lateral (
      select * from events where ${rowById(transaction, transaction`id`, transaction`unpublished.event_id`)}
    ) event
    order by id`;
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
          'messaging.operation.type': 'send',
          'messaging.message.id': id,
          'launchwire.event.type': type,
        },
        failed: !acknowledged,
      });
    }
  }
}

/**
 * The marks need no disk flush. Planning them again for each batch costs as much as executing them: 150 µs,
 * once for every partition of the events.
 */
async function configure(transaction: Transaction): Promise<void> {
  await transaction`
    select ${asynchronousCommit(transaction)}, set_config('plan_cache_mode', 'force_generic_plan', true)`;
}

async function markPublished(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction`delete from events_to_publish where event_id = any(${ids as string[]}::uuid[])`;
}
