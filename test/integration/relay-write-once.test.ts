import { beforeAll, expect, test } from 'bun:test';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import { EventProgress, EventsInProgress } from '../../relay/deliver/events-in-progress.ts';
import { writeDeliveries } from '../../relay/deliver/write-deliveries.ts';
import { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import { readEnabledEndpoints } from '../../relay/endpoints/read-endpoints.ts';
import { deleteEventLeases } from '../../relay/maintenance/sweep.ts';
import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { endSessionsOf, type HeldLocks, holdLocks } from '../support/database/held-locks.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { insertEndpoint, insertEndpoints } from '../support/rows/insert-endpoint.ts';
import { eventually } from '../support/run/eventually.ts';
import { forEvent, type Respond, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
});

interface Row {
  id: string;
  status: string;
  attemptCount: number;
}

/** Keeps a row for each mark of an event, written by the transaction that marks it. */
async function noteMarks(sql: Database): Promise<void> {
  await sql.unsafe(`
    create table marks (event_id uuid);
    create function note_mark() returns trigger language plpgsql security definer as $$
      begin insert into public.marks values (old.event_id); return null; end $$;
    create trigger note_mark after delete on events_to_fan_out for each row execute function note_mark()`);
}

async function rowsOf(eventId: string): Promise<Row[]> {
  return await world.sql<
    Row[]
  >`select id, status, attempt_count from webhook_deliveries where event_id = ${eventId}`;
}

test('a first attempt that ends soon is written once, by one statement: delivery, attempt and the mark of the event', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  await noteMarks(world.sql);
  const stop = await world.startRelay();
  const warm = await world.publish({ accountId: endpoint.accountId });
  await world.deliveryOf(endpoint.id, warm, ({ status }) => status === 'succeeded');
  /** Sends one more. Null if the machine was too busy, so that the delivery got a row first. */
  const sentSoon = async () => {
    const id = await world.append({ accountId: endpoint.accountId });
    await world.announce(id);
    const { id: deliveryId } = await world.deliveryOf(
      endpoint.id,
      id,
      ({ status }) => status === 'succeeded',
    );
    const [row] = await world.sql`
      select delivery.xmin::text as delivery, attempt.xmin::text as attempt, delivery.attempt_count, attempt.succeeded,
        attempt.first_byte_ms is not null as has_phases, delivery.delivered_at is not null as is_delivered,
        mark.xmin = delivery.xmin as is_marked_with_it
      from webhook_deliveries as delivery join webhook_attempts as attempt on attempt.delivery_id = delivery.id
        join marks as mark on mark.event_id = delivery.event_id
      where delivery.id = ${deliveryId}`;
    return row?.isMarkedWithIt === true ? { id, deliveryId, row } : null;
  };
  const { id, deliveryId, row } = await eventually('one that is written once', sentSoon);
  expect(row).toMatchObject({
    attempt: row.delivery,
    attemptCount: 1,
    succeeded: true,
    hasPhases: true,
    isDelivered: true,
  });
  const [request] = await receiver.received(1, forEvent(id));
  expect(request?.headers['launchwire-delivery-id']).toBe(deliveryId);
  await stop();
});

test('a longer attempt has a row while it is in flight', async () => {
  const arrived = Promise.withResolvers<Parameters<Respond>[0]>();
  const receiver = await startReceiver({ respond: (response) => arrived.resolve(response) });
  const endpoint = await world.createEndpoint(receiver.origin);
  const stop = await world.startRelay();
  const id = await world.publish({ accountId: endpoint.accountId });
  const response = await arrived.promise;
  await world.deliveryOf(endpoint.id, id, ({ status }) => status === 'processing');
  response.writeHead(200).end();
  const row = await world.deliveryOf(endpoint.id, id, ({ status }) => status === 'succeeded');
  expect(row.attemptCount).toBe(1);
  await stop();
});

