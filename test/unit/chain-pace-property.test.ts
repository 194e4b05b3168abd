import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { believedPosition } from '../../src/chain/node-trust/believed-position.ts';
import type { ChainPosition } from '../../src/chain/node-trust/position-history.ts';
import { FASTEST_PER_SECOND } from '../../src/chain/pace/chain-pace.ts';
import { paceOf } from '../../src/chain/pace/measured-pace.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { createTestClock } from '../support/run/clock.ts';

// Nodes of a chain whose pace changes, polled every second, of which one may lie.

const POLL_MS = 1_000;
const LEAD = 32;
const SKIPPED_SLOTS = 500n;

/** What a liar reports beside the true height. */
type Lie = (height: bigint, sinceMs: number, perSecond: number) => bigint | null;

class Model {
  readonly clock = createTestClock();
  readonly rpcs: readonly ChainRpc[];
  height = 1_000_000;
  #perSecond = 5;
  #lie: Lie | null = null;
  #liesSinceMs = 0;
  /** The highest height that a process believes of any node. */
  head = 0;

  constructor(nodeCount: number) {
    // The addresses are never called: the test records the reports of the nodes.
    this.rpcs = Array.from({ length: nodeCount }, (_, at) => createChainRpc(`http://127.0.0.1:${at + 1}`));
  }

  get truth(): bigint {
    return BigInt(Math.floor(this.height));
  }

  /** From now on the last node lies. */
  beginToLie(lie: Lie): void {
    this.#lie = lie;
    this.#liesSinceMs = this.clock.now().getTime();
  }

  /** The chain makes blocks at this pace for some time. `lags`: blocks that each node is behind, poll by poll. */
  run(slotMs: number, durationMs: number, lags: readonly number[], onPoll: () => void): void {
    this.#perSecond = 1_000 / slotMs;
    for (let passedMs = 0; passedMs < durationMs; passedMs += POLL_MS) {
      this.pass(POLL_MS);
      this.#poll(lags, passedMs / POLL_MS);
      onPoll();
    }
  }

  /** Time in which nobody asks the nodes. */
  pass(ms: number): void {
    this.clock.advance(ms);
    this.height += (ms / 1_000) * this.#perSecond;
  }

  isBelieved(at: number): boolean {
    return this.rpcs[at]?.positions.doubt === null;
  }

  #poll(lags: readonly number[], turn: number): void {
    const now = this.clock.now();
    const readings = this.rpcs.map((rpc, at): ChainPosition | null => {
      const lag = BigInt(lags[(turn + at) % lags.length] ?? 0);
      const isLiar = this.#lie !== null && at === this.rpcs.length - 1;
      const told =
        isLiar && this.#lie !== null
          ? this.#lie(this.truth, now.getTime() - this.#liesSinceMs, this.#perSecond)
          : this.truth - lag;
      const reading = told === null || told < 0n ? null : { blockHeight: told, slot: told + SKIPPED_SLOTS };
      rpc.positions.record(reading, now);
      return reading;
    });
    this.head = 0;
    for (const [at, rpc] of this.rpcs.entries()) {
      const reading = readings[at] ?? null;
      const believed = reading && believedPosition(rpc, reading, this.rpcs, now);
      if (believed) this.head = Math.max(this.head, Number(believed.blockHeight));
    }
  }
}

const slotMs = fc.integer({ min: 80, max: 800 });
const stretch = fc.record({ slotMs, durationMs: fc.integer({ min: 5_000, max: 90_000 }) });
const stretches = fc.array(stretch, { minLength: 1, maxLength: 6 });
const lags = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 });
const pauseMs = fc.constantFrom(0, 0, 3_000, 120_000, 300_000);
const ahead: fc.Arbitrary<Lie> = fc.oneof(
  fc.bigInt(1n, 10n ** 9n).map<Lie>((by) => (height) => height + by),
  fc
    .double({ min: 1.05, max: 20, noNaN: true })
    .map<Lie>(
      (ratio) => (height, sinceMs, perSecond) =>
        height + BigInt(Math.floor((sinceMs / 1_000) * perSecond * (ratio - 1))),
    ),
);
const lie: fc.Arbitrary<Lie> = fc.oneof(
  ahead,
  fc.bigInt(1n, 10n ** 6n).map<Lie>((by) => (height) => height - by),
  fc.constant<Lie>(() => 999_000n),
  fc.constant<Lie>(() => null),
);

test.each([1, 3])('%p honest nodes are always believed, at any pace, through gates and pauses', (count) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(stretch, pauseMs), { minLength: 1, maxLength: 6 }), lags, (run, lag) => {
      const model = new Model(count);
      // The first readings of several nodes wait for each other.
      model.run(200, 2_000, [0], () => {});
      for (const [{ slotMs: pace, durationMs }, pause] of run) {
        model.run(pace, durationMs, lag, () => {
          for (const at of model.rpcs.keys()) expect(model.isBelieved(at)).toBe(true);
          expect(Number(model.truth) - model.head).toBeLessThanOrEqual(3);
        });
        model.pass(pause);
      }
    }),
  );
});

test('of three nodes one liar keeps no honest node from being believed, and gains no more than the lead between two polls', () => {
  fc.assert(
    fc.property(stretches, lags, lie, (run, lag, liar) => {
      const model = new Model(3);
      model.run(200, 15_000, lag, () => {});
      model.beginToLie(liar);
      for (const { slotMs: pace, durationMs } of run)
        model.run(pace, durationMs, lag, () => {
          expect([model.isBelieved(0), model.isBelieved(1)]).toEqual([true, true]);
          expect(model.head - Number(model.truth)).toBeLessThanOrEqual(LEAD + FASTEST_PER_SECOND + 1);
        });
    }),
  );
});

test('of two nodes one liar keeps the honest node from nothing, and gains a burst and half the measured pace', () => {
  fc.assert(
    fc.property(slotMs, lags, lie, (pace, lag, liar) => {
      const model = new Model(2);
      model.run(pace, 30_000, lag, () => {});
      model.beginToLie(liar);
      let seconds = 0;
      model.run(pace, 60_000, lag, () => {
        seconds += 1;
        expect(model.isBelieved(0)).toBe(true);
        // Lags of up to three blocks at both ends make the measured pace uncertain.
        const gain = (0.5 * 1_000) / pace + 1;
        expect(model.head - Number(model.truth)).toBeLessThanOrEqual(64 + LEAD + 16 + gain * seconds);
      });
    }),
  );
});

test('what was not believed is believed again within seconds after the node tells the truth', () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 3), slotMs, ahead, (count, pace, liar) => {
      const model = new Model(count);
      model.run(pace, 20_000, [0], () => {});
      model.beginToLie((...facts) => liar(...facts));
      model.run(pace, 20_000, [0], () => {});
      model.beginToLie((height) => height);
      model.run(pace, 2_000, [0], () => {});
      expect(model.isBelieved(count - 1)).toBe(true);
    }),
  );
});

test('the measured pace follows the chain within a minute, and one liar of three does not change it', () => {
  fc.assert(
    fc.property(slotMs, slotMs, fc.option(lie), (before, after, liar) => {
      const model = new Model(3);
      model.run(before, 30_000, [0], () => {});
      if (liar !== null) model.beginToLie(liar);
      model.run(after, 62_000, [0], () => {});
      const pace = paceOf(model.rpcs);
      expect(pace.isMeasured).toBe(true);
      expect(Math.abs(pace.slotMs / after - 1)).toBeLessThan(0.1);
    }),
  );
});
