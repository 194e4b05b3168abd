import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { claimDue } from '../../relay/retry/claim-deliveries.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import type { Database } from '../../src/db/client.ts';
import {
  deliveryRecovery,
  type RecoveryDependencies,
} from '../../src/features/operations/kinds/delivery-recovery.ts';
import {
  findEndpointCondition,
  isBacklogged,
  isRetryBacklogged,
  recoverFinished,
  recoverMissed,
  recoverRetrying,
} from '../../src/features/webhooks/deliveries/recover-deliveries.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import {
  createTestRunner,
  operationState,
  resultText,
  type TestRunner,
} from '../support/operations/operation-runner.ts';
import { insertDeliveries, type NewDelivery } from '../support/rows/insert-delivery.ts';
import { insertEvents } from '../support/rows/insert-event.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

const HOUR_MS = 3_600_000;
let world: RelayWorld;
let db: Database;
let runner: TestRunner;
let endpoint: TestEndpoint;
let since: Date;

beforeAll(async () => {
  // One attempt at a time shows the order.
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600', WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
  db = world.sql;
  runner = createTestRunner(db);
});

beforeEach(async () => {
  endpoint = await world.createEndpoint('https://down.example.com/');
  since = new Date(Date.now() - HOUR_MS);
});

const kind = (changes: Partial<RecoveryDependencies> = {}) =>
  deliveryRecovery({
    findEndpoint: findEndpointCondition,
    isBacklogged,
    isRetryBacklogged,
    recoverFinished,
    recoverMissed,
    recoverRetrying,
    onDeliveriesDue: () => world.connection.publish(hints.deliveries),
    ...changes,
  });

const start = (statuses = ['retrying', 'dead_letter', 'missed']) =>
  runner.create(endpoint.accountId, 'delivery_recovery', {
    endpointId: endpoint.id,
    since: since.toISOString(),
    until: new Date().toISOString(),
    statuses,
  });

/** One run, as the worker makes one a second. */
async function once(id: string, of = kind()): Promise<void> {
  await runner.makeDue(id);
  await runner.runDue(of);
}

async function untilEnded(id: string) {
  for (let runs = 0; runs < 20; runs += 1) {
    await once(id);
    const state = await operationState(db, id);
    if (state?.status !== 'running') return state;
  }
  throw new Error('the recovery does not end');
}

const reportOf = async (id: string) => JSON.parse(await resultText(db, id));

/** Deliveries of the hour with their third attempt in an hour, a second apart; their ids, oldest first. */
async function storeDeliveries(count: number, changes: Partial<NewDelivery> = {}): Promise<string[]> {
  const startMs = (changes.createdAt ?? since).getTime() + 1_000;
  const eventIds = await insertEvents(db, count, { accountId: endpoint.accountId, isFannedOut: true });
  return insertDeliveries(
    db,
    eventIds.map((eventId, at) => ({
      id: Bun.randomUUIDv7('hex', startMs + at * 1_000),
      endpointId: endpoint.id,
      eventId,
      status: 'retrying' as const,
      attemptCount: 2,
      scheduleIndex: 2,
      nextAttemptAt: new Date(Date.now() + HOUR_MS),
      ...changes,
      createdAt: new Date(startMs + at * 1_000),
      updatedAt: new Date(startMs + at * 1_000),
    })),
  );
}

const rowsOf = (ids: readonly string[]) => db<
  {
    id: string;
    status: string;
    isDue: boolean;
    attemptCount: number;
    scheduleIndex: number;
    replayCount: number;
  }[]
>`
  select id, status, coalesce(next_attempt_at <= now(), false) as is_due, attempt_count, schedule_index, replay_count
  from webhook_deliveries where id = any(${ids as string[]}::uuid[]) order by id`;
const dueOf = async (ids: readonly string[]) => (await rowsOf(ids)).map(({ isDue }) => isDue);

/** As the relay ends a failed attempt. */
const fail = (id: string, nextAttemptAt = new Date(Date.now() + HOUR_MS)) => db`
  update webhook_deliveries set status = 'retrying', attempt_count = attempt_count + 1,
    schedule_index = schedule_index + 1, next_attempt_at = ${nextAttemptAt}, lease_expires_at = null, updated_at = now()
  where id = ${id}`;

