import { beforeAll, expect, test } from 'bun:test';
import { expireDeliveryLeases } from '../../relay/maintenance/sweep.ts';
import { claimDue, returnClaims } from '../../relay/retry/claim-deliveries.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { insertDeliveries, insertDelivery } from '../support/rows/insert-delivery.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

const CLAIM = { batch: 256, leaseMs: 20_000, fullEndpointIds: [] };
/** Deliveries to one endpoint. Further claims depend on the speed of its responses, and so on the machine. */
const IN_FLIGHT_MAX = 8;
const DUE_AT = new Date('2026-01-01T00:00:00.000Z');
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '1,1,1' });
});

async function dueDelivery(endpointId: string): Promise<string> {
  const eventId = Bun.randomUUIDv7();
  await insertDelivery(world.sql, { endpointId, eventId, status: 'retrying' });
  const [row] = await world.sql<{ id: string }[]>`
    update webhook_deliveries set attempt_count = 3, next_attempt_at = ${DUE_AT} where event_id = ${eventId} returning id`;
  return row?.id ?? '';
}

test('a claim that is given back leaves the delivery due as it was, and does not count as an attempt', async () => {
  const endpoint = await world.createEndpoint('https://returned.example.com/');
  const id = await dueDelivery(endpoint.id);
  const { claims } = await claimDue(world.sql, null, { ...CLAIM, room: () => 8 });
  expect(claims.map(({ deliveryId, attemptNumber }) => ({ deliveryId, attemptNumber }))).toEqual([
    { deliveryId: id, attemptNumber: 4 },
  ]);
  await returnClaims(world.sql, claims);
  const read = async () => {
    const [row] = await world.sql`
      select status, attempt_count, lease_expires_at, next_attempt_at from webhook_deliveries where id = ${id}`;
    return row;
  };
  const returned = await read();
  expect(returned).toMatchObject({ status: 'retrying', attemptCount: 3, leaseExpiresAt: null });
  expect(Math.abs(returned?.nextAttemptAt.getTime() - DUE_AT.getTime())).toBeLessThan(2);
  // Claimed again, it belongs to the new claim: the old one gives back nothing more.
  await claimDue(world.sql, null, { ...CLAIM, room: () => 8 });
  await world.sql`update webhook_deliveries set attempt_count = 5 where id = ${id}`;
  await returnClaims(world.sql, claims);
  expect(await read()).toMatchObject({ status: 'processing', attemptCount: 5 });
  // Nor does one whose lease has ended meanwhile: its number is that of an attempt of unknown outcome.
  await world.sql`update webhook_deliveries set attempt_count = 4, lease_expires_at = now() - interval '1 s'`;
  expect(await expireDeliveryLeases(world.sql)).toBe(1);
  await returnClaims(world.sql, claims);
  expect(await read()).toMatchObject({ status: 'retrying', attemptCount: 4 });
  await world.sql`delete from webhook_deliveries`;
});

test('nothing is claimed for an endpoint that is paused or switched off', async () => {
  const [paused, disabled, enabled] = [
    await world.createEndpoint('https://paused.example.com/'),
    await world.createEndpoint('https://disabled.example.com/'),
    await world.createEndpoint('https://enabled.example.com/'),
  ];
  for (const { id } of [paused, disabled, enabled]) await dueDelivery(id);
  await world.sql`update webhook_endpoints set paused_until = now() + interval '1 hour' where id = ${paused.id}`;
  await world.sql`
    update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${disabled.id}`;
  const { claims } = await claimDue(world.sql, null, { ...CLAIM, room: () => 8 });
  expect(claims.map(({ endpoint }) => endpoint.id)).toEqual([enabled.id]);
  await world.sql`delete from webhook_deliveries`;
});

/** Deliveries of one endpoint, each due so many seconds ago; their ids. */
async function dueSince(endpointId: string, seconds: readonly number[]): Promise<string[]> {
  const nowMs = Date.now();
  const deliveries = seconds.map((ago) => ({
    endpointId,
    eventId: Bun.randomUUIDv7(),
    status: 'pending' as const,
    nextAttemptAt: new Date(nowMs - 1_000 * ago),
  }));
  return await insertDeliveries(world.sql, deliveries);
}

