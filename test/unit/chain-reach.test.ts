import { beforeEach, describe, expect, test } from 'bun:test';
import { believedPosition } from '../../src/chain/node-trust/believed-position.ts';
import { heightCeiling, leastCurrentSlot } from '../../src/chain/node-trust/chain-reach.ts';
import { currentFirst } from '../../src/chain/node-trust/first-current-response.ts';
import { FASTEST_PER_SECOND, mostIn } from '../../src/chain/pace/chain-pace.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { createTestClock } from '../support/run/clock.ts';

const TEN_MINUTES_MS = 600_000;
/** Slots run ahead of heights. */
const SKIPPED = 500n;
/** What a chain can climb in a minute. */
const IN_A_MINUTE = mostIn(60_000, FASTEST_PER_SECOND);
/** The slots of 6.4 s at the pace that a process assumes. */
const NEAR = 32n;
const clock = createTestClock();
let rpcs: [ChainRpc, ChainRpc, ChainRpc];

// The addresses are never called.
beforeEach(() => {
  rpcs = [1, 2, 3].map((port) => createChainRpc(`http://127.0.0.1:${port}`)) as typeof rpcs;
});

/** Each node reports its position twice: the first readings corroborate each other. Null: no response. */
function tell(nodes: readonly ChainRpc[], heights: readonly (bigint | null)[]): void {
  const positions = heights.map((blockHeight) => blockHeight && { blockHeight, slot: blockHeight + SKIPPED });
  for (const _ of [1, 2]) {
    for (const [at, rpc] of nodes.entries()) rpc.positions.record(positions[at] || null, clock.now());
    for (const [at, rpc] of nodes.entries()) {
      const position = positions[at];
      if (position) believedPosition(rpc, position, nodes, clock.now());
    }
  }
}
const ceiling = (nodes: readonly ChainRpc[]) => heightCeiling(nodes, clock.now());
const least = (nodes: readonly ChainRpc[]) => leastCurrentSlot(nodes, clock.now());

describe('the highest block that there can be', () => {
  test('is unknown before any node is believed', () => {
    expect(ceiling([])).toBeNull();
    expect(ceiling(rpcs)).toBeNull();
  });

  test('is that of the node that is ahead, and climbs while no node reports', () => {
    const [one, other] = rpcs;
    tell([one, other], [1_000n, 990n]);
    expect(ceiling([one, other])).toBe(1_000n);
    clock.advance(60_000);
    expect(ceiling([one, other])).toBe(1_000n + IN_A_MINUTE);
    // The believed height stays when the node lags, or when only another node responds.
    tell([one, other], [null, 900n]);
    expect(ceiling([one, other])).toBe(1_000n + IN_A_MINUTE);
  });

  test('is not that of the only believed node, when another one is ahead of it from the beginning', () => {
    const [behind, current] = rpcs;
    tell([behind, current], [1_000n, 1_140n]);
    expect(current.positions.hasBelieved).toBe(false);
    expect(ceiling([behind, current])).toBe(1_140n);
    clock.advance(60_000);
    tell([behind, current], [1_150n, null]);
    expect(ceiling([behind, current])).toBe(1_140n + IN_A_MINUTE);
  });

  test('is unknown while two nodes contradict each other beyond reason', () => {
    const [one, other] = rpcs;
    tell([one, other], [1_000n, 11_001n]);
    expect(ceiling([one, other])).toBeNull();
    tell([one, other], [1_000n, 11_000n]);
    expect(ceiling([one, other])).toBe(11_000n);
  });

  test.each([1_140n, 10n ** 9n, 2n ** 70n])(
    'is not that of one node that alone claims to be ahead (%p), where two others agree',
    (height) => {
      tell(rpcs, [1_000n, 1_001n, height]);
      expect(ceiling(rpcs)).toBe(1_001n);
    },
  );

  test('is not that of a node that is quarantined or gone', () => {
    const [one, other] = rpcs;
    tell([one, other], [1_000n, 1_030n]);
    other.quarantine.begin({ signedTransaction: new Uint8Array(1), signature: '' }, clock.now());
    expect(ceiling([one, other])).toBe(1_000n);
    tell([one, other], [1_000n, null]);
    clock.advance(TEN_MINUTES_MS);
    tell([one, other], [2_000n, null]);
    expect(ceiling([one, other])).toBe(2_000n);
  });

  test('gives way after ten minutes in which nothing reaches it: a cluster may go on from an earlier slot', () => {
    const [one] = rpcs;
    tell([one], [100_000n]);
    clock.advance(TEN_MINUTES_MS - 1);
    tell([one], [5_000n]);
    expect(ceiling([one])).toBeGreaterThan(100_000n);
    clock.advance(1);
    tell([one], [5_000n]);
    expect(ceiling([one])).toBe(5_000n);
  });
});

