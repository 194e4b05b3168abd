import { expect, test } from 'bun:test';
import { Slots } from '../../relay/endpoints/slots.ts';
import type { Claim } from '../../relay/model/claim.ts';
import { ClaimWindows } from '../../relay/retry/claim-windows.ts';

const LIMIT = 4;
const STALL_MS = 2_000;
/** Deliveries that an endpoint with responses in 2 ms takes in a quarter of a second. */
const IN_WINDOW = 500;
const event = { body: new Uint8Array(), traceparent: null };

function claimOf(endpointId: string, deliveryId: string): { claim: Claim; event: typeof event } {
  const claim = { deliveryId, startedAt: new Date(0), queuedMs: 5, endpoint: { id: endpointId } };
  return { claim: claim as unknown as Claim, event };
}

/** Windows whose attempts end when the test ends them. */
function createWindows() {
  const slots = new Slots(64, STALL_MS, () => LIMIT);
  const running: { claim: Claim; end(): void }[] = [];
  const returned: string[] = [];
  const paused = new Set<string>();
  let isLive = true;
  const windows = new ClaimWindows({
    slots,
    limitOf: () => LIMIT,
    mayStart: () => isLive,
    isPaused: (endpointId) => paused.has(endpointId),
    start(claim, _event, release) {
      const end = () => {
        release(performance.now());
        windows.noteEnd(claim.endpoint.id, 1);
        windows.pump(claim.endpoint.id);
      };
      running.push({ claim, end });
    },
    giveBack(claims) {
      // Each call is a statement.
      expect(claims.length).toBeGreaterThan(0);
      returned.push(...claims.map(({ deliveryId }) => deliveryId));
    },
  });
  const prove = (endpointId: string) => slots.take(endpointId, performance.now())(performance.now());
  return { windows, running, returned, paused, prove, setLive: (value: boolean) => (isLive = value) };
}

const many = (endpointId: string, count: number) =>
  Array.from({ length: count }, (_, at) => claimOf(endpointId, `${endpointId}${at}`));
const ids = (running: readonly { claim: Claim }[]) => running.map(({ claim }) => claim.deliveryId);

test('an unknown endpoint has no more claims than slots, a prompt one a window of claims', () => {
  const { windows, prove } = createWindows();
  expect(windows.room('new')).toBe(2);
  windows.add([claimOf('new', 'a'), claimOf('new', 'b')], performance.now());
  expect([windows.room('new'), windows.fullEndpointIds(), windows.size]).toEqual([0, ['new'], 0]);
  prove('prompt');
  expect(windows.room('prompt')).toBe(IN_WINDOW);
});

test('a window is filled up when half of it is left, and shrinks with an endpoint that becomes slow', () => {
  const { windows, prove } = createWindows();
  prove('prompt');
  const claims = Array.from({ length: 400 }, (_, at) => claimOf('prompt', String(at)));
  windows.add(claims, performance.now());
  expect([windows.size, windows.room('prompt'), windows.fullEndpointIds()]).toEqual([396, 0, ['prompt']]);
  windows.withdraw('prompt');
  windows.add(claims.slice(0, 100), performance.now());
  expect(windows.room('prompt')).toBe(IN_WINDOW - 100);
  windows.withdraw('prompt');
  for (let count = 0; count < 100; count += 1) windows.noteEnd('prompt', 500);
  // In a quarter of a second it takes half of what it has in flight.
  expect(windows.room('prompt')).toBe(LIMIT / 2);
});

test('waiting claims are bounded, for one endpoint however fast it is, and over all', () => {
  const { windows, prove, setLive } = createWindows();
  for (const id of ['fast', 'slow']) prove(id);
  for (let count = 0; count < 40_000; count += 1) windows.noteEnd('fast', 0.1);
  expect(windows.room('fast')).toBe(512);
  for (let count = 0; count < 100; count += 1) windows.noteEnd('slow', 500);
  // Its free slots are claimed for all the same.
  expect(windows.room('slow')).toBe(LIMIT);
  setLive(false);
  windows.add(many('a', 512), performance.now());
  windows.add(many('b', 511), performance.now());
  expect(windows.hasRoom).toBe(true);
  windows.add(many('c', 1), performance.now());
  expect(windows.hasRoom).toBe(false);
});

