import { beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { believedPosition, proofsNeeded } from '../../src/chain/node-trust/believed-position.ts';
import { FASTEST_PER_SECOND } from '../../src/chain/pace/chain-pace.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { createTestClock } from '../support/run/clock.ts';

const BURST = 64;
/** The climb of a second, at the fastest pace that the protocol allows. */
const FASTEST = Math.floor(FASTEST_PER_SECOND);
const GONE_MS = 600_000;
const misanswered = { signedTransaction: new Uint8Array(1), signature: 'signature' };
const clock = createTestClock();
let node: ChainRpc;
let other: ChainRpc;

// The address is never called.
beforeEach(() => {
  node = createChainRpc('http://127.0.0.1:1');
  other = createChainRpc('http://127.0.0.1:2');
});

/** A node reports a position. Returns whether it is believed. */
function tell(rpc: ChainRpc, height: bigint, rpcs: readonly ChainRpc[], slot = height): boolean {
  rpc.positions.record({ slot, blockHeight: height }, clock.now());
  return believedPosition(rpc, { slot, blockHeight: height }, rpcs, clock.now()) !== null;
}
const alone = (height: bigint, slot?: bigint) => tell(node, height, [node], slot);
const beside = (rpc: ChainRpc, height: bigint) => tell(rpc, height, [node, other]);

describe('a node is believed by its own history', () => {
  test('as far as it can have climbed since its last report, and no further', () => {
    expect(alone(1_000n)).toBe(true);
    expect(alone(1_065n)).toBe(false);
    expect(alone(1_064n)).toBe(true);
    expect(alone(1_065n)).toBe(false);
    clock.advance(1_000);
    expect(alone(1_064n + BigInt(FASTEST) + 1n)).toBe(false);
    expect(alone(1_064n + BigInt(FASTEST))).toBe(true);
    expect(node.positions.ignored).toEqual({ too_fast: 3, ahead: 0, pace: 0 });
  });

  test('after a pause of any length, because the pause itself allows the climb', () => {
    alone(1_000n);
    clock.advance(3_600_000);
    expect(alone(1_000n + 9_000n)).toBe(true);
    expect(alone(1_000n + 9_000n + BigInt(BURST) + 1n)).toBe(false);
  });

  test('again within seconds after the clock was set back by an hour', () => {
    alone(1_000n);
    clock.advance(-3_600_000);
    expect(alone(1_100n)).toBe(false);
    clock.advance(3_000);
    expect(alone(1_108n)).toBe(true);
  });

  test('only where both slot and height fit', () => {
    alone(1_000n);
    expect(alone(1_001n, 100_000n)).toBe(false);
    expect(alone(100_000n, 1_001n)).toBe(false);
    expect(alone(1_001n, 1_001n)).toBe(true);
  });

  test('when it lags, without that making room for a climb', () => {
    alone(1_000n);
    expect(alone(900n)).toBe(true);
    expect(alone(1_065n)).toBe(false);
  });

  test('while the report is no further ahead than one burst and the pace allow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ ms: fc.nat(3_000), climb: fc.bigInt(0n, 200n) }), {
          maxLength: 60,
          size: 'max',
        }),
        (tells) => {
          node = createChainRpc('http://127.0.0.1:1');
          const start = clock.now().getTime();
          alone(0n);
          let believed = 0n;
          for (const { ms, climb } of tells) {
            clock.advance(ms);
            if (alone(believed + climb)) believed += climb;
            const seconds = (clock.now().getTime() - start) / 1_000;
            expect(Number(believed)).toBeLessThanOrEqual(BURST + FASTEST_PER_SECOND * seconds);
          }
        },
      ),
    );
  });

  test('never beyond what can be stored', () => {
    expect(alone(2n ** 63n)).toBe(false);
    expect(alone(2n ** 200n)).toBe(false);
    expect(node.positions.doubt).toBe('too_fast');
    expect(alone(5n)).toBe(true);
    expect(node.positions.doubt).toBeNull();
  });
});

