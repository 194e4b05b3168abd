import { expect, test } from 'bun:test';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

test('a delivery whose event is missing fails alone, and those claimed with it are sent', async () => {
  const world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  const receiver = await startReceiver();
  const { id: endpointId, accountId } = await world.createEndpoint(receiver.origin);
  const others = await Promise.all(Array.from({ length: 20 }, () => world.append({ accountId })));
  await world.sql`truncate events_to_publish, events_to_fan_out`;
  const lost = Bun.randomUUIDv7();
  // Due before any other, in one claim with all of them.
  const dueAt = (ms: number) => new Date(Date.now() - ms);
  await insertDelivery(world.sql, {
    endpointId,
    eventId: lost,
    status: 'pending',
    nextAttemptAt: dueAt(60_000),
  });
  for (const eventId of others)
    await insertDelivery(world.sql, { endpointId, eventId, status: 'pending', nextAttemptAt: dueAt(30_000) });
  await world.startRelay();
  for (const eventId of others)
    await world.deliveryOf(endpointId, eventId, ({ status }) => status === 'succeeded');
  const failed = await world.deliveryOf(endpointId, lost, ({ status }) => status === 'retrying');
  expect(failed).toMatchObject({ attemptCount: 1, lastErrorCode: 'network_error', responseStatus: null });
  const [attempt] = await world.sql`
    select error_reason, error_detail, hop_origin from webhook_attempts where delivery_id = ${failed.id}`;
  expect(attempt).toEqual({
    errorReason: 'event_missing',
    errorDetail: 'the event of this delivery is missing in the database',
    hopOrigin: null,
  });
  const [endpoint] = await world.sql`select failing_since from webhook_endpoints where id = ${endpointId}`;
  expect(endpoint).toEqual({ failingSince: null });
  expect(receiver.requests).toHaveLength(others.length);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(others.sort());
});

test('a mark whose event was deleted goes, and the events behind it are delivered', async () => {
  const world = await createRelayWorld({});
  const receiver = await startReceiver();
  const { id: endpointId, accountId } = await world.createEndpoint(receiver.origin);
  const deleted = await world.append({ accountId });
  await world.sql`delete from events where id = ${deleted}`;
  const eventId = await world.append({ accountId });
  await world.startRelay();
  await world.deliveryOf(endpointId, eventId, ({ status }) => status === 'succeeded');
  await eventually('the marks', async () => (await world.sql`select from events_to_fan_out`).count === 0);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([eventId]);
});
