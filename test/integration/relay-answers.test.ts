import { beforeAll, describe, expect, test } from 'bun:test';
import { disableFailing } from '../../relay/maintenance/failing-endpoints.ts';
import {
  changeEndpoint,
  type EndpointChange,
} from '../../src/features/webhooks/endpoints/change-endpoint.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { judgeUrl } from '../../src/shared/webhooks/url-policy.ts';
import { eventually } from '../support/eventually.ts';
import { type ReceivedRequest, startReceiver } from '../support/webhook-receiver.ts';
import {
  createRelayWorld,
  type DeliveryRow,
  type RelayWorld,
  type TestEndpoint,
} from '../support/webhook-relay.ts';

let world: RelayWorld;
beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,3600' });
  await world.startRelay({ reconcileMs: 200, reconcileAgeMs: 1_000, sweepMs: 50, compareMs: 200 });
  await world.startRelay();
});

const isSettled = ({ status }: DeliveryRow) => status === 'succeeded' || status === 'dead_letter';
const forEvent = (id: string) => (request: ReceivedRequest) => request.headers['webhook-id'] === id;

describe('answers decide about delivery and endpoint', () => {
  test('410: dead letter, endpoint gone, and its account is told', async () => {
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
    const first = await world.publish();
    const row = await world.deliveryOf(endpoint.id, first, ({ status }) => status === 'retrying');
    expect(row.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + 1_700_000);
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
    await world.sql`
      insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
      values (${Bun.randomUUIDv7()}, ${endpoint.id}, ${id}, 'x', 'pending', now() - interval '90 days', now(), now())`;
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

  test('five days of nothing but failures disable an endpoint; a success in between does not', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(500).end() });
    const failing = await world.createEndpoint(receiver.origin);
    const recovered = await world.createEndpoint(receiver.origin);
    const old = await world.publish();
    for (const endpoint of [failing, recovered]) {
      const { id } = await world.deliveryOf(
        endpoint.id,
        old,
        ({ attemptCount, status }) => attemptCount === 3 && status === 'retrying',
      );
      await world.sql`
        update webhook_attempts set started_at = now() - interval '6 days', finished_at = now() - interval '6 days',
          succeeded = (${endpoint.id === recovered.id} and attempt_number = 3)
        where delivery_id = ${id}`;
      await world.sql`
        update webhook_endpoints set judged_from = now() - interval '7 days' where id = ${endpoint.id}`;
    }
    // A relay looks at an endpoint again after 10 minutes at the earliest, so another one decides.
    await world.startRelay({ sweepMs: 50 });
    const isDisabled = async ({ id }: { id: string }) =>
      (await world.sql`select 1 from webhook_endpoints where id = ${id} and status = 'disabled'`).count === 1;
    // Until it was that one who saw a failure.
    await eventually('it is disabled', async () => {
      await world.publish();
      return isDisabled(failing);
    });
    const [endpoint] =
      await world.sql`select disabled_reason from webhook_endpoints where id = ${failing.id}`;
    expect(endpoint?.disabledReason).toBe('failing');
    expect(await isDisabled(recovered)).toBe(false);
  });

  test('an endpoint that was enabled again, or got a new URL, has its five days again', async () => {
    const { config, sql } = world;
    const dependencies = {
      outbox: createOutbox({ source: config.publicUrl, docsUrl: config.docsUrl }, systemClock),
      secrets: createSecretBox(config.secretKey),
      clock: systemClock,
    };
    const [untouched, enabledAgain, moved, renamed] = [
      await createFailedEndpoint(),
      await createFailedEndpoint(),
      await createFailedEndpoint(),
      await createFailedEndpoint(),
    ];
    const change = ({ id, accountId }: TestEndpoint, expectedVersion: number, changes: EndpointChange) =>
      sql.begin((transaction) =>
        changeEndpoint(transaction, { endpointId: id, accountId, expectedVersion }, changes, dependencies),
      );
    await change(enabledAgain, 1, { status: 'disabled', destination: null });
    await change(enabledAgain, 2, { status: 'enabled', destination: null });
    const policy = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };
    const verdict = judgeUrl('http://127.0.0.1:65535/moved', policy);
    if (!verdict.allowed) throw new Error(verdict.detail);
    const destination = { ...verdict, addresses: [verdict.hostname] };
    await change(moved, 1, { destination });
    await change(renamed, 1, { description: 'still failing', destination: null });
    const ids = [untouched, enabledAgain, moved, renamed].map(({ id }) => id);
    expect(await disableFailing(sql, dependencies.outbox, ids)).toEqual([untouched.id, renamed.id]);
  });

  /**
   * An endpoint whose only attempt failed six days ago. No relay hears of it: public events, for which the
   * comparing relay would find it, are not for it.
   */
  async function createFailedEndpoint(): Promise<TestEndpoint> {
    const { sql } = world;
    const eventTypes = [eventType('operation.succeeded')];
    const endpoint = await world.createEndpoint('http://127.0.0.1:65535/', { eventTypes });
    await sql`
      update webhook_endpoints set created_at = now() - interval '7 days', judged_from = now() - interval '7 days'
      where id = ${endpoint.id}`;
    const eventId = await world.append({ accountId: endpoint.accountId });
    await sql`update events set fanned_out_at = now() where id = ${eventId}`;
    const deliveryId = Bun.randomUUIDv7();
    await sql`
      insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, created_at, updated_at)
      values (${deliveryId}, ${endpoint.id}, ${eventId}, 'x', 'dead_letter', now(), now())`;
    await sql`
      insert into webhook_attempts (delivery_id, attempt_number, started_at, succeeded)
      values (${deliveryId}, 1, now() - interval '6 days', false)`;
    return endpoint;
  }
});
