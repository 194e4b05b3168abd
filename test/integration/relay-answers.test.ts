import { beforeAll, describe, expect, test } from 'bun:test';
import { hints } from '../../src/shared/bus/topology.ts';
import { daysAgo } from '../support/database/partitions.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { forEvent, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, isSettled, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,3600' });
  await world.startRelay({ reconcileMs: 200, reconcileAgeMs: 1_000, sweepMs: 50, compareMs: 200 });
  await world.startRelay();
});

describe('responses decide about delivery and endpoint', () => {
  test('410: dead letter, endpoint gone, and its account is notified', async () => {
    const witness = await startReceiver();
    const leaving = await startReceiver({ respond: (response) => response.writeHead(410).end() });
    const accountId = await world.createAccount();
    const gone = await world.createEndpoint(leaving.origin, { accountId });
    await world.createEndpoint(witness.origin, {
      accountId,
      eventTypes: ['build.service.webhook_endpoint.*'],
    });
    const id = await world.publish({ accountId });
    expect(await world.deliveryOf(gone.id, id, isSettled)).toMatchObject({
      status: 'dead_letter',
      lastErrorCode: 'http_410',
    });
    const [endpoint] = await world.sql`select * from webhook_endpoints where id = ${gone.id}`;
    expect(endpoint).toMatchObject({ status: 'disabled', disabledReason: 'gone', version: 2 });
    const [event] = await world.sql<{ id: string }[]>`
      select id from events where subject = ${gone.id} and type like '%webhook_endpoint.disabled%'`;
    await world.announce(event?.id ?? '');
    const [told] = await witness.received(1);
    expect(JSON.parse(String(told?.body)).data).toMatchObject({
      id: gone.id,
      status: 'disabled',
      disabledReason: 'gone',
    });
  });

  test('503 with Retry-After: the whole endpoint waits', async () => {
    const receiver = await startReceiver({
      respond: (response) => response.writeHead(503, { 'retry-after': '1800' }).end(),
    });
    const endpoint = await world.createEndpoint(receiver.origin);
    const publishedAtMs = Date.now();
    const first = await world.publish();
    const row = await world.deliveryOf(endpoint.id, first, ({ status }) => status === 'retrying');
    expect(row.nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(publishedAtMs + 1_800_000);
    const second = await world.publish();
    const reference = await startReceiver();
    await world.createEndpoint(reference.origin);
    const third = await world.publish();
    await reference.received(1, forEvent(third));
    expect(receiver.requests).toHaveLength(1);
    expect((await world.deliveryOf(endpoint.id, second, () => true)).status).toBe('pending');
  });

  test('a delivery that was due for months is claimed like any other', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(receiver.origin);
    const id = await world.append({ accountId: endpoint.accountId });
    const due = { status: 'pending', nextAttemptAt: daysAgo(90) } as const;
    await insertDelivery(world.sql, { endpointId: endpoint.id, eventId: id, ...due });
    expect(await world.deliveryOf(endpoint.id, id, isSettled)).toMatchObject({ status: 'succeeded' });
  });

  test('the schedule ends in dead_letter, and a replay starts it again with the same id', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    const endpoint = await world.createEndpoint(receiver.origin);
    const id = await world.publish();
    const waiting = await world.deliveryOf(
      endpoint.id,
      id,
      ({ attemptCount, status }) => attemptCount === 3 && status === 'retrying',
    );
    await world.sql`update webhook_deliveries set next_attempt_at = now() where id = ${waiting.id}`;
    expect(await world.deliveryOf(endpoint.id, id, isSettled)).toMatchObject({
      status: 'dead_letter',
      attemptCount: 4,
      lastErrorCode: 'http_500',
      responseStatus: 500,
      nextAttemptAt: null,
    });
    receiver.respond = (response) => response.writeHead(200).end();
    await world.sql`
      update webhook_deliveries set status = 'pending', next_attempt_at = now(), schedule_index = 0,
        replay_count = replay_count + 1 where id = ${waiting.id}`;
    world.connection.publish(hints.deliveries);
    expect(await world.deliveryOf(endpoint.id, id, ({ status }) => status === 'succeeded')).toMatchObject({
      attemptCount: 5,
    });
    expect(receiver.requests.filter(forEvent(id))).toHaveLength(5);
  });

  test('deliveries of disabled and deleted endpoints end visibly', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    const disabled = await world.createEndpoint(receiver.origin);
    const deleted = await world.createEndpoint(receiver.origin);
    const id = await world.publish();
    for (const endpoint of [disabled, deleted]) {
      await world.deliveryOf(
        endpoint.id,
        id,
        ({ attemptCount, status }) => attemptCount === 3 && status === 'retrying',
      );
    }
    await world.sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${disabled.id}`;
    await world.sql`update webhook_endpoints set deleted_at = now() where id = ${deleted.id}`;
    expect(await world.deliveryOf(disabled.id, id, isSettled)).toMatchObject({
      lastErrorCode: 'endpoint_disabled',
    });
    expect(await world.deliveryOf(deleted.id, id, isSettled)).toMatchObject({
      lastErrorCode: 'endpoint_deleted',
    });
  });
});
