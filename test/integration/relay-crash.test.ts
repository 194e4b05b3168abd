import { beforeAll, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { startNats } from '../../sandbox/services/nats.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { EVENT_STREAM } from '../../src/shared/bus/topology.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { forEvent, type Respond, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
beforeAll(async () => {
  world = await createRelayWorld();
});

const keepSilent: Respond = () => {};

async function statusOf(eventId: string): Promise<{ status: string; attemptCount: number } | undefined> {
  const [row] = await world.sql<{ status: string; attemptCount: number }[]>`
    select status, attempt_count from webhook_deliveries where event_id = ${eventId}`;
  return row;
}

test('kill -9 between claim and result: delivered again after the lease, with both attempts on record', async () => {
  const receiver = await startReceiver({ respond: keepSilent });
  const endpoint = await world.createEndpoint(receiver.origin);
  const first = await world.spawnRelay();
  const id = await world.publish({ accountId: endpoint.accountId });
  await receiver.received(1, forEvent(id));
  await eventually('its row', async () => (await statusOf(id))?.status === 'processing');
  expect(await statusOf(id)).toEqual({ status: 'processing', attemptCount: 1 });
  first.kill('SIGKILL');
  await first.exited;
  receiver.respond = (response) => response.writeHead(200).end();
  const second = await world.spawnRelay();
  // Has the effect of waiting for 20 s.
  await world.sql`update webhook_deliveries set lease_expires_at = now() - interval '1 second' where event_id = ${id}`;
  const [before, after] = await receiver.received(2, forEvent(id));
  expect(after?.body.equals(before?.body ?? Buffer.of())).toBe(true);
  await eventually('its result', async () => (await statusOf(id))?.status === 'succeeded');
  const attempts = await world.sql`
    select attempt_number, succeeded, error_code from webhook_attempts as attempt
    join webhook_deliveries as delivery on delivery.id = attempt.delivery_id
    where event_id = ${id} order by attempt_number`;
  expect([...attempts]).toEqual([
    { attemptNumber: 1, succeeded: null, errorCode: 'outcome_unknown' },
    { attemptNumber: 2, succeeded: true, errorCode: null },
  ]);
  second.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});

test('a delivery whose record was lost in a crash of the database is delivered again', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const relay = await world.spawnRelay();
  const id = await world.publish({ accountId: endpoint.accountId });
  await receiver.received(1, forEvent(id));
  await eventually('its record', async () => (await statusOf(id))?.status === 'succeeded');
  // The whole commit that nobody waited for, and tables that are not logged.
  await world.sql.begin(async (sql) => {
    await sql`
      delete from webhook_attempts where delivery_id in (select id from webhook_deliveries where event_id = ${id})`;
    await sql`delete from webhook_deliveries where event_id = ${id}`;
    await sql`delete from event_leases where event_id = ${id}`;
    await sql`insert into events_to_fan_out values (${id})`;
  });
  const [before, after] = await receiver.received(2, forEvent(id));
  expect(after?.body.equals(before?.body ?? Buffer.of())).toBe(true);
  await eventually('its record', async () => (await statusOf(id))?.status === 'succeeded');
  relay.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
});

test('SIGTERM: the attempt in flight is finished and recorded, then exit 0', async () => {
  const arrived = Promise.withResolvers<Parameters<Respond>[0]>();
  const receiver = await startReceiver({ respond: (response) => arrived.resolve(response) });
  const endpoint = await world.createEndpoint(receiver.origin);
  const relay = await world.spawnRelay();
  const id = await world.publish({ accountId: endpoint.accountId });
  const response = await arrived.promise;
  relay.kill('SIGTERM');
  response.writeHead(200).end();
  expect(await relay.exited).toBe(0);
  expect(await statusOf(id)).toEqual({ status: 'succeeded', attemptCount: 1 });
});

test('database connections cut during an attempt: its result is written afterwards, once', async () => {
  const arrived = Promise.withResolvers<Parameters<Respond>[0]>();
  const receiver = await startReceiver({ respond: (response) => arrived.resolve(response) });
  const endpoint = await world.createEndpoint(receiver.origin);
  const relay = await world.spawnRelay();
  const id = await world.publish({ accountId: endpoint.accountId });
  const response = await arrived.promise;
  await world.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'launchwire-relay' and datname = current_database()`;
  response.writeHead(200).end();
  await eventually('its result', async () => (await statusOf(id))?.status === 'succeeded');
  receiver.respond = (next) => next.writeHead(200).end();
  const next = await world.publish({ accountId: endpoint.accountId });
  await receiver.received(1, forEvent(next));
  expect(await statusOf(id)).toEqual({ status: 'succeeded', attemptCount: 1 });
  relay.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
});

test('wrong configuration: every mistake named, exit 1', async () => {
  const relay = await world.spawnRelay({ SECRET_KEY: 'short', WEBHOOK_ENDPOINT_CONCURRENCY: 'many' });
  expect(await relay.exited).toBe(1);
  const text = await new Response(relay.stderr).text();
  expect(text).toContain('SECRET_KEY');
  expect(text).toContain('WEBHOOK_ENDPOINT_CONCURRENCY');
  expect(text).not.toContain('short');
});

test('a broker that lost its store, and restarts: events before, during and after all arrive', async () => {
  const broker = await startNats({ storeDir: createTempDir('nats'), durable: false });
  atEnd(() => broker.stop());
  const receiver = await startReceiver();
  const accountId = await world.createAccount();
  await world.createEndpoint(receiver.origin, { accountId });
  const stop = await world.startRelay({ reconcileMs: 100, reconcileAgeMs: 500 }, { natsUrl: broker.url });
  const before = await world.append({ accountId });
  await receiver.received(1, forEvent(before));
  await broker.kill();
  const during = await world.append({ accountId });
  await receiver.received(1, forEvent(during));
  const fresh = await startNats({ storeDir: createTempDir('nats'), port: broker.port, durable: false });
  atEnd(() => fresh.stop());
  const connection = await connectBus(fresh.url, 'test');
  // As a worker does when it notices.
  await ensureStreams(connection);
  const manager = await jetstreamManager(connection);
  await eventually('both consumers', async () => {
    const info = await manager.streams.info(EVENT_STREAM).catch(() => null);
    return info?.state.consumer_count === 2;
  });
  await connection.close();
  await stop();
});

test('hanging endpoints do not delay the others', async () => {
  const hanging = await startReceiver({ respond: keepSilent });
  const healthy = await startReceiver();
  const accountId = await world.createAccount();
  await world.createEndpoint(healthy.origin, { accountId });
  // No hanging attempt ends during the test.
  const attemptDeadlineMs = 300_000;
  const leaseMs = 2 * attemptDeadlineMs;
  const stop = await world.startRelay({ slots: 16, attemptDeadlineMs, leaseMs, stallMs: attemptDeadlineMs });
  const first = await world.publish({ accountId });
  await eventually('the first delivery', async () => (await statusOf(first))?.status === 'succeeded');
  for (let count = 0; count < 20; count += 1) {
    await world.createEndpoint(`${hanging.origin}/${count}`, { accountId });
  }
  // 16 slots for 20 endpoints that hang: they may fill 12 of them.
  const ids = [first, await world.publish({ accountId })];
  await hanging.received(12);
  for (let count = 0; count < 29; count += 1) ids.push(await world.publish({ accountId }));
  await healthy.received(31);
  expect(new Set(healthy.requests.map((request) => request.headers['webhook-id']))).toEqual(new Set(ids));
  await hanging.close();
  await stop();
});

test('at most 8 attempts in flight per endpoint, over two relays', async () => {
  let inFlight = 0;
  let most = 0;
  const receiver = await startReceiver();
  const { accountId } = await world.createEndpoint(receiver.origin);
  const stops = [await world.startRelay(), await world.startRelay()];
  const publishMany = async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => world.append({ accountId })));
    await Promise.all(ids.map((id) => world.announce(id)));
  };
  await publishMany();
  await receiver.received(100);
  const waiting: (() => void)[] = [];
  receiver.respond = (response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    const end = () => {
      inFlight -= 1;
      response.writeHead(204).end();
    };
    waiting.push(end);
    // None is answered before two are in flight: a relay to which an endpoint is new has two at most.
    if (most > 1) for (const answer of waiting.splice(0)) setImmediate(answer);
  };
  await publishMany();
  await receiver.received(200);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
  await Promise.all(stops.map((stop) => stop()));
});