test('a claim considers only endpoints that are enabled, not paused, not full and have due deliveries', async () => {
  const dueAt = async (set: string | null, agoSeconds = 60) => {
    const { id } = await world.createEndpoint('https://asked.example.com/');
    await dueSince(id, [agoSeconds]);
    if (set !== null) await world.sql`update webhook_endpoints set ${world.sql.unsafe(set)} where id = ${id}`;
    return id;
  };
  const [ready, formerlyPaused, full] = [
    await dueAt(null),
    await dueAt("paused_until = now() - interval '1 hour'"),
    await dueAt(null),
  ];
  await dueAt("paused_until = now() + interval '1 hour'");
  await dueAt("status = 'disabled', disabled_reason = 'manual'");
  await dueAt('deleted_at = now()');
  await dueAt(null, -3_600);
  const asked: string[] = [];
  await claimDue(world.sql, null, { ...CLAIM, fullEndpointIds: [full], room: (id) => asked.push(id) });
  // What is asked for is no longer paused for the relay (EndpointCache.noteUnpaused).
  expect(asked.toSorted()).toEqual([formerlyPaused, ready].toSorted());
  await world.sql`delete from webhook_deliveries`;
});

test('a claim takes only due deliveries, the longest due first, up to the room', async () => {
  const [one, other] = [
    await world.createEndpoint('https://one.example.com/'),
    await world.createEndpoint('https://other.example.com/'),
  ];
  // Far apart: each call counts from its own moment.
  const ids = await dueSince(one.id, [100, 300, -3_600, 200]);
  const [otherId] = await dueSince(other.id, [250, 50]);
  const room = (id: string) => (id === one.id ? 9 : 1);
  const { claims } = await claimDue(world.sql, null, { ...CLAIM, room });
  expect(claims.map(({ deliveryId }) => deliveryId)).toEqual([ids[1], otherId, ids[3], ids[0]] as string[]);
  expect(claims.map(({ endpoint, attemptNumber }) => [endpoint.id, attemptNumber])).toEqual(
    [one, other, one, one].map(({ id }) => [id, 1]),
  );
  const [row] = await world.sql`
    select status, next_attempt_at, extract(epoch from lease_expires_at - updated_at)::int as lease_seconds
    from webhook_deliveries where id = ${ids[0] ?? ''}`;
  expect(row).toEqual({ status: 'processing', nextAttemptAt: null, leaseSeconds: CLAIM.leaseMs / 1000 });
  expect((await claimDue(world.sql, null, { ...CLAIM, room: () => 0 })).claims).toEqual([]);
  await world.sql`delete from webhook_deliveries`;
});

test('an endpoint that is switched off or paused between the two statements of a claim is left out', async () => {
  const endpoints = await Promise.all(
    Array.from({ length: 4 }, () => world.createEndpoint('https://late.example.com/')),
  );
  for (const { id } of endpoints) await dueDelivery(id);
  const [disabled, deleted, paused, kept] = endpoints.map(({ id }) => id);
  // One connection runs its statements in order.
  const only = connectDatabase(world.config.databaseUrl, { applicationName: 'test', connections: 1 });
  const changes: Promise<unknown>[] = [];
  const change = (id: string | undefined, set: string) =>
    changes.push(only`update webhook_endpoints set ${only.unsafe(set)} where id = ${id ?? ''}`.execute());
  const { claims } = await claimDue(only, null, {
    ...CLAIM,
    room() {
      if (changes.length > 0) return 8;
      change(disabled, "status = 'disabled', disabled_reason = 'manual'");
      change(deleted, 'deleted_at = now()');
      change(paused, "paused_until = now() + interval '1 hour'");
      return 8;
    },
  });
  await Promise.all(changes);
  await only.end({ timeout: 1 });
  expect(claims.map(({ endpoint }) => endpoint.id)).toEqual([kept ?? '']);
  await world.sql`delete from webhook_deliveries`;
});

