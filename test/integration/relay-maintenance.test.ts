import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import {
  reconcileDeliveriesLoop,
  repairMissingDeliveries,
} from '../../relay/maintenance/reconcile-deliveries.ts';
import {
  dropWithoutEvent,
  endInactiveDeliveries,
  expireDeliveryLeases,
} from '../../relay/maintenance/sweep.ts';
import { defaultSettings } from '../../relay/model/settings.ts';
import { Counters } from '../../relay/telemetry/counters.ts';
import { readBacklog } from '../../relay/telemetry/metrics.ts';
import type { Database } from '../../src/db/client.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { Wakeup } from '../../src/shared/loop.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDeliveries, insertDelivery, type NewDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint, type NewEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent, type NewEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';

const HOUR_MS = 3_600_000;
let db: Database;
let accountId: string;
let endpointId: string;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  await db`delete from webhook_attempts`;
  await db`delete from webhook_deliveries`;
  await db`delete from webhook_endpoints`;
  accountId = await insertAccount(db);
  endpointId = await insertEndpoint(db, { accountId, createdAt: hoursAgo(100) });
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const newEndpoint = (columns: Partial<NewEndpoint> = {}) =>
  insertEndpoint(db, { accountId, createdAt: hoursAgo(100), ...columns });
const deliveryOf = (columns: Partial<NewDelivery>, endpoint = endpointId) =>
  insertDelivery(db, { endpointId: endpoint, eventId: Bun.randomUUIDv7(), ...columns });

async function readDelivery(id: string) {
  const [row] = await db`
    select status, attempt_count, schedule_index, lease_expires_at, last_error_code, next_attempt_at <= now() as is_due
    from webhook_deliveries where id = ${id}`;
  return row ?? expect.unreachable();
}

/** Runs `work` while another transaction holds the delivery. */
async function whileLocked<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
  return (await db.begin(async (other) => {
    await other`select from webhook_deliveries where id = ${id} for update`;
    return await work();
  })) as Value;
}

describe('the lease of a relay that was killed', () => {
  const underWay = {
    status: 'processing',
    attemptCount: 3,
    scheduleIndex: 2,
    lastErrorCode: 'http_500',
  } as const;

  test('ends at its time and not before: the delivery is due as it was, and the attempt has no known outcome', async () => {
    const createdAt = hoursAgo(1);
    const over = await deliveryOf({ ...underWay, createdAt, leaseExpiresAt: hoursAgo(0.001) });
    const held = await deliveryOf({ ...underWay, createdAt });
    expect(await expireDeliveryLeases(db)).toBe(1);
    expect(await readDelivery(over)).toEqual({
      status: 'retrying',
      attemptCount: 3,
      scheduleIndex: 2,
      leaseExpiresAt: null,
      lastErrorCode: 'http_500',
      isDue: true,
    });
    expect((await readDelivery(held)).status).toBe('processing');
    const attempts =
      await db`select delivery_id, attempt_number, started_at, succeeded, error_code from webhook_attempts`;
    expect([...attempts]).toEqual([
      {
        deliveryId: over,
        attemptNumber: 3,
        startedAt: createdAt,
        succeeded: null,
        errorCode: 'outcome_unknown',
      },
    ]);
    expect(await expireDeliveryLeases(db)).toBe(0);
  });

  test('ends without an entry for an attempt that was recorded after all', async () => {
    const id = await deliveryOf({ ...underWay, leaseExpiresAt: hoursAgo(1) });
    await insertAttempt(db, { deliveryId: id, attemptNumber: 3 });
    expect(await expireDeliveryLeases(db)).toBe(1);
    expect((await db`select succeeded from webhook_attempts`)[0]).toEqual({ succeeded: true });
  });

  test('is left to the result that is being written, without waiting for it', async () => {
    const [id, other] = [
      await deliveryOf({ ...underWay, leaseExpiresAt: hoursAgo(2) }),
      await deliveryOf({ ...underWay, leaseExpiresAt: hoursAgo(1) }),
    ];
    expect(await whileLocked(id, () => expireDeliveryLeases(db))).toBe(1);
    expect([(await readDelivery(id)).status, (await readDelivery(other)).status]).toEqual([
      'processing',
      'retrying',
    ]);
  });

  test('ends in bounded steps, the oldest first', async () => {
    const young = await deliveryOf({ ...underWay, leaseExpiresAt: hoursAgo(1) });
    const old = Array.from({ length: 500 }, () => ({
      ...underWay,
      endpointId,
      eventId: Bun.randomUUIDv7(),
      leaseExpiresAt: hoursAgo(2),
    }));
    await insertDeliveries(db, old);
    expect(await expireDeliveryLeases(db)).toBe(500);
    expect((await readDelivery(young)).status).toBe('processing');
    expect(await expireDeliveryLeases(db)).toBe(1);
  });
});

