import { beforeAll, expect, test } from 'bun:test';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import { claimDue } from '../../relay/retry/claim-deliveries.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoints } from '../support/rows/insert-endpoint.ts';
import { forEvent, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const ENDPOINTS = 10_000;
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld();
  const accountId = await world.createAccount();
  await insertEndpoints(world.sql, ENDPOINTS, { accountId, createdAt: new Date(Date.now() - 3_600_000) });
  await world.sql`analyze`;
});

test('one public event for 10,000 endpoints: one delivery each, in bounded steps', async () => {
  let commits = 0;
  const eventId = await world.append({});
  let rows = 0;
  const result = await fanOutEvents(world.sql, [eventId], (inserted) => {
    commits += 1;
    rows += inserted[eventId] ?? 0;
  });
  expect(result).toBe(ENDPOINTS);
  expect(rows).toBe(ENDPOINTS);
  expect(commits).toBe(5);
  const [row] = await world.sql`
    select count(distinct endpoint_id)::int as endpoints, count(*)::int as deliveries,
      bool_and(substring(id::text from 15 for 1) = '7' and substring(id::text from 20 for 1) in ('8', '9', 'a', 'b'))
        as are_v7,
      max(abs(extract(epoch from now()) * 1000 - ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint))::float8
        as age_ms
    from webhook_deliveries where event_id = ${eventId}`;
  expect(row).toMatchObject({ endpoints: ENDPOINTS, deliveries: ENDPOINTS, areV7: true });
  expect(row?.ageMs).toBeLessThan(60_000);
  expect(await fanOutEvents(world.sql, [eventId], () => {})).toBe(0);
});

test('claims go round: no endpoint is claimed twice before every endpoint was claimed once', async () => {
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const result: Awaited<ReturnType<typeof claimDue>> = await claimDue(world.sql, cursor, {
      batch: 256,
      leaseMs: 20_000,
      fullEndpointIds: [],
      room: () => 8,
    });
    for (const claim of result.claims) {
      expect(seen.has(claim.endpoint.id)).toBe(false);
      seen.add(claim.endpoint.id);
    }
    cursor = result.cursor;
  } while (cursor !== null);
  expect(seen.size).toBe(ENDPOINTS);
});

test('an account event does not wait for a public one whose row cannot be written', async () => {
  const own = await createRelayWorld();
  const receiver = await startReceiver();
  const endpoint = await own.createEndpoint(receiver.origin);
  const stop = await own.startRelay({ reconcileAgeMs: 60_000 });
  /** A public event that is sent while its row cannot be written. While the relay begins, an endpoint gets rows first. */
  const sentWithoutRow = async (): Promise<{ publicEvent: string; release(): Promise<unknown> }> => {
    const publicEvent = await own.append({});
    // A row of the same key that is not committed: the statement with the row of the public event waits for it.
    const delivery = await holdLocks(own.sql, (transaction) =>
      insertDelivery(transaction, { endpointId: endpoint.id, eventId: publicEvent, status: 'pending' }),
    );
    await own.announce(publicEvent);
    await delivery.untilBlocked('the public event waits');
    if (receiver.requests.some(forEvent(publicEvent))) return { publicEvent, release: delivery.commit };
    await delivery.commit();
    await own.deliveryOf(endpoint.id, publicEvent, ({ status }) => status === 'succeeded');
    return sentWithoutRow();
  };
  const { publicEvent, release } = await sentWithoutRow();
  const accountEvent = await own.publish({ accountId: endpoint.accountId });
  await receiver.received(1, forEvent(accountEvent));
  expect((await own.sql`select from events_to_fan_out where event_id = ${publicEvent}`).count).toBe(1);
  await release();
  await receiver.received(1, forEvent(publicEvent));
  await stop();
});