test('a failed attempt is written as a due retry, and retried', async () => {
  const own = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '1,1' });
  const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
  const endpoint = await own.createEndpoint(receiver.origin);
  const stop = await own.startRelay();
  const id = await own.publish({ accountId: endpoint.accountId });
  const failed = await own.deliveryOf(endpoint.id, id, ({ status }) => status === 'retrying');
  expect(failed).toMatchObject({ attemptCount: 1, lastErrorCode: 'http_500', responseStatus: 500 });
  expect(failed.nextAttemptAt).not.toBeNull();
  receiver.respond = (response) => response.writeHead(200).end();
  await own.deliveryOf(
    endpoint.id,
    id,
    ({ status, attemptCount }) => status === 'succeeded' && attemptCount === 2,
  );
  await stop();
});

test('410 and Retry-After of a first attempt apply to later deliveries', async () => {
  const receiver = await startReceiver({
    respond: (response) => response.writeHead(503, { 'retry-after': '600' }).end(),
  });
  const endpoint = await world.createEndpoint(receiver.origin);
  const stop = await world.startRelay();
  const first = await world.publish({ accountId: endpoint.accountId });
  await world.deliveryOf(endpoint.id, first, ({ status }) => status === 'retrying');
  const second = await world.publish({ accountId: endpoint.accountId });
  await world.deliveryOf(endpoint.id, second, ({ status }) => status === 'pending');
  expect(receiver.requests.length).toBe(1);
  receiver.respond = (response) => response.writeHead(410).end();
  await world.sql`update webhook_endpoints set paused_until = null where id = ${endpoint.id}`;
  await eventually('it is disabled', async () => {
    const [row] = await world.sql`select disabled_reason from webhook_endpoints where id = ${endpoint.id}`;
    return row?.disabledReason === 'gone';
  });
  await stop();
});

/** Blocks writes of deliveries until it is committed. */
const holdDeliveries = (): Promise<HeldLocks> =>
  holdLocks(
    world.sql,
    (transaction) => transaction`lock table webhook_deliveries in share row exclusive mode`,
  );

test('kill -9 between attempt and write: when the lease of the event ends it is sent again, under one webhook-id', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const killed = await world.spawnRelay();
  const warm = await world.publish({ accountId: endpoint.accountId });
  await world.deliveryOf(endpoint.id, warm, ({ status }) => status === 'succeeded');
  /** An event that is sent while nobody can write a delivery. An endpoint that just was behind gets rows first: then the next one is. */
  const sentWithoutRow = async (): Promise<{ id: string; deliveries: HeldLocks }> => {
    const deliveries = await holdDeliveries();
    const sent = await world.publish({ accountId: endpoint.accountId });
    // A relay that sends first has sent before it writes, and one that writes first waits for the table.
    const isSent = () => receiver.requests.some(forEvent(sent));
    await eventually(
      'it is sent, or its row waits for the table',
      async () => isSent() || (await deliveries.blocked()).length > 0,
    );
    if (isSent()) return { id: sent, deliveries };
    await deliveries.commit();
    await world.deliveryOf(endpoint.id, sent, ({ status }) => status === 'succeeded');
    return sentWithoutRow();
  };
  const { id, deliveries } = await sentWithoutRow();
  killed.kill('SIGKILL');
  await killed.exited;
  await endSessionsOf(world.sql, 'launchwire-relay');
  await deliveries.commit();
  expect(await rowsOf(id)).toEqual([]);
  const [lease] =
    await world.sql`select lease_expires_at > now() as lives from event_leases where event_id = ${id}`;
  expect(lease?.lives).toBe(true);
  // Has the effect of waiting for 20 s.
  await world.sql`update event_leases set lease_expires_at = now() - interval '1 second' where event_id = ${id}`;
  await world.sql`update relay_members set beat_at = now() - interval '1 minute'`;
  const stop = await world.startRelay({ reconcileMs: 100, reconcileAgeMs: 200 });
  const [before, after] = await receiver.received(2, forEvent(id));
  expect(after?.body.equals(before?.body ?? Buffer.of())).toBe(true);
  await world.deliveryOf(endpoint.id, id, ({ status }) => status === 'succeeded');
  expect((await rowsOf(id)).map(({ status, attemptCount }) => ({ status, attemptCount }))).toEqual([
    { status: 'succeeded', attemptCount: 1 },
  ]);
  await stop();
});

