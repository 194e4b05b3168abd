import { expect, test } from 'bun:test';
import type { BehindEndpoints } from '../../relay/endpoints/behind-endpoints.ts';
import type { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import type { CachedEndpoint } from '../../relay/endpoints/read-endpoints.ts';
import { Slots } from '../../relay/endpoints/slots.ts';
import { type FirstAttempt, HeldEvent } from '../../relay/first-attempts/held-event.ts';
import { Intake } from '../../relay/first-attempts/intake.ts';
import type { Turn } from '../../relay/first-attempts/lane.ts';
import { Lanes } from '../../relay/first-attempts/lanes.ts';
import { eventually } from '../support/run/eventually.ts';

const LIMIT = 4;
const SLOTS = 64;
const STARTS_PER_TURN = 32;
const LANES_MAX = 20_000;

function endpoint(id: string): CachedEndpoint {
  return { id, pausedUntilMs: 0 } as unknown as CachedEndpoint;
}

function event(accountId: string | null = null, leaseEndsMs = Number.POSITIVE_INFINITY): HeldEvent {
  const stored = { body: new Uint8Array(), traceparent: null };
  const leased = { id: 'e', type: 't', subject: 's', accountId, onlyEndpointId: null, createdAt: new Date() };
  return new HeldEvent({ ...leased, stored, leaseEndsMs });
}

/** Lanes whose attempts end when the test ends them. */
function createLanes() {
  const slots = new Slots(SLOTS, 2_000);
  const behind = new Set<string>();
  const longBehind = new Set<string>();
  const known = new Map<string, CachedEndpoint>();
  const running: { first: FirstAttempt; end(): void }[] = [];
  const rows: FirstAttempt[] = [];
  const dropped: FirstAttempt[] = [];
  const relay = { limit: LIMIT, isLive: true };
  const lanes = new Lanes({
    slots,
    cache: { get: (id: string) => known.get(id) } as unknown as EndpointCache,
    behind: {
      has: (id: string) => behind.has(id) || longBehind.has(id),
      hasLong: (id: string) => longBehind.has(id),
    } as unknown as BehindEndpoints,
    limitOf: () => relay.limit,
    mayStart: () => relay.isLive,
  });
  const take = (first: FirstAttempt, turn: Turn) => {
    if (turn === 'row') rows.push(first);
    else if (turn === 'lease-over') dropped.push(first);
    else {
      const end = () => {
        const nowMs = performance.now();
        turn.release(nowMs);
        lanes.noteEnd(first.endpointId, nowMs - turn.startMs);
        lanes.wake(first.endpointId, nowMs);
      };
      first.startedAtMs = turn.startMs;
      running.push({ first, end });
    }
  };
  /** @param isProven the endpoint has answered promptly before */
  const place = (
    endpointId: string,
    of: HeldEvent = event(),
    queuedAtMs = performance.now(),
    isProven = false,
  ) => {
    if (isProven) slots.take(endpointId, queuedAtMs)(queuedAtMs);
    const target = known.get(endpointId) ?? endpoint(endpointId);
    known.set(endpointId, target);
    const first: FirstAttempt = {
      event: of,
      endpointId,
      deliveryId: '',
      queuedAtMs,
      startedAtMs: null,
      row: null,
    };
    const turn = lanes.turn(first, target);
    if (turn === null) rows.push(first);
    else void turn.then((its) => take(first, its));
    lanes.pump();
    return first;
  };
  return { lanes, behind, longBehind, known, running, rows, dropped, relay, place };
}

function oneTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The lanes start attempts in a turn of their own. */
async function nextTurn(): Promise<void> {
  await oneTurn();
  await oneTurn();
}

test('endpoints take turns, and a new endpoint has two attempts in flight', async () => {
  const { lanes, running, place } = createLanes();
  for (let count = 0; count < 5; count += 1) place('a');
  place('b');
  await eventually('three run', async () => running.length === 3);
  expect(running.map(({ first }) => first.endpointId).toSorted()).toEqual(['a', 'a', 'b']);
  expect(lanes.queued).toBe(3);
  expect(running.every(({ first }) => first.startedAtMs !== null)).toBe(true);
  running[0]?.end();
  await eventually('more run', async () => running.length > 3);
});

test('many attempts start over several turns of the event loop, so that no turn takes long', async () => {
  const { running, place } = createLanes();
  for (let count = 0; count < 40; count += 1) place(`e${count}`);
  await oneTurn();
  expect(running).toHaveLength(STARTS_PER_TURN);
  await oneTurn();
  expect(running).toHaveLength(40);
});

test('first attempts leave an eighth of the slots to retries', async () => {
  const { running, place } = createLanes();
  for (let count = 0; count < SLOTS; count += 1) place(`e${count}`, event(), performance.now(), true);
  await eventually('all that may run do', async () => running.length === (SLOTS * 7) / 8);
  await nextTurn();
  expect(running).toHaveLength((SLOTS * 7) / 8);
});

test('a relay that may start nothing, or has no place at the endpoint, gives the delivery a row', () => {
  const { lanes, rows, relay, place } = createLanes();
  relay.isLive = false;
  const first = place('a');
  relay.isLive = true;
  relay.limit = 0;
  expect([first, place('a')]).toEqual(rows);
  expect(lanes.queued).toBe(0);
});

test('account events go first', async () => {
  const { running, place } = createLanes();
  place('public');
  place('owned', event('account'));
  await eventually('both run', async () => running.length === 2);
  expect(running.map(({ first }) => first.endpointId)).toEqual(['owned', 'public']);
});

test('an endpoint that is behind or paused gets rows', () => {
  const { lanes, longBehind, known, rows, place } = createLanes();
  longBehind.add('behind');
  known.set('paused', { ...endpoint('paused'), pausedUntilMs: Number.POSITIVE_INFINITY });
  expect([place('behind'), place('paused')]).toEqual(rows);
  expect(lanes.queued).toBe(0);
});

test('an endpoint that is behind for a moment is waited for, and what has a row goes first', async () => {
  const { lanes, behind, rows, running, place } = createLanes();
  behind.add('busy');
  const nowMs = performance.now();
  const first = place('busy', event(), nowMs);
  await nextTurn();
  expect([running.length, rows.length]).toEqual([0, 0]);
  // An older delivery, with a row, has ended, and it was the last one.
  behind.delete('busy');
  lanes.wake('busy', nowMs);
  await eventually('it runs', async () => running.length === 1);
  expect(running[0]?.first).toBe(first);
});

test('an endpoint that has caught up, or was given up, gets its next delivery at once', async () => {
  const { lanes, behind, rows, running, place } = createLanes();
  const nowMs = performance.now();
  behind.add('late').add('lost');
  place('late', event(), nowMs);
  await nextTurn();
  behind.delete('late');
  lanes.tick(nowMs + 1);
  await eventually('what waited runs', async () => running.length === 1);
  place('late', event(), nowMs);
  await eventually('and what comes after it', async () => running.length === 2);
  place('lost', event(), nowMs);
  await nextTurn();
  lanes.tick(nowMs + 100);
  lanes.tick(nowMs + 240);
  await nextTurn();
  lanes.tick(nowMs + 260);
  await nextTurn();
  expect(rows.map(({ endpointId }) => endpointId)).toEqual(['lost']);
  behind.delete('lost');
  place('lost', event(), nowMs);
  await eventually('it runs at once', async () => running.length === 3);
});

test('deliveries beyond a quarter of a second of a slow endpoint’s pace get rows', async () => {
  const { lanes, running, rows, place } = createLanes();
  place('slow');
  await eventually('it runs', async () => running.length === 1);
  for (let count = 0; count < 100; count += 1) lanes.noteEnd('slow', 250);
  for (let count = 0; count < 10; count += 1) place('slow');
  expect(rows.length).toBe(10 - LIMIT);
});

test('a lane that stands still gives its deliveries to the claims, a fast one does not', async () => {
  const { lanes, running, rows, place } = createLanes();
  const nowMs = performance.now();
  for (let count = 0; count < 4; count += 1) {
    place('hangs', event(), nowMs);
    place('works', event(), nowMs);
  }
  await eventually('both are full', async () => running.length === 4);
  lanes.wake('works', nowMs + 200);
  // It waits again: an attempt of another kind has taken its place.
  await nextTurn();
  lanes.tick(nowMs + 300);
  await nextTurn();
  expect(rows.map(({ endpointId }) => endpointId)).toEqual(['hangs', 'hangs']);
});

test('a lane whose first delivery has waited for two seconds is given up, though its endpoint answers', async () => {
  const { lanes, running, rows, place } = createLanes();
  const nowMs = performance.now();
  for (let count = 0; count < 3; count += 1) place('slow', event(), nowMs);
  await eventually('it is full', async () => running.length === 2);
  for (const ms of [1_880, 1_990]) {
    lanes.wake('slow', nowMs + ms - 1);
    await nextTurn();
    lanes.tick(nowMs + ms);
    await nextTurn();
  }
  expect(rows).toEqual([]);
  lanes.tick(nowMs + 2_010);
  await nextTurn();
  expect(rows).toHaveLength(1);
});

test('when the process itself stood still, no lane is given up for it', async () => {
  const { lanes, running, rows, place } = createLanes();
  const nowMs = performance.now();
  for (let count = 0; count < 4; count += 1) place('a', event(), nowMs);
  await eventually('it is full', async () => running.length === 2);
  for (const ms of [50, 1_000]) {
    lanes.tick(nowMs + ms);
    await nextTurn();
  }
  expect(rows).toEqual([]);
  lanes.tick(nowMs + 1_050);
  await nextTurn();
  expect(rows.length).toBe(2);
});

test('an endpoint that was switched off while its deliveries waited is sent nothing', async () => {
  const { known, running, rows, place } = createLanes();
  const first = place('off');
  known.delete('off');
  await eventually('it got a row', async () => rows.length === 1);
  expect(rows).toEqual([first]);
  expect(running).toEqual([]);
});

test('an endpoint that was paused, or fell far behind, while its deliveries waited is sent nothing', async () => {
  const { known, longBehind, running, rows, place } = createLanes();
  const waiting = [place('paused'), place('behind')];
  known.set('paused', { ...endpoint('paused'), pausedUntilMs: Number.POSITIVE_INFINITY });
  longBehind.add('behind');
  await eventually('both got rows', async () => rows.length === 2);
  expect(rows).toEqual(waiting);
  expect(running).toEqual([]);
});

test('a relay that is no longer a member starts no waiting delivery, and goes on when it is a member again', async () => {
  const { lanes, running, relay, place } = createLanes();
  const first = place('a');
  relay.isLive = false;
  await nextTurn();
  expect([running.length, lanes.queued]).toEqual([0, 1]);
  relay.isLive = true;
  lanes.pump();
  await eventually('it runs', async () => running.length === 1);
  expect(running[0]?.first).toBe(first);
});

test('an event whose lease is over is not sent: another relay may have it', async () => {
  const { running, dropped, place } = createLanes();
  const over = place('a', event(null, performance.now() - 1));
  const next = place('a');
  await eventually('the next one runs', async () => running.length === 1);
  expect(dropped).toEqual([over]);
  expect(running[0]?.first).toBe(next);
});

test('when there are many endpoints, exactly those without deliveries are forgotten', async () => {
  const { lanes, behind, running, rows, relay, place } = createLanes();
  place('slow');
  for (let count = 0; count < 100; count += 1) lanes.noteEnd('slow', 250);
  lanes.giveUpAll();
  await nextTurn();
  behind.add('busy');
  const waiting = place('busy');
  relay.limit = 0;
  for (let count = 0; count < LANES_MAX; count += 1) place(`e${count}`);
  relay.limit = LIMIT;
  rows.splice(0);
  lanes.tick(performance.now());
  await nextTurn();
  // Nothing is known of it any more: it takes more than its limit.
  for (let count = 0; count < 2 * LIMIT; count += 1) place('slow');
  expect(rows).toEqual([]);
  behind.delete('busy');
  lanes.wake('busy', performance.now());
  await eventually('what waited runs', async () => running.some(({ first }) => first === waiting));
});

test('there is no room while many deliveries wait; account events have more room', () => {
  const { lanes, place } = createLanes();
  expect([lanes.hasRoom('public'), lanes.hasRoom('account')]).toEqual([true, true]);
  for (let count = 0; count < 300; count += 1) place('fast');
  expect([lanes.hasRoom('public'), lanes.hasRoom('account')]).toEqual([false, true]);
  lanes.giveUpAll();
  expect([lanes.hasRoom('public'), lanes.hasRoom('account')]).toEqual([true, true]);
});

test('there is no room while many deliveries wait over all endpoints, though few for each', () => {
  const { lanes, place } = createLanes();
  const placeUntil = (count: number) => {
    while (lanes.queued < count) place(`e${lanes.queued >> 7}`);
  };
  placeUntil(4_095);
  expect([lanes.hasRoom('public'), lanes.hasRoom('account')]).toEqual([true, true]);
  placeUntil(4_096);
  expect([lanes.hasRoom('public'), lanes.hasRoom('account')]).toEqual([false, true]);
  placeUntil(16_384);
  expect(lanes.hasRoom('account')).toBe(false);
});

test('the source of events waits exactly while its audience has no room', async () => {
  const room = { public: false, account: true };
  const placed: HeldEvent[] = [];
  const intake = new Intake((audience) => room[audience]);
  const placeSome = () => placed.push(...intake.admitted());
  expect(intake.isAwaited).toBe(false);
  await intake.room('account');
  expect(intake.isAwaited).toBe(false);
  const admitted: string[] = [];
  void intake.room('public').then(() => admitted.push('public'));
  const [waits, goes] = [event(), event('account')];
  intake.add([waits, goes]);
  placeSome();
  await nextTurn();
  expect([placed, admitted, intake.isAwaited]).toEqual([[goes], [], true]);
  room.public = true;
  // Earlier events go first.
  void intake.room('public').then(() => admitted.push('public too'));
  await nextTurn();
  expect(admitted).toEqual([]);
  placeSome();
  await nextTurn();
  expect([placed, admitted, intake.isAwaited]).toEqual([[goes, waits], ['public', 'public too'], false]);
  [room.public, room.account] = [false, false];
  void intake.room('public').then(() => admitted.push('at the end'));
  intake.add([event()]);
  intake.open();
  placeSome();
  await nextTurn();
  expect([placed.length, admitted, intake.isAwaited]).toEqual([
    3,
    ['public', 'public too', 'at the end'],
    false,
  ]);
});
