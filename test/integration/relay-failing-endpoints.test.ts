import { beforeAll, expect, test } from 'bun:test';
import { announceFailing, disableFailing } from '../../relay/maintenance/judge-failing.ts';
import {
  changeEndpoint,
  type EndpointChange,
} from '../../src/features/webhooks/endpoints/change-endpoint.ts';
import { lockEndpoint } from '../../src/features/webhooks/endpoints/rows.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createLogger } from '../../src/shared/log.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { judgeUrl } from '../../src/shared/webhooks/url-policy.ts';
import { daysAgo } from '../support/database/partitions.ts';
import { effortOf, recordingDatabase } from '../support/database/query-plans.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDeliveries, insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { eventually } from '../support/run/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

const log = createLogger('test', 'silent');
let world: RelayWorld;
let outbox: ReturnType<typeof createOutbox>;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  outbox = createOutbox({ source: world.config.publicUrl, docsUrl: world.config.docsUrl }, systemClock);
  await world.startRelay({ sweepMs: 50 });
});

const disable = (...endpoints: { id: string }[]) =>
  disableFailing(
    { sql: world.sql, outbox, log },
    endpoints.map(({ id }) => id),
  );

async function stateOf({ id }: { id: string }) {
  const [row] = await world.sql<{ failingSince: Date | null; changedXid: string; status: string }[]>`
    select failing_since, changed_xid, status from webhook_endpoints where id = ${id}`;
  if (row === undefined) throw new Error('no such endpoint');
  return row;
}

/** Sets the endpoint to its state after days of failures. */
async function failFor(days: number, { id }: { id: string }): Promise<void> {
  await world.sql`
    update webhook_endpoints set judged_from = ${daysAgo(30)}, failing_since = ${daysAgo(days)} where id = ${id}`;
}

async function createFailing(days: number): Promise<TestEndpoint> {
  const endpoint = await world.createEndpoint('http://127.0.0.1:65535/', { eventTypes: ['none'] });
  await failFor(days, endpoint);
  return endpoint;
}

async function send(receiver: Receiver, endpoint: TestEndpoint, status: number): Promise<void> {
  receiver.respond = (response) => response.writeHead(status).end();
  const id = await world.publish({ accountId: endpoint.accountId });
  const end = status < 300 ? 'succeeded' : 'retrying';
  await world.deliveryOf(endpoint.id, id, (row) => row.status === end);
}

test('an endpoint fails from its first failure until its next success, in one write each', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const before = await stateOf(endpoint);
  await send(receiver, endpoint, 204);
  expect(await stateOf(endpoint)).toEqual({ ...before, failingSince: null });
  await send(receiver, endpoint, 500);
  const { failingSince } = await stateOf(endpoint);
  expect(failingSince).toBeInstanceOf(Date);
  await send(receiver, endpoint, 500);
  // No relay has to read the endpoint again.
  expect(await stateOf(endpoint)).toEqual({ ...before, failingSince });
  await send(receiver, endpoint, 204);
  expect(await stateOf(endpoint)).toEqual({ ...before, failingSince: null });
});

test('five days of nothing but failures disable an endpoint at its next failure; a success in between does not', async () => {
  const [silent, answering] = [await startReceiver(), await startReceiver()];
  const failing = await world.createEndpoint(silent.origin);
  const recovered = await world.createEndpoint(answering.origin);
  await failFor(6, failing);
  await failFor(6, recovered);
  await send(answering, recovered, 204);
  await send(answering, recovered, 500);
  await send(silent, failing, 500);
  await eventually('it is disabled', async () => (await stateOf(failing)).status === 'disabled');
  const [endpoint] = await world.sql`select disabled_reason from webhook_endpoints where id = ${failing.id}`;
  expect(endpoint).toEqual({ disabledReason: 'failing' });
  const { count } = await world.sql`
    select from events where subject = ${failing.id} and type like '%webhook_endpoint.disabled%'`;
  expect(count).toBe(1);
  expect(await disable(recovered)).toEqual([]);
  expect((await stateOf(recovered)).failingSince?.getTime()).toBeGreaterThan(daysAgo(1).getTime());
});

test('of endpoints that fail, those are announced whose results were written, each once', async () => {
  const endpoints = [await createFailing(1), await createFailing(1), await createFailing(1)];
  const announce = (...chosen: TestEndpoint[]) =>
    announceFailing(
      { sql: world.sql, outbox, log },
      chosen.map(({ id }) => id),
    );
  const [first, second, other] = endpoints as [TestEndpoint, TestEndpoint, TestEndpoint];
  expect(await announce(first, second)).toEqual([first.id, second.id]);
  expect(await announce(first)).toEqual([]);
  expect(await announce(other)).toEqual([other.id]);
});