test('a node that another contradicts climbs no faster than alone', () => {
  for (const rpc of [node, other, node, other]) beside(rpc, 1_000n);
  // A chain near the fastest: half more than its pace would be more than any chain can do.
  clock.advance(40_000);
  expect(beside(other, 1_500n)).toBe(true);
  expect(other.positions.pace.rates?.slotsPerSecond).toBeCloseTo(12.5);
  const most = 1_000n + BigInt(BURST) + BigInt(Math.floor(40 * FASTEST_PER_SECOND));
  expect(beside(node, most + 1n)).toBe(false);
  expect(beside(node, most)).toBe(true);
});

describe('a second node', () => {
  test('is needed to confirm the first report of a node, and is not blamed for being early', () => {
    expect(beside(node, 1_000n)).toBe(false);
    expect(node.positions.ignored.ahead).toBe(0);
    expect(beside(other, 1_010n)).toBe(true);
    expect(beside(node, 1_000n)).toBe(true);
  });

  test('confirms a jump to its own position, and not one beyond', () => {
    beside(node, 1_000n);
    beside(other, 1_000n);
    beside(node, 1_000n);
    expect(beside(node, 5_000n)).toBe(false);
    expect(beside(other, 5_000n)).toBe(true);
    expect(beside(node, 5_032n)).toBe(true);
    expect(beside(node, 6_000n)).toBe(false);
  });

  test('confirms nothing when its report is old, or it is quarantined', () => {
    beside(other, 1_000n);
    clock.advance(10_001);
    expect(beside(node, 1_000n)).toBe(false);
    beside(other, 1_000n);
    other.quarantine.begin(misanswered, clock.now());
    node = createChainRpc('http://127.0.0.1:1');
    expect(beside(node, 1_000n)).toBe(false);
    other.positions.record(null, clock.now());
    clock.advance(GONE_MS - 1);
    expect(beside(node, 500n)).toBe(false);
    clock.advance(1);
    // It is the only node that counts now, so its first report is believed; a jump is not.
    expect(beside(node, 500n)).toBe(true);
    expect(beside(node, 1_000n)).toBe(false);
  });

  test('that has been silent for ten minutes is not waited for, and answers make it count again', () => {
    const needed = () => proofsNeeded([node, other], clock.now());
    other.positions.record(null, clock.now());
    expect(beside(node, 1_000n)).toBe(false);
    clock.advance(GONE_MS - 1);
    expect([beside(node, 1_000n), needed()]).toEqual([false, 2]);
    clock.advance(1);
    expect([beside(node, 1_000n), needed()]).toEqual([true, 1]);
    beside(other, 1_000n);
    expect(needed()).toBe(2);
  });
});

test('two proofs are needed of however many nodes, one where there is only one, quarantined or not, and never none', () => {
  const third = createChainRpc('http://127.0.0.1:3');
  const needed = (...rpcs: ChainRpc[]) => proofsNeeded(rpcs, clock.now());
  expect([needed(node), needed(node, other), needed(node, other, third)]).toEqual([1, 2, 2]);
  other.quarantine.begin(misanswered, clock.now());
  expect([needed(node, other), needed(node, other, third), needed(other)]).toEqual([2, 2, 1]);
});

test('a quarantine lasts twice as long each time it is earned again, up to ten minutes', () => {
  const { quarantine } = node;
  const periods = [1, 2, 3, 4, 5, 6, 7].map(() => {
    expect(quarantine.begin(misanswered, clock.now())).toBe(true);
    const { periodMs } = quarantine;
    clock.advance(periodMs - 1);
    expect(quarantine.endIfPeriodOver(clock.now())).toBe(false);
    expect(quarantine.takeProbe(clock.now())).toBeNull();
    clock.advance(1);
    expect(quarantine.takeProbe(clock.now())).toBe(misanswered);
    expect(quarantine.takeProbe(clock.now())).toBeNull();
    expect(quarantine.endIfPeriodOver(clock.now())).toBe(true);
    return periodMs / 1_000;
  });
  expect(periods).toEqual([30, 60, 120, 240, 480, 600, 600]);
  clock.advance(GONE_MS);
  quarantine.begin(misanswered, clock.now());
  expect(quarantine.periodMs).toBe(30_000);
});
