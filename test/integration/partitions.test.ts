import { beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import {
  dropExpiredPartitions,
  makePartitions,
  partitionedTables,
  readDefaultPartitionRows,
} from '../../src/db/partitions.ts';
import { createDeliverySweep } from '../../src/features/webhooks/deliveries/sweep-deliveries.ts';
import { DAY_MS, daysAgo, keepAsWorker, partitionsOf } from '../support/database/partitions.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';

let db: Database;
let endpointId: string;

beforeEach(async () => {
  db = await openDatabase();
  endpointId = await insertEndpoint(db, { accountId: await insertAccount(db) });
});

const count = async (table: string) =>
  (await db.unsafe(`select count(*)::int as count from ${table}`))[0]?.count as number;

/** An event with a delivery and an attempt, all of that time and done. */
async function storeEvent(at: Date): Promise<{ eventId: string; deliveryId: string }> {
  const eventId = await insertEvent(db, { createdAt: at, isPublished: true, isFannedOut: true });
  const delivery = { endpointId, eventId, createdAt: at, attemptCount: 1, deliveredAt: at };
  const deliveryId = await insertDelivery(db, delivery);
  await insertAttempt(db, { deliveryId, startedAt: at });
  return { eventId, deliveryId };
}

/** The week's name, as it ends a partition's. */
function weekOf(at: Date): string {
  const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS);
  return monday.toISOString().slice(0, 10).replaceAll('-', '');
}

describe('partitions are made', () => {
  test('by the migrations: for this week and three more, so that a fresh database needs no worker', async () => {
    const weeks = [0, 7, 14, 21].map((days) => weekOf(daysAgo(-days)));
    expect(await partitionsOf(db, 'events')).toEqual(weeks.map((week) => `events_${week}`));
    expect(await partitionsOf(db, 'webhook_attempts')).toEqual(
      weeks.map((week) => `webhook_attempts_${week}`),
    );
    expect(await partitionsOf(db, 'intent_sends')).toEqual(weeks.map((week) => `intent_sends_${week}`));
    expect(await partitionsOf(db, 'trades')).toEqual(['trades_0m']);
    await storeEvent(new Date());
    await storeEvent(daysAgo(-20));
    expect(Object.values(Object.fromEntries(await readDefaultPartitionRows(db)))).toEqual([0, 0, 0, 0]);
  });

  test('for rows that had none: they were stored all the same, and move with all their data', async () => {
    const { eventId } = await storeEvent(daysAgo(60));
    await storeEvent(daysAgo(45));
    const before = await db`select * from events order by id`;
    expect((await readDefaultPartitionRows(asWorker(db))).get('events')).toBe(2);
    const { changed } = await makePartitions(asWorker(db), null);
    expect(changed).toEqual(
      ['events', 'webhook_attempts'].flatMap((table) =>
        [60, 45].map((days) => `${table}_${weekOf(daysAgo(days))}`),
      ),
    );
    expect((await readDefaultPartitionRows(db)).get('events')).toBe(0);
    expect(await db`select * from events order by id`).toEqual(before);
    const [row] = await db`select tableoid::regclass::text as name from events where id = ${eventId}`;
    expect(row?.name).toBe(`events_${weekOf(daysAgo(60))}`);
  });

  test('not for ids without a time: those stay where they are, and are counted', async () => {
    await insertEvent(db, { id: 'ffffffff-0000-4000-8000-000000000000' });
    expect((await makePartitions(asWorker(db), null)).changed).toEqual([]);
    expect((await readDefaultPartitionRows(db)).get('events')).toBe(1);
  });

  test('with the indexes, checks and keys of the table', async () => {
    const shape = async (table: string) => ({
      indexes: (
        await db<{ definition: string }[]>`
          select regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') as definition
          from pg_index where indrelid = ${table}::regclass order by 1`
      ).map(({ definition }) => definition),
      constraints: (
        await db<{ definition: string }[]>`
          select pg_get_constraintdef(oid) as definition from pg_constraint
          where conrelid = ${table}::regclass and contype <> 'n' order by 1`
      ).map(({ definition }) => definition),
    });
    for (const table of partitionedTables) {
      for (const partition of await partitionsOf(db, table))
        expect({ partition, ...(await shape(partition)) }).toEqual({ partition, ...(await shape(table)) });
    }
  });

  test('once, by two workers at the same time', async () => {
    await storeEvent(daysAgo(60));
    const passes = await Promise.all([1, 2].map(() => makePartitions(asWorker(db), 385_000_000n)));
    const made = passes.flatMap(({ changed }) => changed).filter((name) => name.startsWith('trades'));
    expect(new Set(made).size).toBe(made.length);
    await makePartitions(asWorker(db), 385_000_000n);
    expect(await partitionsOf(db, 'trades')).toEqual(['trades_0m', 'trades_380m', 'trades_390m']);
    expect((await readDefaultPartitionRows(db)).get('events')).toBe(0);
  });
});

