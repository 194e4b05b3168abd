import { jetstreamManager } from '@nats-io/jetstream';
import type { Database } from '../../../src/db/client.ts';
import type { NatsConnection } from '../../../src/shared/bus/connect.ts';
import { readConsumer } from '../../../src/shared/bus/durable-consumers.ts';
import { type ConsumerDefinition, EVENT_STREAM } from '../../../src/shared/bus/topology.ts';
import { followedTypes } from '../../../src/shared/events/catalogue.ts';
import type { Receiver } from '../webhooks/webhook-receiver.ts';

/** Reads the remaining and the finished work of a database and a broker, for tests that wait for its end. */

/** The number that a query calls `count`. */
export async function count(query: PromiseLike<{ count: number }[]>): Promise<number> {
  return (await query)[0]?.count ?? 0;
}

/** Short names of the events of a subject, oldest first. */
export async function eventsAbout(db: Database, subject: string): Promise<string[]> {
  const rows = await db<
    { type: string }[]
  >`select type from events where subject = ${subject} order by recorded_in, id`;
  return rows.map(({ type }) => type.replace(/^build\.service\.|\.v1$/g, ''));
}

export async function allHaveStatus(
  db: Database,
  table:
    | 'transaction_intents'
    | 'launches'
    | 'order_slots'
    | 'orders'
    | 'presales'
    | 'prediction_rounds'
    | 'operations',
  ids: readonly string[],
  status: string,
): Promise<boolean> {
  const rows = await db`select from ${db(table)} where id = any(${[...ids]}::uuid[]) and status = ${status}`;
  return rows.count === ids.length;
}

/** Whether a consumer has no pending and no unacknowledged messages. */
export async function isDrained(
  connection: NatsConnection,
  definition: ConsumerDefinition,
): Promise<boolean> {
  const manager = await jetstreamManager(connection);
  const { num_pending, num_ack_pending } = await readConsumer(manager, definition);
  return num_pending === 0 && num_ack_pending === 0;
}

/** Ids of the events in the stream, in order, with repetitions. */
export async function streamedEventIds(connection: NatsConnection): Promise<string[]> {
  const { streams } = await jetstreamManager(connection);
  const { state } = await streams.info(EVENT_STREAM);
  const ids: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(EVENT_STREAM, { seq });
    if (message !== null) ids.push((JSON.parse(message.string()) as { id: string }).id);
  }
  return ids;
}

export function openDeliveries(db: Database): Promise<number> {
  return count(db`
    select count(*)::int as count from webhook_deliveries where status in ('pending', 'processing', 'retrying')`);
}

/** Pairs of an event and an enabled endpoint that may see it (contract/events#catalogue) without a delivery. */
export function missingDeliveries(db: Database): Promise<number> {
  return count(db`
    select count(*)::int as count from events as event
    join webhook_endpoints as endpoint
      on endpoint.status = 'enabled' and (event.account_id is null or event.account_id = endpoint.account_id)
        and case when event.type = any(${[...followedTypes]}) then event.type = any(endpoint.event_types)
            and exists (select from endpoint_subjects s where s.endpoint_id = endpoint.id and s.subject = event.subject)
          else '*' = any(endpoint.event_types) end
    where not exists (
      select from webhook_deliveries where event_id = event.id and endpoint_id = endpoint.id)`);
}

/** A delivery, its attempts, and how often its subscriber saw it. */
export interface DeliveryOutcome {
  /** Path of the endpoint and id of the event. */
  name: string;
  status: string;
  attempts: number;
  successes: number;
  requests: number;
}

/** Every delivery to a path of the receiver that was attempted. */
export async function deliveryOutcomes(
  db: Database,
  { origin, requests }: Receiver,
): Promise<DeliveryOutcome[]> {
  const received = Map.groupBy(requests, ({ path, headers }) => `${path} ${headers['webhook-id']}`);
  const rows = await db<Omit<DeliveryOutcome, 'requests'>[]>`
    select substr(endpoint.url, ${origin.length + 1}::int) || ' ' || event_id as name, delivery.status,
      count(*)::int as attempts, count(*) filter (where succeeded)::int as successes
    from webhook_deliveries as delivery
    join webhook_endpoints as endpoint on endpoint.id = endpoint_id
    join webhook_attempts as attempt on attempt.delivery_id = delivery.id
    group by delivery.id, endpoint.url`;
  return rows.map((row) => ({ ...row, requests: received.get(row.name)?.length ?? 0 }));
}