test('an endpoint that was enabled again, or got a new URL, has its five days again', async () => {
  const { config, sql } = world;
  const dependencies = { outbox, secrets: createSecretBox(config.secretKey), clock: systemClock };
  const endpoints = [
    await createFailing(6),
    await createFailing(6),
    await createFailing(6),
    await createFailing(6),
  ] as const;
  const [untouched, enabledAgain, moved, renamed] = endpoints;
  const change = ({ id, accountId }: TestEndpoint, expectedVersion: number, changes: EndpointChange) =>
    sql.begin((transaction) =>
      changeEndpoint(
        transaction,
        { endpointId: id, accountId, scopes: null, keyId: null, expectedVersion },
        changes,
        dependencies,
      ),
    );
  await change(enabledAgain, 1, { status: 'disabled', destination: null });
  await change(enabledAgain, 2, { status: 'enabled', destination: null });
  const policy = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };
  const verdict = judgeUrl('http://127.0.0.1:65535/moved', policy);
  if (!verdict.allowed) throw new Error(verdict.detail);
  const destination = { ...verdict, addresses: [verdict.hostname] };
  await change(moved, 1, { destination });
  await change(renamed, 1, { description: 'still failing', destination: null });
  expect([await stateOf(enabledAgain), await stateOf(moved)]).toMatchObject([
    { failingSince: null },
    { failingSince: null },
  ]);
  expect(await disable(...endpoints)).toEqual([untouched.id, renamed.id]);
});

test('a success that is not noted at the endpoint counts, and so does an enabling', async () => {
  const [succeeded, enabled, failing] = [
    await createFailing(6),
    await createFailing(6),
    await createFailing(6),
  ];
  for (const [endpoint, days] of [
    [succeeded, 1],
    [failing, 7],
  ] as const) {
    const eventId = Bun.randomUUIDv7();
    await insertDelivery(world.sql, { endpointId: endpoint.id, eventId, deliveredAt: daysAgo(days) });
  }
  await world.sql`update webhook_endpoints set judged_from = ${daysAgo(1)} where id = ${enabled.id}`;
  expect(await disable(succeeded, enabled, failing)).toEqual([failing.id]);
});

test('an endpoint that cannot be disabled does not affect other endpoints', async () => {
  const [first, bad, last] = [await createFailing(6), await createFailing(6), await createFailing(6)];
  await world.sql.unsafe(`
    create function refuse_endpoint() returns trigger language plpgsql
      as $$ begin raise exception 'not this one'; end $$;
    create trigger refuse_endpoint before update of status on webhook_endpoints
      for each row when (old.id = '${bad.id}') execute function refuse_endpoint()`);
  expect(await disable(first, bad, last)).toEqual([first.id, last.id]);
  await world.sql.unsafe('drop function refuse_endpoint cascade');
  expect(await disable(bad)).toEqual([bad.id]);
});

test('a result does not wait for a change of its endpoint', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const { id, accountId } = endpoint;
  await failFor(1, endpoint);
  const changed = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const change = world.sql.begin(async (transaction) => {
    await lockEndpoint(transaction, {
      endpointId: id,
      accountId,
      scopes: null,
      keyId: null,
      expectedVersion: 1,
    });
    locked.resolve();
    await changed.promise;
  });
  await locked.promise;
  await send(receiver, endpoint, 204);
  changed.resolve();
  await change;
  await send(receiver, endpoint, 204);
  expect(await stateOf(endpoint)).toMatchObject({ failingSince: null });
});

test('the check of an endpoint reads the same number of rows, however many of its deliveries failed', async () => {
  const { db, sent } = recordingDatabase(world.config.databaseUrl);
  const accountId = await world.createAccount();
  const efforts: number[] = [];
  for (const deliveries of [10, 1_000]) {
    const endpointId = await insertEndpoint(db, { accountId, eventTypes: ['none'] });
    const failed = { endpointId, status: 'dead_letter', createdAt: daysAgo(6) } as const;
    const rows = Array.from({ length: deliveries }, () => ({ ...failed, eventId: Bun.randomUUIDv7() }));
    for (const deliveryId of await insertDeliveries(db, rows))
      await insertAttempt(db, { deliveryId, startedAt: daysAgo(6), succeeded: false });
    await db`analyze webhook_deliveries, webhook_attempts, webhook_endpoints`;
    sent.length = 0;
    await disableFailing({ sql: db, outbox, log }, [endpointId]);
    const looks = await Promise.all(sent.map((statement) => effortOf(db, statement)));
    efforts.push(Math.max(...looks.map(({ rowsMax }) => rowsMax)));
  }
  const [few = 0, many = 0] = efforts;
  expect(many).toBeLessThanOrEqual(Math.max(few, 10));
});