test('a relay that is no member starts no claim, keeps its waiting claims, and goes on when it is a member again', () => {
  const { windows, running, returned, setLive } = createWindows();
  setLive(false);
  windows.add(many('a', 1), performance.now());
  expect([windows.room('a'), windows.fullEndpointIds()]).toEqual([1, []]);
  windows.add(many('b', 2), performance.now());
  windows.tick(performance.now());
  expect([running, returned, windows.fullEndpointIds(), windows.size]).toEqual([[], [], ['b'], 3]);
  setLive(true);
  windows.tick(performance.now());
  expect([ids(running), windows.size]).toEqual([['a0', 'b0', 'b1'], 0]);
});

test('when there are many endpoints, exactly those without waiting claims are forgotten', () => {
  const { windows, prove, running } = createWindows();
  for (const id of ['slow', 'waits']) prove(id);
  for (let count = 0; count < 100; count += 1) windows.noteEnd('slow', 500);
  windows.add(many('waits', LIMIT + 1), performance.now());
  for (let count = 0; count < 20_000; count += 1) windows.noteEnd(`e${count}`, 1);
  windows.tick(performance.now());
  expect([windows.room('slow'), windows.size]).toEqual([IN_WINDOW, 1]);
  running[0]?.end();
  expect(ids(running)).toHaveLength(LIMIT + 1);
});

test('claims start in their order up to the limit, each with the time of its start', async () => {
  const { windows, running, prove } = createWindows();
  prove('a');
  windows.add(
    ['1', '2', '3', '4', '5', '6'].map((id) => claimOf('a', id)),
    performance.now() - 100,
  );
  expect([ids(running), windows.has('a')]).toEqual([['1', '2', '3', '4'], true]);
  running[1]?.end();
  running[0]?.end();
  expect([ids(running), windows.has('a')]).toEqual([['1', '2', '3', '4', '5', '6'], false]);
  const [first] = running;
  expect(first?.claim.queuedMs).toBeGreaterThanOrEqual(105);
  expect(first?.claim.startedAt.getTime()).toBe((first?.claim.queuedMs ?? 0) - 5);
});

test('claims that have waited for a second are given back with all after them; a queue that moves keeps its claims', () => {
  const { windows, returned, prove } = createWindows();
  const nowMs = performance.now();
  for (const id of ['hangs', 'works']) prove(id);
  windows.add(
    Array.from({ length: 6 }, (_, at) => claimOf('hangs', `h${at}`)),
    nowMs - 900,
  );
  windows.add(
    Array.from({ length: 6 }, (_, at) => claimOf('works', `w${at}`)),
    nowMs,
  );
  windows.tick(nowMs);
  expect(returned).toEqual([]);
  windows.tick(nowMs + 150);
  expect([returned, windows.size, windows.has('hangs')]).toEqual([['h4', 'h5'], 2, false]);
});

test('a claim that is too old for its lease is not started, whoever held it up', () => {
  const { windows, running, returned, setLive } = createWindows();
  setLive(false);
  windows.add([claimOf('a', '1'), claimOf('a', '2')], performance.now() - 2_500);
  setLive(true);
  windows.pump('a');
  expect([running, returned]).toEqual([[], ['1', '2']]);
});

test('an endpoint that a response has paused is claimed nothing and sent nothing', () => {
  const { windows, running, returned, paused } = createWindows();
  paused.add('a');
  expect(windows.room('a')).toBe(0);
  windows.add([claimOf('a', '1')], performance.now());
  expect([running, returned, windows.size]).toEqual([[], ['1'], 0]);
});

test('at the end everything that waits is given back', () => {
  const { windows, running, returned } = createWindows();
  windows.add(
    ['1', '2', '3'].map((id) => claimOf('a', id)),
    performance.now(),
  );
  windows.withdrawAll();
  windows.withdraw('a');
  expect([ids(running), returned, windows.size]).toEqual([['1', '2'], ['3'], 0]);
});