describe('an endpoint that is switched off or deleted', () => {
  test('is sent nothing more: waiting deliveries end with the reason, those in flight or ended stay', async () => {
    const disabled = await newEndpoint({ status: 'disabled', disabledReason: 'manual' });
    const deleted = await newEndpoint({ deletedAt: new Date() });
    const both = await newEndpoint({ status: 'disabled', disabledReason: 'gone', deletedAt: new Date() });
    const ended = [
      await deliveryOf({ status: 'pending' }, disabled),
      await deliveryOf({ status: 'retrying', nextAttemptAt: hoursAgo(-9) }, deleted),
      await deliveryOf({ status: 'retrying' }, both),
    ];
    const kept = [
      await deliveryOf({ status: 'processing' }, disabled),
      await deliveryOf({ status: 'succeeded' }, deleted),
      await deliveryOf({ status: 'pending' }),
      await deliveryOf({ status: 'retrying' }),
    ];
    const before = await Promise.all(kept.map(readDelivery));
    expect(await endInactiveDeliveries(db)).toBe(3);
    expect(await Promise.all(ended.map(readDelivery))).toMatchObject(
      ['endpoint_disabled', 'endpoint_deleted', 'endpoint_deleted'].map((lastErrorCode) => ({
        status: 'dead_letter',
        lastErrorCode,
        isDue: null,
      })),
    );
    expect(await Promise.all(kept.map(readDelivery))).toEqual(before);
    expect(await endInactiveDeliveries(db)).toBe(0);
  });

  test('waits for no claim that is being made, and ends in bounded steps', async () => {
    const disabled = await newEndpoint({ status: 'disabled', disabledReason: 'manual' });
    const claimed = await deliveryOf({ status: 'pending' }, disabled);
    const waiting = await deliveryOf({ status: 'pending' }, disabled);
    expect(await whileLocked(claimed, () => endInactiveDeliveries(db))).toBe(1);
    expect([(await readDelivery(claimed)).status, (await readDelivery(waiting)).status]).toEqual([
      'pending',
      'dead_letter',
    ]);
    const other = await newEndpoint({ deletedAt: new Date() });
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      endpointId: at % 2 === 0 ? disabled : other,
      eventId: Bun.randomUUIDv7(),
      status: 'pending' as const,
    }));
    await insertDeliveries(db, many);
    expect([await endInactiveDeliveries(db), await endInactiveDeliveries(db)]).toEqual([1_000, 1]);
  });
});

test('the backlog counts what is due, planned and under way, and how long the oldest has waited for an endpoint that is not paused', async () => {
  expect(await readBacklog(db)).toEqual({ due: 0, scheduled: 0, processing: 0, oldestDueSeconds: 0 });
  const inSeconds = (seconds: number) => new Date(Date.now() + 1_000 * seconds);
  const paused = await newEndpoint({ pausedUntil: inSeconds(60) });
  const resumed = await newEndpoint({ pausedUntil: inSeconds(-7_200) });
  await deliveryOf({ status: 'pending', nextAttemptAt: inSeconds(-90_000) }, paused);
  // A delivery that may not be sent does not count as waiting.
  expect(await readBacklog(db)).toMatchObject({ due: 1, oldestDueSeconds: 0 });
  await deliveryOf({ status: 'retrying', nextAttemptAt: inSeconds(-36_000) }, resumed);
  await deliveryOf({ status: 'pending', nextAttemptAt: inSeconds(-60) });
  for (let count = 0; count < 2; count += 1)
    await deliveryOf({ status: 'retrying', nextAttemptAt: inSeconds(60) });
  await deliveryOf({ status: 'processing' });
  await deliveryOf({ status: 'succeeded' });
  const { oldestDueSeconds, ...counts } = await readBacklog(db);
  expect(counts).toEqual({ due: 3, scheduled: 2, processing: 1 });
  // Since the pause ended: some seconds more by the time it is read.
  expect(Math.floor(oldestDueSeconds / 600)).toBe(12);
});

test('marks of events that were deleted are dropped, and those of others stay', async () => {
  const [deleted, open] = [await insertEvent(db), await insertEvent(db)];
  await db`delete from events where id = ${deleted}`;
  expect(await dropWithoutEvent(db)).toBeGreaterThanOrEqual(1);
  const left = await db<{ eventId: string }[]>`
    select event_id from events_to_fan_out where event_id = any(${[deleted, open]}::uuid[])`;
  expect(left.map(({ eventId }) => eventId)).toEqual([open]);
  expect(await dropWithoutEvent(db)).toBe(0);
});

