import { describe, expect, test } from 'bun:test';
import type { ReadOutcome } from '../../src/indexer/pool-history/pool-reader.ts';
import { WalkQueue } from '../../src/indexer/pool-history/walk-queue.ts';
import { newPolledPool } from '../support/pools/new-polled-pool.ts';

const MINUTE_MS = 60_000;
/** A pool is no longer covered this long after the last of its sweeps, which run every two seconds. */
const COVERED_MS = 16_000;

/** A pool whose reader ends each step as the test says. */
class ToldPool {
  readonly reader = {
    isWalking: false,
    cursorSlot: null as bigint | null,
    outcome: 'idle' as ReadOutcome,
    /** The slot that the node of the last step had to have reached. */
    atLeastSlot: 0n,
    step: async (atLeastSlot?: bigint) => {
      this.reader.atLeastSlot = atLeastSlot ?? 0n;
      return this.reader.outcome;
    },
  };
  readonly polled = newPolledPool(this.reader);

  constructor() {
    this.polled.sweepEveryMs = 2_000;
  }

  sweep(nowMs: number, slot = 1n): void {
    this.polled.observe({ slot, hash: 'same', isExact: false }, nowMs);
  }

  /** When it is due after a step, from then on. */
  async pauseAfter(outcome: ReadOutcome, nowMs: number, poolCount = 1): Promise<number> {
    this.reader.outcome = outcome;
    await this.polled.step(poolCount, () => nowMs);
    return this.polled.dueAtMs - nowMs;
  }
}

describe('a pool that sweeps see', () => {
  test('counts as covered for a while after the last of them, and is walked when that is over', () => {
    const { polled } = new ToldPool();
    polled.dueAtMs = MINUTE_MS;
    expect([polled.isCovered(0), polled.walkAtMs(0)]).toEqual([false, MINUTE_MS]);
    polled.observe({ slot: 1n, hash: 'same', isExact: false }, 1_000);
    polled.dueAtMs = 5 * MINUTE_MS;
    const lostAtMs = 1_000 + COVERED_MS;
    expect([polled.isCovered(lostAtMs - 1), polled.walkAtMs(lostAtMs - 1)]).toEqual([true, 5 * MINUTE_MS]);
    expect([polled.isCovered(lostAtMs), polled.walkAtMs(lostAtMs)]).toEqual([false, lostAtMs]);
    polled.dueAtMs = 2_000;
    expect(polled.walkAtMs(lostAtMs)).toBe(2_000);
  });

  test('is not covered by a wake-up, which says nothing of what comes next', () => {
    const { polled } = new ToldPool();
    polled.observe({ slot: 1n, hash: 'same', isExact: true }, 1_000);
    expect(polled.isCovered(1_000)).toBe(false);
  });

  test('is walked again soon after news, and then every quarter of an hour, or less often among very many', async () => {
    const pool = new ToldPool();
    pool.sweep(10_000);
    // The state that the sweep saw is not proven to be read.
    expect(await pool.pauseAfter('more', 10_000)).toBe(0);
    // A walk that began within two seconds after the news may have come too early for the node.
    expect(await pool.pauseAfter('idle', 11_999)).toBe(3_000);
    expect(await pool.pauseAfter('idle', 12_000)).toBe(15 * MINUTE_MS);
    expect(await pool.pauseAfter('idle', 13_000, 3_600)).toBe(15 * MINUTE_MS);
    expect(await pool.pauseAfter('idle', 14_000, 4_000)).toBe(4_000 * 250);
    pool.polled.observe({ slot: 5n, hash: 'new', isExact: true }, 15_000);
    pool.reader.cursorSlot = 5n;
    expect(await pool.pauseAfter('more', 15_000)).toBe(3_000);
  });

  test('is proven to be read when a walk has found nothing, and again by each sweep that sees the same', async () => {
    const pool = new ToldPool();
    const { polled } = pool;
    expect(await pool.pauseAfter('more', 1_000)).toBe(0);
    expect(polled.provenAtMs).toBeNull();
    await pool.pauseAfter('idle', 2_000);
    expect(polled.provenAtMs).toBe(2_000);
    pool.sweep(3_000);
    expect(polled.provenAtMs).toBe(2_000);
    await pool.pauseAfter('idle', 6_000);
    pool.sweep(7_000, 2n);
    expect(polled.provenAtMs).toBe(7_000);
  });

  test('is quiet after a change when a node that has reached the change lists nothing more of its slot', async () => {
    const pool = new ToldPool();
    const { polled, reader } = pool;
    const sweep = (slot: bigint, nowMs: number) =>
      polled.observe({ slot, hash: 'new', isExact: false }, nowMs);
    polled.observe({ slot: 5n, hash: 'new', isExact: true }, 1_000);
    reader.cursorSlot = 5n;
    await pool.pauseAfter('more', 1_000);
    expect(sweep(6n, 2_000)).toBe('known');
    // A node that lags behind slot 5 says nothing about a second trade in it.
    await pool.pauseAfter('later', 4_000);
    expect(reader.atLeastSlot).toBe(5n);
    expect(sweep(7n, 4_000)).toBe('known');
    await pool.pauseAfter('idle', 5_000);
    expect(reader.atLeastSlot).toBe(5n);
    expect(sweep(8n, 5_000)).toBe('quiet');
    await pool.pauseAfter('idle', 6_000);
    expect(reader.atLeastSlot).toBe(0n);
  });
});

