import { beforeAll, expect, test } from 'bun:test';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import { FanOutCoordinator } from '../../relay/fan-out/coordinator.ts';
import { EventBodies } from '../../relay/retry/event-bodies.ts';
import { Counters } from '../../relay/telemetry/counters.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { timedId } from '../../src/shared/timed-id.ts';
import { type HeldLocks, holdLocks } from '../support/database/held-locks.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
let endpoint: TestEndpoint;

beforeAll(async () => {
  world = await createRelayWorld();
  endpoint = await world.createEndpoint('https://example.com/');
});

/** The fan-outs of one relay, for which every event is both fresh and missed. */
function createCoordinator(counters = new Counters()): FanOutCoordinator {
  return new FanOutCoordinator({
    sql: world.sql,
    bodies: new EventBodies(world.sql),
    leases: new EventLeases(world.sql, Bun.randomUUIDv7(), 20_000),
    onPending() {},
    counters,
    fastPathMs: 60_000,
    clock: systemClock,
    tracing: undefined,
  });
}

/** Blocks inserts of the event's delivery until it is rolled back. */
const holdDeliveryOf = (eventId: string): Promise<HeldLocks> =>
  holdLocks(world.sql, (transaction) =>
    insertDelivery(transaction, { endpointId: endpoint.id, eventId, status: 'pending' }),
  );

const deliveriesOf = async (eventId: string) =>
  (await world.sql`select from webhook_deliveries where event_id = ${eventId}`).count;

test('an event that comes by hint, by message and by the reconciler concurrently is inserted by one of them', async () => {
  const coordinator = createCoordinator();
  const eventId = await world.append({});
  await world.sql`update events set created_at = now() - interval '2 minutes' where id = ${eventId}`;
  await world.sql`update webhook_endpoints set created_at = now() - interval '1 hour'`;
  const delivery = await holdDeliveryOf(eventId);
  const fresh = coordinator.fanOutCommitted('public');
  await delivery.untilBlocked('the first waits');
  const announced = coordinator.fanOutAnnounced([eventId]);
  const missing = await coordinator.fanOutMissed();
  expect(missing).toEqual({ events: 0, deliveries: 0, more: false });
  expect(await coordinator.fanOutCommitted('public')).toEqual({ deliveries: 0, more: false });
  expect(await delivery.blocked()).toHaveLength(1);
  await delivery.rollBack();
  expect(await fresh).toEqual({ deliveries: 1, more: false });
  expect(await announced).toEqual({ deliveries: 0, unknownIds: [] });
  expect(await deliveriesOf(eventId)).toBe(1);
});

test('a path that waited for another does the work itself when the other failed', async () => {
  const coordinator = createCoordinator();
  const eventId = await world.append({});
  const delivery = await holdDeliveryOf(eventId);
  const fresh = coordinator.fanOutCommitted('public').catch(() => 'failed');
  const [waiting] = await delivery.untilBlocked('the first waits');
  const announced = coordinator.fanOutAnnounced([eventId]);
  await world.sql`select pg_cancel_backend(${waiting?.pid ?? 0})`;
  expect(await fresh).toBe('failed');
  await delivery.rollBack();
  expect(await announced).toEqual({ deliveries: 1, unknownIds: [] });
  expect(await deliveriesOf(eventId)).toBe(1);
});

test('a mark that was lost with the database does not keep the reconciler from finding the event again', async () => {
  const coordinator = createCoordinator();
  const eventId = await world.append({});
  expect(await coordinator.fanOutAnnounced([eventId])).toEqual({ deliveries: 1, unknownIds: [] });
  await world.sql`delete from webhook_deliveries where event_id = ${eventId}`;
  await world.sql`insert into events_to_fan_out values (${eventId})`;
  await world.sql`update events set created_at = now() - interval '2 minutes' where id = ${eventId}`;
  await world.sql`update webhook_endpoints set created_at = now() - interval '1 hour'`;
  expect(await coordinator.fanOutMissed()).toEqual({ events: 1, deliveries: 1, more: false });
  expect(await coordinator.fanOutMissed()).toEqual({ events: 0, deliveries: 0, more: false });
});

test('an announced event that Postgres does not know is reported as unknown, and does not hide the others', async () => {
  const coordinator = createCoordinator();
  const known = await world.append({});
  const unknown = Bun.randomUUIDv7();
  expect(await coordinator.fanOutAnnounced([unknown, known])).toEqual({
    deliveries: 1,
    unknownIds: [unknown],
  });
  expect(await coordinator.fanOutAnnounced([unknown, known])).toEqual({
    deliveries: 0,
    unknownIds: [unknown],
  });
});

test('deliveries that get rows in place of an attempt count with the time that their event had waited', async () => {
  const counters = new Counters();
  const coordinator = createCoordinator(counters);
  const waited = timedId(new Date(Date.now() - 60_000));
  const recent = await world.append({});
  const appended = await world.append({});
  await world.sql`update events set id = ${waited} where id = ${appended}`;
  const moved =
    await world.sql`update events_to_fan_out set event_id = ${waited} where event_id = ${appended}`;
  expect(moved.count).toBe(1);
  await coordinator.fanOutAnnounced([waited, recent]);
  const exposed = counters.events.durations.expose();
  expect(exposed).toContain('{outcome="deferred",le="10"} 1\n');
  expect(exposed).toContain('_count{outcome="deferred"} 2\n');
});