test('a claim skips deliveries that another claim is taking, without waiting', async () => {
  const endpoint = await world.createEndpoint('https://taken.example.com/');
  const [taken = '', free] = await dueSince(endpoint.id, [20, 10]);
  await world.sql.begin(async (other) => {
    await other`select from webhook_deliveries where id = ${taken} for update`;
    const { claims } = await claimDue(world.sql, null, { ...CLAIM, room: () => 8 });
    expect(claims.map(({ deliveryId }) => deliveryId)).toEqual([free ?? '']);
  });
  const { claims } = await claimDue(world.sql, null, { ...CLAIM, room: () => 8 });
  expect(claims.map(({ deliveryId }) => deliveryId)).toEqual([taken]);
  await world.sql`delete from webhook_deliveries`;
});

async function countOf(endpointId: string, status: string): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries where endpoint_id = ${endpointId} and status = ${status}`;
  return row?.count ?? 0;
}

/** Deliveries with rows that wait for their paused endpoint, made by a relay that runs; the ids of their events. */
async function backlogOf({ id, accountId }: TestEndpoint, count: number): Promise<string[]> {
  await world.sql`update webhook_endpoints set paused_until = 'infinity' where id = ${id}`;
  const events = await Promise.all(Array.from({ length: count }, () => world.append({ accountId })));
  await Promise.all(events.map((eventId) => world.announce(eventId)));
  await eventually('all wait', async () => (await countOf(id, 'pending')) === count);
  return events;
}

test('a backlog of one endpoint arrives completely, at most eight at a time, and its pause holds back claimed deliveries', async () => {
  let [inFlight, most, answered] = [0, 0, 0];
  const paused = Promise.withResolvers<void>();
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const count = 600;
  receiver.respond = (response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    // biome-ignore lint/plugin: a subscriber that takes a moment, so that attempts overlap
    setTimeout(() => {
      inFlight -= 1;
      answered += 1;
      if (answered !== 300) response.writeHead(204).end();
      else {
        response.writeHead(503, { 'retry-after': '3600' }).end();
        paused.resolve();
      }
    }, 1);
  };
  const stop = await world.startRelay();
  const events = await backlogOf(endpoint, count);
  await world.sql`update webhook_endpoints set paused_until = null where id = ${endpoint.id}`;
  await paused.promise;
  await eventually(
    'what was claimed is given back',
    async () => (await countOf(endpoint.id, 'processing')) === 0,
  );
  // Attempts that were in flight may still have ended.
  expect(answered).toBeLessThan(300 + 8);
  // Has the effect of waiting for an hour.
  await world.sql`update webhook_endpoints set paused_until = null where id = ${endpoint.id}`;
  await world.sql`
    update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${endpoint.id} and status = 'retrying'`;
  await eventually('all succeeded', async () => (await countOf(endpoint.id, 'succeeded')) === count);
  expect(most).toBe(8);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events));
  expect(receiver.requests).toHaveLength(count + 1);
  await stop();
});

test('deliveries in the windows of a killed relay are due again, each at most once more, and none is lost', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const count = 600;
  const killed = await world.spawnRelay();
  const events = await backlogOf(endpoint, count);
  let answered = 0;
  const held: (() => void)[] = [];
  receiver.respond = (response) => {
    answered += 1;
    const end = () => response.writeHead(204).end();
    if (answered <= 100) end();
    else held.push(end);
  };
  await world.sql`update webhook_endpoints set paused_until = null where id = ${endpoint.id}`;
  await eventually('more is claimed than in flight', async () => {
    if (answered > 100 && (await countOf(endpoint.id, 'processing')) > IN_FLIGHT_MAX) return true;
    // Nothing more is claimed for an endpoint that stays silent for seconds.
    for (const end of held.splice(0)) end();
    return false;
  });
  killed.kill('SIGKILL');
  await killed.exited;
  receiver.respond = (response) => response.writeHead(204).end();
  // Has the effect of waiting for 20 s.
  await world.sql`
    update webhook_deliveries set lease_expires_at = now() - interval '1 second'
    where endpoint_id = ${endpoint.id} and status = 'processing'`;
  const stop = await world.startRelay();
  await eventually('all succeeded', async () => (await countOf(endpoint.id, 'succeeded')) === count);
  await stop();
  const received = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(received)).toEqual(new Set(events));
  for (const id of events) expect(received.filter((each) => each === id).length).toBeLessThanOrEqual(2);
});