describe('a pool that no sweep covers', () => {
  test('is walked again at once after news, and then after a twentieth of the time it has been quiet', async () => {
    const pool = new ToldPool();
    expect(await pool.pauseAfter('more', 1_000, 1_000)).toBe(0);
    expect(await pool.pauseAfter('idle', 2_000, 1_000)).toBe(500);
    expect(await pool.pauseAfter('idle', 21_000, 1_000)).toBe(1_000);
    expect(await pool.pauseAfter('idle', 1_000 + 290_000, 1_000)).toBe(14_500);
    expect(await pool.pauseAfter('idle', 1_000 + 2 * 300_000, 1_000)).toBe(15_000);
  });

  test('waits less among few: all of them together cost at most fifty requests a second', async () => {
    const pool = new ToldPool();
    expect(await pool.pauseAfter('idle', 60 * MINUTE_MS, 1)).toBe(500);
    expect(await pool.pauseAfter('idle', 120 * MINUTE_MS, 100)).toBe(2_000);
  });
});

describe('a pool that cannot be read', () => {
  test('is tried again later each time, at most five seconds later, and from the beginning after a success', async () => {
    const pool = new ToldPool();
    const pauses: number[] = [];
    for (let count = 0; count < 8; count += 1) pauses.push(await pool.pauseAfter('later', 1_000));
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    pool.reader.isWalking = true;
    expect(await pool.pauseAfter('more', 2_000)).toBe(0);
    expect(pool.polled.priority.setbacks).toBe(0);
    pool.polled.fail(3_000);
    pool.polled.fail(3_000);
    expect([pool.polled.failures, pool.polled.dueAtMs]).toEqual([2, 3_200]);
    await pool.pauseAfter('idle', 4_000);
    expect([pool.polled.failures, pool.polled.priority.setbacks]).toEqual([0, 0]);
  });

  test('waits for its next try although a change has woken it', () => {
    const { polled } = new ToldPool();
    const queue = new WalkQueue(new Map([['pool', polled]]));
    queue.observe(polled, { slot: 9n, hash: 'new', isExact: true }, 0);
    expect(queue.wokenCount).toBe(1);
    polled.fail(1_000);
    expect(queue.take(new Map(), 1_099, 8)).toBeUndefined();
    expect(queue.take(new Map(), 1_100, 8)).toBe(polled);
  });

  test('is not proven to be read until a walk has found the change, and is walked again soon, eight times', async () => {
    const pool = new ToldPool();
    const { polled } = pool;
    polled.observe(polled.stateAfter({ slot: 9n, hash: 'new' }), 0);
    const pauses: number[] = [];
    for (let count = 0; count < 7; count += 1) pauses.push(await pool.pauseAfter('idle', 1_000));
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000]);
    expect([polled.provenAtMs, polled.states.isWalkWanted]).toEqual([null, true]);
    polled.priority.setbacks = 2_000;
    polled.fail(1_000);
    expect(polled.dueAtMs).toBe(6_000);
    await pool.pauseAfter('later', 1_000);
    expect(polled.states.isWalkWanted).toBe(false);
    await pool.pauseAfter('idle', 2_000);
    expect(polled.provenAtMs).toBe(2_000);
  });

  test('is urgent while a request waits for it, until it has cost too much', async () => {
    const pool = new ToldPool();
    const { polled, reader } = pool;
    const { priority } = polled;
    expect(priority.isUrgent).toBe(false);
    polled.observe(polled.stateAfter({ slot: 9n, hash: 'new' }), 1_000);
    expect(priority.isUrgent).toBe(true);
    reader.isWalking = true;
    await pool.pauseAfter('more', 1_000);
    priority.requestCount = 100;
    await pool.pauseAfter('more', 1_000);
    priority.requestCount = 127;
    expect(priority.isUrgent).toBe(true);
    priority.requestCount = 128;
    expect(priority.isUrgent).toBe(false);
    priority.requestCount = 127;
    for (const isUrgent of [true, true, false]) {
      polled.fail(1_000);
      expect(priority.isUrgent).toBe(isUrgent);
    }
    // The cost of a walk is forgotten at its end.
    priority.setbacks = 0;
    priority.requestCount = 1_000;
    reader.isWalking = false;
    await pool.pauseAfter('idle', 1_000);
    expect(priority.isUrgent).toBe(true);
  });
});

test('a change asks for a walk once it is settled, unless one is due earlier or at once, or the pool was never walked', async () => {
  const fresh = new ToldPool();
  fresh.polled.dueAtMs = MINUTE_MS;
  fresh.sweep(1_000);
  expect(fresh.polled.dueAtMs).toBe(MINUTE_MS);

  const pool = new ToldPool();
  const { polled } = pool;
  await pool.pauseAfter('idle', 0);
  polled.dueAtMs = MINUTE_MS;
  pool.sweep(1_000);
  expect(polled.dueAtMs).toBe(3_000);
  polled.dueAtMs = 2_500;
  pool.sweep(1_000, 2n);
  expect(polled.dueAtMs).toBe(2_500);
  await pool.pauseAfter('idle', 3_000);
  polled.dueAtMs = MINUTE_MS;
  expect(polled.observe({ slot: 3n, hash: 'same', isExact: false }, 4_000)).toBe('quiet');
  expect(polled.dueAtMs).toBe(MINUTE_MS);
  // Urgent pools go before due ones.
  expect(polled.observe(polled.stateAfter({ slot: 4n, hash: 'new' }), 4_000)).toBe('changed');
  expect([polled.priority.isUrgent, polled.dueAtMs]).toEqual([true, MINUTE_MS]);
});

test('an added pool is due for reading and for its account at once', () => {
  const { addedAtMs, dueAtMs, sweepAtMs, lastActiveAtMs } = newPolledPool(undefined, undefined, 7);
  expect([addedAtMs, dueAtMs, sweepAtMs, lastActiveAtMs]).toEqual([7, 7, 7, 7]);
});