test('a subscriber that was down gets all that it missed at once, in order of age', async () => {
  const port = await freePort();
  endpoint = await world.createEndpoint(`http://127.0.0.1:${port}`);
  const stop = await world.startRelay();
  const published: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    const eventId = await world.publish({ accountId: endpoint.accountId });
    await world.deliveryOf(endpoint.id, eventId, ({ status }) => status === 'retrying');
    published.push(eventId);
  }
  const up = await startReceiver({ port });
  const id = await start();
  expect(await untilEnded(id)).toMatchObject({
    status: 'succeeded',
    progressCompleted: 10n,
    progressTotal: 10n,
  });
  expect(await reportOf(id)).toMatchObject({ matched: 10, retried: 10, replayed: 0, missed: 0 });
  const received = await up.received(10);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(published);
  for (const eventId of published) {
    const delivered = await world.deliveryOf(endpoint.id, eventId, ({ status }) => status === 'succeeded');
    expect(delivered.attemptCount).toBe(2);
  }
  // Sent twice, the recovery finds nothing, and nothing arrives twice.
  const again = await start();
  expect(await untilEnded(again)).toMatchObject({ status: 'succeeded', progressCompleted: 0n });
  await stop();
  expect(up.requests).toHaveLength(10);
});

describe('retrying deliveries', () => {
  test('become due 200 a run, oldest first, with their place in the schedule, each once', async () => {
    const ids = await storeDeliveries(450);
    const early = await storeDeliveries(2, { createdAt: new Date(since.getTime() - 60_000) });
    const waiting = await storeDeliveries(1);
    await db`update webhook_deliveries set created_at = now() + interval '1 hour' where id = any(${waiting}::uuid[])`;
    const id = await start();
    for (const count of [200, 400]) {
      // The second run is killed with its page done and not committed.
      const dying = kind({
        recoverRetrying: async (transaction, page) => {
          await recoverRetrying(transaction, page);
          throw new Error('killed');
        },
      });
      if (count === 400) await once(id, dying);
      await once(id);
      // The first of them has failed again after the first run.
      expect(await dueOf(ids)).toEqual(ids.map((_id, at) => at < count && (at > 0 || count === 200)));
      if (count === 200) await fail(ids[0] ?? '');
    }
    await untilEnded(id);
    expect(await dueOf(ids)).toEqual(ids.map((_id, at) => at > 0));
    expect(new Set(await dueOf([...early, ...waiting]))).toEqual(new Set([false]));
    const [, row] = await rowsOf(ids);
    expect(row).toMatchObject({ status: 'retrying', attemptCount: 2, scheduleIndex: 2, replayCount: 0 });
    expect(await reportOf(id)).toMatchObject({ matched: 450, retried: 450 });
  });

  test('that are due already keep their turn', async () => {
    const dueAt = new Date(Date.now() - 60_000);
    const [id = ''] = await storeDeliveries(1, { nextAttemptAt: dueAt });
    await untilEnded(await start());
    const [row] = await db`select next_attempt_at from webhook_deliveries where id = ${id}`;
    expect(row?.nextAttemptAt).toEqual(dueAt);
  });

  test('are taken from a recovery only where it names them', async () => {
    const ids = await storeDeliveries(2);
    expect(await untilEnded(await start(['missed', 'dead_letter']))).toMatchObject({ progressCompleted: 0n });
    expect(await dueOf(ids)).toEqual([false, false]);
  });

  test('about a hidden token stay, and are counted as skipped', async () => {
    const mint = newAddress();
    await db`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, hidden, created_at, updated_at)
      values (${mint}, ${mint}, 'Example', 'EX', 6, 1000, 'dbc', 'bonding', true, now(), now())`;
    const ids = await storeDeliveries(2);
    await db`
      update events set subject = ${mint}
      where id = (select event_id from webhook_deliveries where id = ${ids[0] ?? ''})`;
    const id = await start();
    await untilEnded(id);
    expect(await dueOf(ids)).toEqual([false, true]);
    expect(await reportOf(id)).toMatchObject({
      matched: 2,
      retried: 1,
      skipped: { webhook_delivery_not_replayable: 1 },
    });
  });

  test('whose attempt was under way when the recovery was requested are taken when it fails, and only then', async () => {
    const [failing = '', succeeding = '', waiting = ''] = await storeDeliveries(3);
    const underWay = [failing, succeeding];
    const lease = new Date(Date.now() + HOUR_MS);
    await db`
      update webhook_deliveries set status = 'processing', next_attempt_at = null, lease_expires_at = ${lease}
      where id = any(${underWay}::uuid[])`;
    const id = await start();
    await once(id);
    await once(id);
    expect(await operationState(db, id)).toMatchObject({ status: 'running' });
    expect(await dueOf([waiting])).toEqual([false]);
    await fail(failing);
    await once(id);
    expect(await dueOf([failing, waiting])).toEqual([true, false]);
    await db`update webhook_deliveries set status = 'succeeded', lease_expires_at = null where id = ${succeeding}`;
    expect(await untilEnded(id)).toMatchObject({ status: 'succeeded' });
    expect(await dueOf([failing, waiting])).toEqual([true, true]);
    expect(await reportOf(id)).toMatchObject({ matched: 2, retried: 2 });
  });

  test('that the relay claims at that moment are left to it, and counted', async () => {
    const ids = await storeDeliveries(3);
    const [claimed = ''] = ids;
    await db`update webhook_deliveries set next_attempt_at = now() where id = ${claimed}`;
    const id = await start();
    const claiming = db.begin(async (transaction) => {
      const options = { batch: 10, leaseMs: 20_000, fullEndpointIds: [], room: () => 1 };
      const { claims } = await claimDue(transaction as unknown as Database, null, options);
      expect(claims.map(({ deliveryId }) => deliveryId)).toContain(claimed);
      const running = untilEnded(id);
      await untilBlockedBy(transaction, 'the recovery waits for this delivery');
      return { running };
    });
    await (await claiming).running;
    expect(await rowsOf(ids)).toMatchObject([
      { status: 'processing', attemptCount: 3, isDue: false },
      { status: 'retrying', isDue: true },
      { status: 'retrying', isDue: true },
    ]);
    expect(await reportOf(id)).toMatchObject({ matched: 3, retried: 3 });
  });

  test('whose last attempt this recovery makes are not replayed by it as well', async () => {
    const [last = ''] = await storeDeliveries(1);
    const [dead = ''] = await storeDeliveries(1, { status: 'dead_letter', nextAttemptAt: null });
    const id = await start();
    await once(id);
    await db`
      update webhook_deliveries set status = 'dead_letter', next_attempt_at = null, updated_at = now() where id = ${last}`;
    await untilEnded(id);
    const rows = Object.fromEntries((await rowsOf([last, dead])).map((row) => [row.id, row]));
    expect(rows[last]).toMatchObject({ status: 'dead_letter', replayCount: 0 });
    expect(rows[dead]).toMatchObject({ status: 'pending', replayCount: 1 });
    expect(await reportOf(id)).toMatchObject({ matched: 2, retried: 1, replayed: 1 });
  });

  test('of a receiver that is still down wait from 1,000 on, until one of these has ended', async () => {
    const ids = await storeDeliveries(1_100);
    const id = await start(['retrying']);
    for (let runs = 0; runs < 7; runs += 1) await once(id);
    expect((await dueOf(ids)).filter(Boolean)).toHaveLength(1_000);
    for (const one of ids.slice(0, 2)) await fail(one);
    await once(id);
    expect((await dueOf(ids)).filter(Boolean)).toHaveLength(998);
    await db`update webhook_deliveries set status = 'succeeded', next_attempt_at = null where id = ${ids[0] ?? ''}`;
    expect(await untilEnded(id)).toMatchObject({ status: 'succeeded', progressCompleted: 1_100n });
  });

  test('of an endpoint that is disabled meanwhile stay, and the recovery fails', async () => {
    const ids = await storeDeliveries(300);
    const id = await start();
    await once(id);
    await db`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${endpoint.id}`;
    const state = await untilEnded(id);
    expect(state).toMatchObject({ status: 'failed', errorCode: 'webhook_endpoint_disabled' });
    expect(state?.errorDetail).toContain('200 deliveries had been made due');
    expect((await dueOf(ids)).filter(Boolean)).toHaveLength(200);
  });
});
