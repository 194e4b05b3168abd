import { expect, test } from 'bun:test';
import { EndpointQueues, type QueueExit } from '../../relay/deliver/endpoint-queues.ts';
import type { LeasedEvent } from '../../relay/deliver/event-leases.ts';
import { EventProgress, EventsInProgress, type NewDelivery } from '../../relay/deliver/events-in-progress.ts';
import type { EndpointBacklogs } from '../../relay/endpoints/endpoint-backlogs.ts';
import type { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import type { CachedEndpoint } from '../../relay/endpoints/read-endpoints.ts';
import { Slots } from '../../relay/endpoints/slots.ts';
import type { Database } from '../../src/db/client.ts';
import { createLogger } from '../../src/shared/log.ts';
import { eventually } from '../support/run/eventually.ts';

const LIMIT = 4;
const SLOTS = 64;
const STARTS_PER_TURN = 32;
const QUEUES_MAX = 20_000;

function endpoint(id: string): CachedEndpoint {
  return { id, pausedUntilMs: 0 } as unknown as CachedEndpoint;
}

function leasedEvent(accountId: string | null = null, leaseEndsMs = Number.POSITIVE_INFINITY): LeasedEvent {
  const stored = { body: new Uint8Array(), traceparent: null };
  const matched = { type: 't', subject: 's', accountId, onlyEndpointId: null, createdAt: new Date() };
  return { id: 'e', ...matched, stored, hasRows: false, leaseEndsMs };
}

function event(accountId: string | null = null, leaseEndsMs?: number): EventProgress {
  return new EventProgress(leasedEvent(accountId, leaseEndsMs));
}

/** Queues whose attempts end when the test ends them. */
function createQueues() {
  const slots = new Slots(SLOTS, 2_000);
  const withBacklog = new Set<string>();
  const withOldBacklog = new Set<string>();
  const known = new Map<string, CachedEndpoint>();
  const running: { first: NewDelivery; end(): void }[] = [];
  const rows: NewDelivery[] = [];
  const dropped: NewDelivery[] = [];
  const relay = { limit: LIMIT, isLive: true };
  const queues = new EndpointQueues({
    slots,
    cache: { get: (id: string) => known.get(id) } as unknown as EndpointCache,
    backlogs: {
      has: (id: string) => withBacklog.has(id) || withOldBacklog.has(id),
      isOld: (id: string) => withOldBacklog.has(id),
    } as unknown as EndpointBacklogs,
    limitOf: () => relay.limit,
    mayStart: () => relay.isLive,
  });
  const take = (first: NewDelivery, exit: QueueExit) => {
    if (exit === 'row') rows.push(first);
    else if (exit === 'lease-ended') dropped.push(first);
    else {
      const end = () => {
        const nowMs = performance.now();
        exit.release(nowMs);
        queues.noteEnd(first.endpointId, nowMs - exit.startMs);
        queues.wake(first.endpointId, nowMs);
      };
      first.startedAtMs = exit.startMs;
      running.push({ first, end });
    }
  };
  /** @param isProven the endpoint has answered promptly before */
  const place = (
    endpointId: string,
    progress: EventProgress = event(),
    queuedAtMs = performance.now(),
    isProven = false,
  ) => {
    if (isProven) slots.take(endpointId, queuedAtMs)(queuedAtMs);
    const target = known.get(endpointId) ?? endpoint(endpointId);
    known.set(endpointId, target);
    const first: NewDelivery = {
      progress,
      endpointId,
      deliveryId: '',
      queuedAtMs,
      startedAtMs: null,
      row: null,
    };
    const queued = queues.enter(first, target);
    if (queued === null) rows.push(first);
    else void queued.then((exit) => take(first, exit));
    queues.pump();
    return first;
  };
  return { queues, withBacklog, withOldBacklog, known, running, rows, dropped, relay, place };
}

function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The queues start attempts in a turn of their own. */
async function nextTurn(): Promise<void> {
  await oneTurn();
  await oneTurn();
}

test('endpoints take turns, and a new endpoint has two attempts in flight', async () => {
  const { queues, running, place } = createQueues();
  for (let count = 0; count < 5; count += 1) place('a');
  place('b');
  await eventually('three run', async () => running.length === 3);
  expect(running.map(({ first }) => first.endpointId).toSorted()).toEqual(['a', 'a', 'b']);
  expect(queues.size).toBe(3);
  expect(running.every(({ first }) => first.startedAtMs !== null)).toBe(true);
  running[0]?.end();
  await eventually('more run', async () => running.length > 3);
});

test('many attempts start over several turns of the event loop, so that no turn takes long', async () => {
  const { running, place } = createQueues();
  for (let count = 0; count < 40; count += 1) place(`e${count}`);
  await oneTurn();
  expect(running).toHaveLength(STARTS_PER_TURN);
  await oneTurn();
  expect(running).toHaveLength(40);
});

test('first attempts leave an eighth of the slots to retries', async () => {
  const { running, place } = createQueues();
  for (let count = 0; count < SLOTS; count += 1) place(`e${count}`, event(), performance.now(), true);
  await eventually('all that may run do', async () => running.length === (SLOTS * 7) / 8);
  await nextTurn();
  expect(running).toHaveLength((SLOTS * 7) / 8);
});

test('a relay that may start nothing, or has no place at the endpoint, gives the delivery a row', () => {
  const { queues, rows, relay, place } = createQueues();
  relay.isLive = false;
  const first = place('a');
  relay.isLive = true;
  relay.limit = 0;
  expect([first, place('a')]).toEqual(rows);
  expect(queues.size).toBe(0);
});

test('account events go first', async () => {
  const { running, place } = createQueues();
  place('public');
  place('owned', event('account'));
  await eventually('both run', async () => running.length === 2);
  expect(running.map(({ first }) => first.endpointId)).toEqual(['owned', 'public']);
});

test('an endpoint with an old backlog, or a paused one, gets rows', () => {
  const { queues, withOldBacklog, known, rows, place } = createQueues();
  withOldBacklog.add('late');
  known.set('paused', { ...endpoint('paused'), pausedUntilMs: Number.POSITIVE_INFINITY });
  expect([place('late'), place('paused')]).toEqual(rows);
  expect(queues.size).toBe(0);
});

test('an endpoint with a backlog of a moment is waited for, and what has a row goes first', async () => {
  const { queues, withBacklog, rows, running, place } = createQueues();
  withBacklog.add('busy');
  const nowMs = performance.now();
  const first = place('busy', event(), nowMs);
  await nextTurn();
  expect([running.length, rows.length]).toEqual([0, 0]);
  // An older delivery, with a row, has ended, and it was the last one.
  withBacklog.delete('busy');
  queues.wake('busy', nowMs);
  await eventually('it runs', async () => running.length === 1);
  expect(running[0]?.first).toBe(first);
});

test('an endpoint that has caught up, or was given up, gets its next delivery at once', async () => {
  const { queues, withBacklog, rows, running, place } = createQueues();
  const nowMs = performance.now();
  withBacklog.add('late').add('lost');
  place('late', event(), nowMs);
  await nextTurn();
  withBacklog.delete('late');
  queues.tick(nowMs + 1);
  await eventually('what waited runs', async () => running.length === 1);
  place('late', event(), nowMs);
  await eventually('and what comes after it', async () => running.length === 2);
  place('lost', event(), nowMs);
  await nextTurn();
  queues.tick(nowMs + 100);
  queues.tick(nowMs + 240);
  await nextTurn();
  queues.tick(nowMs + 260);
  await nextTurn();
  expect(rows.map(({ endpointId }) => endpointId)).toEqual(['lost']);
  withBacklog.delete('lost');
  place('lost', event(), nowMs);
  await eventually('it runs at once', async () => running.length === 3);
});

test('deliveries beyond a quarter of a second of a slow endpoint’s pace get rows', async () => {
  const { queues, running, rows, place } = createQueues();
  place('slow');
  await eventually('it runs', async () => running.length === 1);
  for (let count = 0; count < 100; count += 1) queues.noteEnd('slow', 250);
  for (let count = 0; count < 10; count += 1) place('slow');
  expect(rows.length).toBe(10 - LIMIT);
});

test('a queue that stands still gives its deliveries to the claims, a fast one does not', async () => {
  const { queues, running, rows, place } = createQueues();
  const nowMs = performance.now();
  for (let count = 0; count < 4; count += 1) {
    place('hangs', event(), nowMs);
    place('works', event(), nowMs);
  }
  await eventually('both are full', async () => running.length === 4);
  queues.wake('works', nowMs + 200);
  // It waits again: an attempt of another kind has taken its place.
  await nextTurn();
  queues.tick(nowMs + 300);
  await nextTurn();
  expect(rows.map(({ endpointId }) => endpointId)).toEqual(['hangs', 'hangs']);
});

test('a queue whose first delivery has waited for two seconds is given up, though its endpoint answers', async () => {
  const { queues, running, rows, place } = createQueues();
  const nowMs = performance.now();
  for (let count = 0; count < 3; count += 1) place('slow', event(), nowMs);
  await eventually('it is full', async () => running.length === 2);
  for (const ms of [1_880, 1_990]) {
    queues.wake('slow', nowMs + ms - 1);
    await nextTurn();
    queues.tick(nowMs + ms);
    await nextTurn();
  }
  expect(rows).toEqual([]);
  queues.tick(nowMs + 2_010);
  await nextTurn();
  expect(rows).toHaveLength(1);
});

test('when the process itself stood still, no queue is given up for it', async () => {
  const { queues, running, rows, place } = createQueues();
  const nowMs = performance.now();
  for (let count = 0; count < 4; count += 1) place('a', event(), nowMs);
  await eventually('it is full', async () => running.length === 2);
  for (const ms of [50, 1_000]) {
    queues.tick(nowMs + ms);
    await nextTurn();
  }
  expect(rows).toEqual([]);
  queues.tick(nowMs + 1_050);
  await nextTurn();
  expect(rows.length).toBe(2);
});

test('an endpoint that was switched off while its deliveries waited is sent nothing', async () => {
  const { known, running, rows, place } = createQueues();
  const first = place('off');
  known.delete('off');
  await eventually('it got a row', async () => rows.length === 1);
  expect(rows).toEqual([first]);
  expect(running).toEqual([]);
});

test('an endpoint that was paused, or got an old backlog, while its deliveries waited is sent nothing', async () => {
  const { known, withOldBacklog, running, rows, place } = createQueues();
  const waiting = [place('paused'), place('late')];
  known.set('paused', { ...endpoint('paused'), pausedUntilMs: Number.POSITIVE_INFINITY });
  withOldBacklog.add('late');
  await eventually('both got rows', async () => rows.length === 2);
  expect(rows).toEqual(waiting);
  expect(running).toEqual([]);
});

test('a relay that is no longer a member starts no waiting delivery, and goes on when it is a member again', async () => {
  const { queues, running, relay, place } = createQueues();
  const first = place('a');
  relay.isLive = false;
  await nextTurn();
  expect([running.length, queues.size]).toEqual([0, 1]);
  relay.isLive = true;
  queues.pump();
  await eventually('it runs', async () => running.length === 1);
  expect(running[0]?.first).toBe(first);
});

test('an event whose lease is over is not sent: another relay may have it', async () => {
  const { running, dropped, place } = createQueues();
  const over = place('a', event(null, performance.now() - 1));
  const next = place('a');
  await eventually('the next one runs', async () => running.length === 1);
  expect(dropped).toEqual([over]);
  expect(running[0]?.first).toBe(next);
});

test('when there are many endpoints, exactly those without deliveries are forgotten', async () => {
  const { queues, withBacklog, running, rows, relay, place } = createQueues();
  place('slow');
  for (let count = 0; count < 100; count += 1) queues.noteEnd('slow', 250);
  queues.leaveAllToClaims();
  await nextTurn();
  withBacklog.add('busy');
  const waiting = place('busy');
  relay.limit = 0;
  for (let count = 0; count < QUEUES_MAX; count += 1) place(`e${count}`);
  relay.limit = LIMIT;
  rows.splice(0);
  queues.tick(performance.now());
  await nextTurn();
  // Nothing is known of it any more: it takes more than its limit.
  for (let count = 0; count < 2 * LIMIT; count += 1) place('slow');
  expect(rows).toEqual([]);
  withBacklog.delete('busy');
  queues.wake('busy', performance.now());
  await eventually('what waited runs', async () => running.some(({ first }) => first === waiting));
});

test('there is no room while many deliveries wait; account events have more room', () => {
  const { queues, place } = createQueues();
  expect([queues.hasRoom('public'), queues.hasRoom('account')]).toEqual([true, true]);
  for (let count = 0; count < 300; count += 1) place('fast');
  expect([queues.hasRoom('public'), queues.hasRoom('account')]).toEqual([false, true]);
  queues.leaveAllToClaims();
  expect([queues.hasRoom('public'), queues.hasRoom('account')]).toEqual([true, true]);
});

test('there is no room while many deliveries wait over all endpoints, though few for each', () => {
  const { queues, place } = createQueues();
  const placeUntil = (count: number) => {
    while (queues.size < count) place(`e${queues.size >> 7}`);
  };
  placeUntil(4_095);
  expect([queues.hasRoom('public'), queues.hasRoom('account')]).toEqual([true, true]);
  placeUntil(4_096);
  expect([queues.hasRoom('public'), queues.hasRoom('account')]).toEqual([false, true]);
  placeUntil(16_384);
  expect(queues.hasRoom('account')).toBe(false);
});

test('an event that is left to its lease is renewed no longer', async () => {
  const events = new EventsInProgress({
    sql: undefined as unknown as Database,
    hasRoom: () => true,
    log: createLogger('test', 'silent'),
  });
  const [left, kept] = events.add([leasedEvent(), leasedEvent()]);
  if (left === undefined) throw new Error('nothing was added');
  events.abandon(left);
  expect(await left.done).toBe(false);
  expect(events.size).toBe(1);
  events.renew(events.ids(), 1);
  expect([left.leaseEndsMs, kept?.leaseEndsMs]).toEqual([Number.POSITIVE_INFINITY, 1]);
});

test('the source of events waits exactly while its audience has no room', async () => {
  const room = { public: false, account: true };
  const placed: EventProgress[] = [];
  const events = new EventsInProgress({
    sql: undefined as unknown as Database,
    hasRoom: (audience) => room[audience],
    log: createLogger('test', 'silent'),
  });
  const placeSome = () => placed.push(...events.admitted());
  expect(events.isAwaited).toBe(false);
  await events.room('account');
  expect(events.isAwaited).toBe(false);
  const admitted: string[] = [];
  void events.room('public').then(() => admitted.push('public'));
  const [waits, goes] = events.add([leasedEvent(), leasedEvent('account')]);
  placeSome();
  await nextTurn();
  expect<unknown[]>([placed, admitted, events.isAwaited]).toEqual([[goes], [], true]);
  room.public = true;
  // Earlier events go first.
  void events.room('public').then(() => admitted.push('public too'));
  await nextTurn();
  expect(admitted).toEqual([]);
  placeSome();
  await nextTurn();
  expect<unknown[]>([placed, admitted, events.isAwaited]).toEqual([
    [goes, waits],
    ['public', 'public too'],
    false,
  ]);
  [room.public, room.account] = [false, false];
  void events.room('public').then(() => admitted.push('at the end'));
  events.add([leasedEvent()]);
  events.admitAll();
  placeSome();
  await nextTurn();
  expect([placed.length, admitted, events.isAwaited]).toEqual([
    3,
    ['public', 'public too', 'at the end'],
    false,
  ]);
});
