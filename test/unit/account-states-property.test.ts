import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AccountState, StateVerdict } from '../../src/indexer/pool-history/account-states.ts';
import type { PolledPool } from '../../src/indexer/pool-history/polled-pool.ts';
import type { ReadOutcome } from '../../src/indexer/pool-history/pool-reader.ts';
import { WalkQueue } from '../../src/indexer/pool-history/walk-queue.ts';
import { newPolledPool } from '../support/pools/new-polled-pool.ts';

const SLOT_MS = 400;
/** How long after a trade lists may still lack it, while accounts show it already. */
const LIST_LAG_MS = 1_500;

interface Trade {
  slot: bigint;
  landedAtMs: number;
}

/** One pool of a chain, read through nodes that lag, fail, and serve lists later than accounts. */
class Model {
  nowMs = 0;
  readonly trades: Trade[] = [];
  /** In the order in which they were published. */
  readonly published: number[] = [];
  lagSlots = 0n;
  isDown = false;
  readonly polled: PolledPool;
  readonly queue: WalkQueue;
  #read = 0;

  constructor() {
    const model = this;
    this.polled = newPolledPool({
      isWalking: false,
      get cursorSlot() {
        return model.#read === 0 ? null : (model.trades[model.#read - 1]?.slot ?? null);
      },
      step: (atLeastSlot) => this.#step(atLeastSlot ?? 0n),
    });
    this.queue = new WalkQueue(new Map([['pool', this.polled]]));
  }

  get slot(): bigint {
    return BigInt(Math.floor(this.nowMs / SLOT_MS)) + 1n;
  }

  trade(): void {
    this.trades.push({ slot: this.slot, landedAtMs: this.nowMs });
  }

  hashAt(slot: bigint): string {
    return String(this.trades.filter((trade) => trade.slot <= slot).length);
  }

  sweep(lagSlots: bigint): void {
    const slot = this.slot - 1n - lagSlots;
    if (slot < 0n || this.isDown) return;
    const verdict = this.#observe({ slot, hash: this.hashAt(slot), isExact: false });
    if (verdict !== 'quiet') return;
    const missing = this.trades.slice(this.#read).filter((trade) => trade.slot <= slot);
    expect(missing).toEqual([]);
  }

  /** A message about a real trade, which may come repeatedly and late. */
  wake(at: number): void {
    const trade = this.trades[at % Math.max(1, this.trades.length)];
    if (trade === undefined || trade.slot >= this.slot) return;
    this.#observe({ slot: trade.slot, hash: this.hashAt(trade.slot), isExact: true });
  }

  /** A message about a trade that never happened. */
  lie(ahead: number): void {
    const slot = this.slot + BigInt(ahead);
    this.#observe({ slot, hash: `lie ${ahead}`, isExact: true });
  }

  async work(): Promise<void> {
    const pool = this.queue.take(new Map(), this.nowMs, 4);
    if (pool === undefined) return;
    try {
      await pool.step(1, () => this.nowMs);
    } catch {
      pool.fail(this.nowMs);
    }
    this.queue.returnPool(pool);
  }

  get readCount(): number {
    return this.#read;
  }

  #observe(state: AccountState): StateVerdict {
    return this.queue.observe(this.polled, state, this.nowMs);
  }

  async #step(atLeastSlot: bigint): Promise<ReadOutcome> {
    if (this.isDown) throw new Error('down');
    const view = this.slot - 1n - this.lagSlots;
    if (view < atLeastSlot) return 'later';
    const listed = this.trades.filter(
      ({ slot, landedAtMs }) => slot <= view && landedAtMs <= this.nowMs - LIST_LAG_MS,
    ).length;
    if (listed <= this.#read) return 'idle';
    for (let at = this.#read; at < listed; at += 1) this.published.push(at);
    this.#read = listed;
    return 'more';
  }
}

type Command = (model: Model) => void | Promise<void>;

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.constant<Command>((model) => model.trade()),
  fc.integer({ min: 1, max: 5_000 }).map<Command>((ms) => (model) => {
    model.nowMs += ms;
  }),
  fc.nat(20).map<Command>((at) => (model) => model.wake(at)),
  fc.integer({ min: -20, max: 64 }).map<Command>((ahead) => (model) => model.lie(ahead)),
  fc.nat(30).map<Command>((lag) => (model) => model.sweep(BigInt(lag))),
  fc.nat(30).map<Command>((lag) => (model) => {
    model.lagSlots = BigInt(lag);
  }),
  fc.boolean().map<Command>((isDown) => (model) => {
    model.isDown = isDown;
  }),
  fc.constant<Command>((model) => model.work()),
  fc.constant<Command>((model) => model.work()),
);

test('over any drops, duplicates, reorderings, lies, lags and outages no pool is called quiet that is not, and nothing is missed or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 120, size: 'max' }), async (commands) => {
      const model = new Model();
      for (const run of commands) await run(model);
      // From here on nothing fails, and no wake-up comes: sweeps alone find the rest.
      model.isDown = false;
      model.lagSlots = 0n;
      const deadlineMs = model.nowMs + 120_000;
      while (model.nowMs < deadlineMs) {
        model.nowMs += 500;
        model.sweep(0n);
        for (let at = 0; at < 4; at += 1) await model.work();
      }
      expect(model.published).toEqual(model.trades.map((_, at) => at));
    }),
    { numRuns: 2_000 },
  );
});

test('without sweeps too every pool is walked in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 60, size: 'max' }), async (commands) => {
      const model = new Model();
      for (const run of commands) await run(model);
      model.isDown = false;
      model.lagSlots = 0n;
      for (let at = 0; at < 50; at += 1) {
        model.nowMs += 30_000;
        for (let step = 0; step < 4; step += 1) await model.work();
      }
      expect(model.readCount).toBe(model.trades.length);
    }),
    { numRuns: 500 },
  );
});