test('an event goes to an endpoint by its last earlier change: created, limited, disabled, deleted', async () => {
  const receiver = await startReceiver();
  const accountId = await world.createAccount();
  const stop = await world.startRelay();
  const at = (path: string, eventTypes = ['*']) =>
    world.createEndpoint(`${receiver.origin}/${path}`, { accountId, eventTypes });
  const [kept, narrowed, disabled, deleted] = [await at('1'), await at('2'), await at('3'), await at('4')];
  const first = await world.publish({ accountId });
  await receiver.received(4, forEvent(first));
  await world.sql`update webhook_endpoints set event_types = '{nothing}' where id = ${narrowed.id}`;
  await world.sql`
    update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${disabled.id}`;
  await world.sql`update webhook_endpoints set deleted_at = now() where id = ${deleted.id}`;
  const created = await at('5');
  const second = await world.publish({ accountId });
  await receiver.received(2, forEvent(second));
  for (const { id } of [kept, created])
    await world.deliveryOf(id, second, ({ status }) => status === 'succeeded');
  const rows = await world.sql<{ endpointId: string }[]>`
    select endpoint_id from webhook_deliveries where event_id = ${second}`;
  expect(rows.map(({ endpointId }) => endpointId).toSorted()).toEqual([kept.id, created.id].toSorted());
  await stop();
});

test('a change that commits after a refresh is found by the next one, however old its transaction is', async () => {
  const cache = new EndpointCache(world.sql);
  await cache.refresh();
  const released = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<string>();
  const accountId = await world.createAccount();
  const creating = world.sql.begin(async (transaction) => {
    const [{ id } = { id: '' }] = await transaction<{ id: string }[]>`
      insert into webhook_endpoints
        (id, account_id, url, event_types, status, sealed_secret, secret_rotated_at, version, created_at, updated_at)
      values (${Bun.randomUUIDv7()}, ${accountId}, 'https://x.test', '{*}', 'enabled', '', now(), 1, now(), now())
      returning id`;
    inserted.resolve(id);
    await released.promise;
  });
  const id = await inserted.promise;
  // Younger transactions come and go meanwhile.
  for (let count = 0; count < 3; count += 1) {
    const { id: younger } = await world.createEndpoint('https://y.test');
    await cache.refresh();
    expect(cache.get(younger)?.url).toBe('https://y.test');
    expect(cache.get(id)).toBeUndefined();
  }
  released.resolve();
  await creating;
  await cache.refresh();
  expect(cache.get(id)?.accountId).toBe(accountId);
});

test('a relay that starts reads the enabled endpoints page by page, none of the others, each with what an attempt needs', async () => {
  const own = await openDatabase();
  const accountId = await insertAccount(own);
  const ids = await insertEndpoints(own, 5, { accountId, url: 'https://read.test/', subjects: ['s'] });
  await insertEndpoint(own, { accountId, status: 'disabled', disabledReason: 'manual' });
  await insertEndpoint(own, { accountId, deletedAt: new Date() });
  await own`update webhook_endpoints set paused_until = now() + interval '1 hour' where id = ${ids[1] ?? ''}`;
  await own`update webhook_endpoints set paused_until = now() - interval '1 hour' where id = ${ids[2] ?? ''}`;
  const read = (after: string | null) => readEnabledEndpoints(own, after, 2);
  const pages = [
    await read(null),
    await read(ids[1] ?? ''),
    await read(ids[3] ?? ''),
    await read(ids[4] ?? ''),
  ];
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
    [],
  ]);
  expect(pages[0]?.[0]).toMatchObject({
    accountId,
    url: 'https://read.test/',
    subjects: ['s'],
    isEnabled: true,
  });
  const pauses = pages.flat().map(({ pausedForMs }) => pausedForMs && Math.sign(pausedForMs));
  expect(pauses).toEqual([null, 1, -1, null, null]);
});