describe('an expired week', () => {
  test('leaves whole, with its deliveries and attempts; younger ones stay', async () => {
    const old = await storeEvent(daysAgo(45));
    const young = await storeEvent(daysAgo(20));
    await keepAsWorker(db);
    expect(await db`select id from events`).toEqual([{ id: young.eventId }] as never);
    expect(await db`select id from webhook_deliveries`).toEqual([{ id: young.deliveryId }] as never);
    expect(await db`select delivery_id from webhook_attempts`).toEqual([
      { deliveryId: young.deliveryId },
    ] as never);
    for (const table of ['events', 'webhook_attempts'] as const)
      expect(await partitionsOf(db, table)).not.toContain(`${table}_${weekOf(daysAgo(45))}`);
    expect(old.eventId < young.eventId).toBe(true);
  });

  test('expires only by both clocks, so that a wrongly set clock loses no data', async () => {
    await storeEvent(daysAgo(20));
    await keepAsWorker(db, { now: daysAgo(-400) });
    await storeEvent(daysAgo(45));
    await keepAsWorker(db, { now: daysAgo(20) });
    expect(await count('events')).toBe(2);
    expect(await count('webhook_deliveries')).toBe(2);
    expect(await count('webhook_attempts')).toBe(2);
  });

  test('of attempts may be kept longer than the deliveries', async () => {
    await storeEvent(daysAgo(45));
    await keepAsWorker(db, { keptDays: { attempts: 90 } });
    expect(await count('events')).toBe(0);
    expect(await count('webhook_attempts')).toBe(1);
    await keepAsWorker(db);
    expect(await count('webhook_attempts')).toBe(0);
  });

  /** A row that is still needed, and the change after which it is not. */
  const OPEN: [string, string, string][] = [
    [
      'an event that was not published',
      'insert into events_to_publish select id from events',
      'delete from events_to_publish',
    ],
    [
      'an event that was not fanned out',
      'insert into events_to_fan_out select id from events',
      'delete from events_to_fan_out',
    ],
    [
      'a delivery that is due',
      `update webhook_deliveries set status = 'retrying', next_attempt_at = now()`,
      `update webhook_deliveries set status = 'dead_letter', next_attempt_at = null`,
    ],
    [
      'a delivery that is under way',
      `update webhook_deliveries set status = 'processing', lease_expires_at = now()`,
      `update webhook_deliveries set status = 'succeeded', lease_expires_at = null`,
    ],
    [
      'a delivery that was replayed lately',
      `update webhook_deliveries set updated_at = now() - interval '1 day'`,
      `update webhook_deliveries set updated_at = now() - interval '31 days'`,
    ],
  ];

  test.each(OPEN)('is kept for %s', async (_name, open, close) => {
    await storeEvent(daysAgo(45));
    await db.unsafe(open);
    await keepAsWorker(db);
    await keepAsWorker(db);
    expect(await count('events')).toBe(1);
    await db.unsafe(close);
    await keepAsWorker(db);
    expect(await count('events')).toBe(0);
    expect(await count('webhook_attempts')).toBe(0);
  });

  test('is not dropped over a fan-out that is not committed yet', async () => {
    const { eventId, deliveryId } = await storeEvent(daysAgo(45));
    await makePartitions(asWorker(db), null);
    await db`delete from webhook_deliveries where id = ${deliveryId}`;
    const drop = () => dropExpiredPartitions(asWorker(db), 'events', new Date(), 30);
    await db.begin(async (transaction) => {
      // As the fan-out does: it reads the event, whose table cannot be dropped from under it.
      await transaction`select from events where id = ${eventId}`;
      await insertDelivery(transaction, { id: deliveryId, endpointId, eventId, status: 'pending' });
      expect(await drop()).toEqual({ changed: [], isBusy: true });
    });
    expect(await drop()).toEqual({ changed: [], isBusy: false });
    expect(await count('events')).toBe(1);
  });

  test('waits for a long reader without disturbing it, and holds up no other statement', async () => {
    await storeEvent(daysAgo(45));
    await db`delete from webhook_deliveries`;
    await makePartitions(asWorker(db), null);
    await db.begin(async (reader) => {
      await reader`select from events`;
      expect((await dropExpiredPartitions(asWorker(db), 'events', new Date(), 30)).isBusy).toBe(true);
      expect(await count('events')).toBe(1);
    });
    const { changed } = await dropExpiredPartitions(asWorker(db), 'events', new Date(), 30);
    expect(changed).toEqual([`events_${weekOf(daysAgo(45))}`]);
  });

  test('is dropped once by two workers at the same time', async () => {
    await storeEvent(daysAgo(45));
    await Promise.all([keepAsWorker(db), keepAsWorker(db)]);
    await keepAsWorker(db);
    expect(await count('events')).toBe(0);
    expect(await count('webhook_deliveries')).toBe(0);
    expect(await count('webhook_attempts')).toBe(0);
  });

  test('is there, whole, after a worker that was killed while it dropped it', async () => {
    await storeEvent(daysAgo(45));
    await db`delete from webhook_deliveries`;
    await makePartitions(asWorker(db), null);
    const worker = asWorker(db);
    const killed = worker.begin(async (transaction) => {
      await transaction`select drop_next_partition('events', now(), 30)`;
      const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await db`select pg_terminate_backend(${row?.pid ?? 0})`;
      await transaction`select 1`;
    });
    await expect(killed).rejects.toThrow();
    expect(await count('events')).toBe(1);
    await keepAsWorker(db);
    expect(await count('events')).toBe(0);
  });
});

