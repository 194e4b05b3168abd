import { beforeAll, expect, test } from 'bun:test';
import { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import { pauseEndpoints } from '../../relay/results/endpoint-consequences.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import type { PauseReason } from '../../src/shared/webhooks/endpoint-record.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const NEVER_MS = 600_000;
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
});

/** A cache with one endpoint, and the end of its pause. */
async function cacheOf(endpointId: string) {
  const cache = new EndpointCache(world.sql);
  await cache.refresh();
  return { cache, pausedMs: () => (cache.get(endpointId)?.pausedUntilMs ?? 0) - performance.now() };
}

test('a backlog is sent when the pause of its endpoint is withdrawn, before the next refresh', async () => {
  const receiver = await startReceiver();
  const { id, accountId } = await world.createEndpoint(receiver.origin);
  await world.sql`update webhook_endpoints set paused_until = 'infinity' where id = ${id}`;
  const stop = await world.startRelay({ sweepMs: NEVER_MS });
  const eventId = await world.publish({ accountId });
  await eventually('the event is done', async () => {
    const open = await world.sql`select from events_to_fan_out where event_id = ${eventId}`;
    return open.count === 0;
  });
  await world.sql`update webhook_endpoints set paused_until = null where id = ${id}`;
  world.connection.publish(hints.deliveries);
  await world.deliveryOf(id, eventId, ({ status }) => status === 'succeeded');
  await stop();
});

test('a pause that a response asks for lasts through every refresh until the database has it', async () => {
  const { id } = await world.createEndpoint('https://asked.example.com/');
  const { cache, pausedMs } = await cacheOf(id);
  expect(pausedMs()).toBeLessThanOrEqual(0);
  const recorded = [3_600_000, 1_000].map((ms) => cache.pause(id, performance.now() + ms));
  recorded[1]?.();
  // The endpoint's row changes, and still knows nothing of the pause.
  await world.sql`update webhook_endpoints set description = 'changed' where id = ${id}`;
  await cache.refresh();
  cache.noteUnpaused(id, performance.now());
  expect(pausedMs()).toBeGreaterThan(3_000_000);
  // From then on the database counts; its earlier state does not.
  const beforeMs = performance.now();
  recorded[0]?.();
  cache.noteUnpaused(id, beforeMs);
  expect(pausedMs()).toBeGreaterThan(3_000_000);
  const laterMs = performance.now() + 1;
  cache.noteUnpaused(id, laterMs);
  expect(pausedMs()).toBeLessThanOrEqual(1);
});

test('a pause records its response, and a shorter pause does not replace it', async () => {
  const { id } = await world.createEndpoint('https://two.example.com/');
  const pause = async (reason: PauseReason, pauseMs: number) => {
    await world.sql.begin((transaction) =>
      pauseEndpoints(transaction, [
        { endpointId: id, pauseMs: 1_000, reason: 'http_503' },
        { endpointId: id, pauseMs, reason },
      ]),
    );
    const [row] = await world.sql<{ pauseReason: string; pausedUntil: Date }[]>`
      select pause_reason, paused_until from webhook_endpoints where id = ${id}`;
    return row ?? expect.unreachable();
  };
  const first = await pause('http_429', 3_600_000);
  expect(first.pauseReason).toBe('http_429');
  expect(await pause('http_503', 60_000)).toEqual(first);
  const longer = await pause('http_503', 7_200_000);
  expect(longer.pauseReason).toBe('http_503');
  expect(longer.pausedUntil.getTime()).toBeGreaterThan(first.pausedUntil.getTime());
});

test('a response with Retry-After pauses its endpoint, with the status as the reason', async () => {
  const receiver = await startReceiver({
    respond: (response) => response.writeHead(429, { 'retry-after': '600' }).end(),
  });
  const { id, accountId } = await world.createEndpoint(receiver.origin);
  const stop = await world.startRelay();
  const eventId = await world.publish({ accountId });
  await world.deliveryOf(id, eventId, ({ status }) => status === 'retrying');
  const [row] = await world.sql`
    select pause_reason, paused_until > now() as is_paused from webhook_endpoints where id = ${id}`;
  expect(row).toEqual({ pauseReason: 'http_429', isPaused: true });
  await stop();
});

test('a pause that was read after a claim began is not withdrawn by the result of the claim', async () => {
  const { id } = await world.createEndpoint('https://read.example.com/');
  const { cache, pausedMs } = await cacheOf(id);
  const beforeMs = performance.now();
  await world.sql`update webhook_endpoints set paused_until = now() + interval '1 hour' where id = ${id}`;
  await cache.refresh();
  cache.noteUnpaused(id, beforeMs);
  expect(pausedMs()).toBeGreaterThan(3_000_000);
  cache.noteUnpaused(Bun.randomUUIDv7(), performance.now());
});
