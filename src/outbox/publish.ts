import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database, Transaction } from '../db/client.ts';
import { eventSubject } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';

const ACK_TIMEOUT_MS = 5_000;

export interface PublishOutcome {
  /** Events that the broker acknowledged and that are marked. */
  published: number;
  /** The first refusal; its events stay in the outbox. */
  failure: unknown;
}

interface OutboxRow {
  id: string;
  accountId: string | null;
  body: string;
}

/**
 * Publishes the oldest unpublished events, up to `limit` at a time with all acknowledgements awaited in parallel.
 * An event is marked only after its PubAck. The rows stay locked meanwhile, so several workers share the outbox;
 * a killed one frees its rows with its connection, and the broker drops what comes twice by `Nats-Msg-Id`.
 */
export async function publishBatch(
  db: Database,
  connection: NatsConnection,
  clock: Clock,
  limit: number,
): Promise<PublishOutcome> {
  const stream = jetstream(connection);
  let outcome: PublishOutcome = { published: 0, failure: null };
  await db.begin(async (transaction) => {
    const rows = await transaction<OutboxRow[]>`
      select id, account_id, body from events where published_at is null
      order by id limit ${limit} for update skip locked`;
    const results = await Promise.allSettled(rows.map((row) => publish(stream, row)));
    const acknowledged = rows.filter((_row, at) => results[at]?.status === 'fulfilled').map((row) => row.id);
    await markPublished(transaction, acknowledged, clock.now());
    const refusal = results.find((result) => result.status === 'rejected');
    outcome = { published: acknowledged.length, failure: refusal?.reason ?? null };
  });
  return outcome;
}

async function publish(stream: JetStreamClient, { id, accountId, body }: OutboxRow): Promise<void> {
  await stream.publish(eventSubject(accountId), body, { msgID: id, timeout: ACK_TIMEOUT_MS });
}

async function markPublished(transaction: Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await transaction`update events set published_at = ${now} where id = any(${ids as string[]}::uuid[])`;
}