test('an event belongs to the relay that takes it first until its lease ends, also when it is done', async () => {
  const [first, second] = [1, 2].map(() => new EventLeases(world.sql, Bun.randomUUIDv7(), 20_000));
  if (first === undefined || second === undefined) throw new Error('no leases');
  const id = await world.append({});
  const taken = await Promise.all([first.takeAnnounced([id]), second.takeAnnounced([id])]);
  expect(taken.map(({ events }) => events.length).toSorted()).toEqual([0, 1]);
  const [holder, other] = taken[0]?.events.length === 1 ? [first, second] : [second, first];
  expect((await holder.renew([id])).ids).toEqual([id]);
  expect((await other.renew([id])).ids).toEqual([]);
  await world.sql`delete from events_to_fan_out where event_id = ${id}`;
  expect((await other.takeAnnounced([id])).events).toEqual([]);
  await world.sql`insert into events_to_fan_out values (${id})`;
  await world.sql`update event_leases set lease_expires_at = now() where event_id = ${id}`;
  expect((await other.takeAnnounced([id])).events.map((event) => event.id)).toEqual([id]);
  expect((await holder.renew([id])).ids).toEqual([]);
  await world.sql`update event_leases set lease_expires_at = now() where event_id = ${id}`;
  expect((await deleteEventLeases(world.sql)).unfinished).toBeGreaterThanOrEqual(1);
});

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);

/** An event in progress, and a function that writes the row of one of its deliveries as the queue of rows does. */
async function eventInProgress() {
  const receiver = await startReceiver();
  const accountId = await world.createAccount();
  const [early, late] = [
    await world.createEndpoint(`${receiver.origin}/early`, { accountId }),
    await world.createEndpoint(`${receiver.origin}/late`, { accountId }),
  ];
  const id = await world.append({ accountId });
  const leases = new EventLeases(world.sql, Bun.randomUUIDv7(), 20_000);
  const [leased] = (await leases.takeAnnounced([id])).events;
  if (leased === undefined) throw new Error('the event was not leased');
  const progress = new EventProgress(leased);
  progress.addDelivery();
  progress.addDelivery();
  progress.setMatched();
  const write = async (endpointId: string) => {
    const deliveryId = Bun.randomUUIDv7();
    const times = { queuedAtMs: performance.now(), startedAtMs: null };
    const delivery = { progress, endpointId, deliveryId, ...times, row: null };
    const complete = progress.isCompleteWith(1) ? [progress] : [];
    const { decidedIds } = await writeDeliveries(world.sql, outbox, [{ delivery, state: 'queued' }], {
      leaseMs: 20_000,
      complete,
    });
    progress.countRow(endpointId, decidedIds.has(deliveryId));
  };
  const isMarked = async () => {
    return (await world.sql`select from events_to_fan_out where event_id = ${id}`).count === 0;
  };
  return { id, progress, early, late, receiver, write, isMarked };
}

test('the last row of an event marks it when the earlier ones are there', async () => {
  const { early, late, write, isMarked } = await eventInProgress();
  await write(early.id);
  expect(await isMarked()).toBe(false);
  await write(late.id);
  expect(await isMarked()).toBe(true);
});

test('an event of which the database lost a row before the last one was written is delivered again', async () => {
  const { id, progress, early, late, receiver, write, isMarked } = await eventInProgress();
  await write(early.id);
  // What a crash of the database does to a commit that did not wait for the disk.
  await world.sql`delete from webhook_deliveries where event_id = ${id}`;
  await write(late.id);
  expect(await isMarked()).toBe(false);
  const events = new EventsInProgress({ sql: world.sql, hasRoom: () => true, log: silentLog });
  events.complete(progress, false);
  events.markComplete();
  await progress.done;
  expect(await isMarked()).toBe(false);
  await world.sql`update event_leases set lease_expires_at = now() - interval '1 second' where event_id = ${id}`;
  const stop = await world.startRelay({ reconcileMs: 100, reconcileAgeMs: 200 });
  await receiver.received(2, forEvent(id));
  for (const { id: endpointId } of [early, late])
    await world.deliveryOf(endpointId, id, ({ status }) => status === 'succeeded');
  await eventually('its mark', isMarked);
  await stop();
});