describe('the comparison of events with their deliveries', () => {
  const WINDOW = { windowMs: 6 * HOUR_MS, ageMs: 60_000 };
  const compare = (after: string | null = null) =>
    repairMissingDeliveries(db, after, { ...WINDOW, now: new Date() });
  const happened = ({ createdAt = hoursAgo(1), ...event }: NewEvent = {}) =>
    insertEvent(db, { type: 'build.service.launch.created.v1', createdAt, isFannedOut: true, ...event });

  beforeEach(async () => {
    await db`delete from events`;
  });

  async function deliveries() {
    return (
      await db<{ endpointId: string; eventId: string }[]>`
        select endpoint_id, event_id from webhook_deliveries order by event_id, endpoint_id`
    ).map(({ endpointId: endpoint, eventId }) => [endpoint, eventId]);
  }

  test('makes missing deliveries, due at once, and none twice', async () => {
    const [missing, present] = [await happened(), await happened()];
    const existing = await deliveryOf({ eventId: present });
    expect(await compare()).toMatchObject({ deliveries: 1 });
    expect(await compare()).toMatchObject({ deliveries: 0 });
    const made = await db`
      select event_id, event_type, status, attempt_count, next_attempt_at <= now() as is_due
      from webhook_deliveries where id <> ${existing}`;
    expect([...made]).toEqual([
      {
        eventId: missing,
        eventType: 'build.service.launch.created.v1',
        status: 'pending',
        attemptCount: 0,
        isDue: true,
      },
    ]);
  });

  test('leaves out events that are not fanned out yet, in progress, or older than the window', async () => {
    await happened({ isFannedOut: false });
    await happened({ createdAt: new Date() });
    await happened({ createdAt: hoursAgo(6.1) });
    const [oldest, youngest] = [
      await happened({ createdAt: hoursAgo(5.9) }),
      await happened({ createdAt: hoursAgo(0.02) }),
    ];
    await compare();
    expect(await deliveries()).toEqual([
      [endpointId, oldest],
      [endpointId, youngest],
    ]);
  });

  test('makes none for endpoints that are off, gone, younger, changed since, of another account or subscribed to something else', async () => {
    await newEndpoint({ status: 'disabled', disabledReason: 'manual' });
    await newEndpoint({ deletedAt: new Date() });
    await newEndpoint({ createdAt: hoursAgo(0.5), updatedAt: hoursAgo(50) });
    await newEndpoint({ updatedAt: hoursAgo(0.5) });
    await newEndpoint({ eventTypes: ['build.service.operation.*'] });
    await newEndpoint({ subjects: ['another'] });
    const stranger = await insertEndpoint(db, {
      accountId: await insertAccount(db),
      createdAt: hoursAgo(100),
    });
    const publicEvent = await happened({ createdAt: hoursAgo(2) });
    const own = await happened({ accountId });
    await compare();
    expect(await deliveries()).toEqual([
      ...[endpointId, stranger].toSorted().map((id) => [id, publicEvent]),
      [endpointId, own],
    ]);
  });

  test('leaves a delivery to the relay that is making it', async () => {
    const eventId = await happened();
    const compared = await db.begin(async (other) => {
      await insertDelivery(other, { endpointId, eventId });
      const begun = compare();
      await untilBlockedBy(other, 'it waits for the other');
      return { begun };
    });
    expect(await compared.begun).toMatchObject({ deliveries: 0 });
  });

  /** More than one step takes, the youngest first; their ids, the oldest first. */
  async function many(): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < 21; at += 1) ids.push(await happened({ createdAt: hoursAgo(3 + at / 100) }));
    return ids.toReversed();
  }

  test('goes on after the last event of a step, and ends at the newest', async () => {
    const ids = await many();
    const first = await compare();
    expect(first).toEqual({ deliveries: 20, last: ids[19] ?? '' });
    expect(await compare(first.last)).toEqual({ deliveries: 1, last: ids[20] ?? '' });
    expect(await compare(ids[20])).toEqual({ deliveries: 0, last: null });
  });

  test('counts, logs and announces the deliveries that it made, is silent when none were missing, and rests at the end', async () => {
    await many();
    const stop = new AbortController();
    const [counters, wakeup] = [new Counters(), new Wakeup()];
    const wake = spyOn(wakeup, 'wake');
    const warn = spyOn(silentLog, 'warn');
    // Asked once in each step.
    const now = spyOn(systemClock, 'now');
    const running = reconcileDeliveriesLoop(
      { sql: db, counters, wakeup, settings: defaultSettings, clock: systemClock, log: silentLog },
      stop.signal,
    );
    await eventually('three steps', async () => now.mock.calls.length >= 3);
    stop.abort();
    await running;
    expect([counters.repairedDeliveries, wake.mock.calls.length, now.mock.calls.length]).toEqual([21, 2, 3]);
    expect(warn.mock.calls).toEqual(
      [20, 1].map((made) => [{ deliveries: made }, 'deliveries.repaired']) as never,
    );
    expect(await deliveries()).toHaveLength(21);
    for (const spy of [wake, warn, now]) spy.mockRestore();
  });
});