test('the deliveries of a long pass are deleted in batches, and those that stay are passed over', async () => {
  for (let at = 0; at < 5; at += 1) await storeEvent(daysAgo(45 - at));
  await db`
    update webhook_deliveries set status = 'pending', next_attempt_at = now()
    where id = (select id from webhook_deliveries order by event_id limit 1)`;
  const sweep = createDeliverySweep();
  const pass = () => sweep(asWorker(db), new Date(), 30, 2);
  expect([await pass(), await pass(), await pass()]).toEqual([true, true, false]);
  expect(await count('webhook_deliveries')).toBe(1);
});

test('all deliveries of an event are deleted, also when a batch ends among them', async () => {
  const { eventId } = await storeEvent(daysAgo(45));
  const { accountId } = (await db`select account_id from webhook_endpoints`)[0] ?? expect.unreachable();
  for (let at = 0; at < 2; at += 1) {
    const another = await insertEndpoint(db, { accountId });
    await insertDelivery(db, { endpointId: another, eventId, createdAt: daysAgo(45) });
  }
  const sweep = createDeliverySweep();
  const pass = () => sweep(asWorker(db), new Date(), 30, 2);
  expect([await pass(), await pass()]).toEqual([true, false]);
  expect(await count('webhook_deliveries')).toBe(0);
});

test('a delivery stays as long as its event, whatever its own times say', async () => {
  const { deliveryId } = await storeEvent(daysAgo(29));
  await db`update webhook_deliveries set updated_at = ${daysAgo(31)} where id = ${deliveryId}`;
  expect(await createDeliverySweep()(asWorker(db), new Date(), 30, 2)).toBe(false);
  expect(await count('webhook_deliveries')).toBe(1);
});

test('a delivery that is being replayed is not waited for, and stays', async () => {
  const { deliveryId } = await storeEvent(daysAgo(45));
  await storeEvent(daysAgo(40));
  const sweep = createDeliverySweep();
  const pass = () => sweep(asWorker(db), new Date(), 30, 1);
  await db.begin(async (replay) => {
    await replay`
      update webhook_deliveries set status = 'pending', next_attempt_at = now(), updated_at = now() where id = ${deliveryId}`;
    // One batch deletes the other; the pass after it finds nothing.
    expect([await pass(), await pass()]).toEqual([true, false]);
  });
  expect(await pass()).toBe(false);
  expect([...(await db`select id from webhook_deliveries`)]).toEqual([{ id: deliveryId }]);
});