describe('the slot that a node has to have reached', () => {
  test('is zero before a position is known', () => {
    expect(least(rpcs)).toBe(0n);
  });

  test('is near that of the node that is ahead, of one or two', () => {
    const [one, other] = rpcs;
    tell([one], [1_000n]);
    expect(least([one])).toBe(1_000n + SKIPPED - NEAR);
    tell([one, other], [1_000n, 1_010n]);
    expect(least([one, other])).toBe(1_010n + SKIPPED - NEAR);
  });

  test('is near that of the node that is ahead from the beginning, unless it is beyond reason', () => {
    const [behind, current] = rpcs;
    tell([behind, current], [1_000n, 1_140n]);
    expect(least([behind, current])).toBe(1_140n + SKIPPED - NEAR);
    tell([behind, current], [1_000n, 10n ** 9n]);
    expect(least([behind, current])).toBe(1_000n + SKIPPED - NEAR);
  });

  test('is not set by one node of three alone', () => {
    tell(rpcs, [1_000n, 1_001n, 1_031n]);
    expect(least(rpcs)).toBe(1_001n + SKIPPED - NEAR);
  });

  test.each([
    ['was believed', 1_000n],
    ['was never believed', 1_040n],
  ])(
    'is not set by one of two nodes that refuses to answer as of the slot that it claims and %s',
    (_, before) => {
      const [honest, liar] = rpcs;
      tell([honest, liar], [1_000n, before]);
      tell([honest, liar], [1_000n, 1_040n]);
      const claimed = 1_040n + SKIPPED;
      expect(least([honest, liar])).toBe(claimed - NEAR);
      for (const advanceMs of [0, 1_000, 1_000]) {
        clock.advance(advanceMs);
        liar.positions.refused(claimed, clock.now());
      }
      expect(liar.positions.isDisproven(clock.now())).toBe(true);
      expect(least([honest, liar])).toBe(1_000n + SKIPPED - NEAR);
      // It counts again when it is believed further down, because a node may have been restored.
      liar.positions.believe({ slot: 1_010n + SKIPPED, blockHeight: 1_010n }, clock.now(), 1_000);
      expect(liar.positions.isDisproven(clock.now())).toBe(false);
      expect(least([honest, liar])).toBe(1_010n + SKIPPED - NEAR);
    },
  );

  test('is set by a node behind a balancer that answers between its refusals, and by one that says that it is behind', () => {
    const [one, other] = rpcs;
    tell([one, other], [1_000n, 1_040n]);
    const claimed = 1_040n + SKIPPED;
    for (const _ of [1, 2, 3, 4]) {
      clock.advance(1_000);
      other.positions.refused(claimed, clock.now());
      other.positions.answered();
      one.positions.refused(claimed, clock.now());
    }
    expect([one, other].map(({ positions }) => positions.isDisproven(clock.now()))).toEqual([false, false]);
    expect(least([one, other])).toBe(claimed - NEAR);
  });

  test('moves a node that cannot have reached it to the end of the order', () => {
    tell(rpcs, [860n, 1_000n, 1_001n]);
    const [behind, second, third] = rpcs;
    expect(currentFirst(rpcs, least(rpcs), clock.now())).toEqual([second, third, behind]);
    // Some nine seconds later it may have.
    clock.advance(9_000);
    expect(currentFirst(rpcs, least(rpcs), clock.now())).toEqual([behind, second, third]);
  });
});
