import { describe, expect, test } from 'bun:test';
import { PositionHistory } from '../../src/chain/node-trust/position-history.ts';
import { Quarantine } from '../../src/chain/node-trust/quarantine.ts';
import { type PacedNode, paceOf } from '../../src/chain/pace/measured-pace.ts';
import { getSampledPace } from '../../src/chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../src/chain/rpc.ts';
import { createTestClock } from '../support/run/clock.ts';

// Which nodes decide the pace, and which readings show it.

const clock = createTestClock();
const START = 1_000_000;

const node = (): PacedNode => ({ positions: new PositionHistory(), quarantine: new Quarantine() });

/** The node climbs with slots of this length for some time, from its last slot or another one. */
function climb({ positions }: PacedNode, slotMs: number, forMs: number, from = START): number {
  let slot = from;
  for (let passedMs = 0; passedMs <= forMs; passedMs += 1_000) {
    clock.advance(1_000);
    slot += 1_000 / slotMs;
    const at = BigInt(Math.floor(slot));
    positions.pace.record({ slot: at, blockHeight: at }, clock.now());
  }
  return slot;
}

const slotMsOf = (...nodes: PacedNode[]) => Math.round(paceOf(nodes).slotMs);

describe('the pace of the chain', () => {
  test('is of the nodes that have shown one lately: one that is gone does not keep the pace of before a gate', () => {
    const [gone, other] = [node(), node()];
    climb(gone, 400, 20_000);
    climb(other, 400, 20_000);
    expect(slotMsOf(gone, other)).toBe(400);
    climb(other, 200, 200_000, 2 * START);
    expect(slotMsOf(gone, other)).toBe(200);
  });

  test('is measured where any node is: samples of others count while none is', () => {
    const [silent, other] = [node(), node()];
    silent.positions.recordSample(2, clock.now());
    expect(slotMsOf(silent, other)).toBe(500);
    climb(other, 200, 20_000);
    silent.positions.recordSample(2, clock.now());
    expect(slotMsOf(silent, other)).toBe(200);
  });

  test('is not of a node whose positions are doubted, unless it is the only one', () => {
    const [liar, other] = [node(), node()];
    liar.positions.recordSample(2, clock.now());
    other.positions.recordSample(5, clock.now());
    liar.positions.ignore('ahead');
    expect(slotMsOf(liar, other)).toBe(200);
    expect(slotMsOf(liar)).toBe(500);
  });

  test.each([0, 1, 16, 1e300])(
    'is not moved by a sample of %p slots a second, which is counted',
    (sample) => {
      const { positions, quarantine } = node();
      positions.recordSample(sample, clock.now());
      expect(positions.paceDoubt).toBe(sample < 5 ? 'slow' : 'fast');
      expect(positions.ignored.pace).toBe(1);
      expect(paceOf([{ positions, quarantine }])).toMatchObject({ slotMs: 200, isMeasured: false });
    },
  );
});

describe('a node', () => {
  test('whose cluster goes on from an earlier slot shows a pace again within some minute', () => {
    const restarted = node();
    climb(restarted, 400, 60_000);
    climb(restarted, 200, 75_000, START - 10_000);
    expect(slotMsOf(restarted)).toBe(200);
  });

  test('shows a pace again some seconds after the clock was set back', () => {
    const steady = node();
    const slot = climb(steady, 400, 60_000);
    clock.advance(-3_600_000);
    climb(steady, 200, 15_000, slot);
    expect(slotMsOf(steady)).toBe(200);
  });

  test('that is late measures nothing', () => {
    const late = node();
    const slot = climb(late, 200, 60_000);
    climb(late, 800, 20_000, slot - 500);
    expect(slotMsOf(late)).toBe(200);
  });
});

/** A node with this sample. The kit is what `getSampledPace` uses of it. */
function sampling(numSlots: unknown, samplePeriodSecs: unknown) {
  const kit = {
    getRecentPerformanceSamples: () => ({ send: async () => [{ numSlots, samplePeriodSecs }] }),
  };
  const call = async (request: (kit: unknown) => Promise<unknown>) =>
    request(kit).then(
      (value) => ({ ok: true, value }),
      (error: Error) => ({ ok: false, failure: { message: error.message } }),
    );
  return { call } as unknown as ChainRpc;
}

test.each([
  [10n ** 400n, 10 ** 308 * 10],
  [10n ** 400n, 60],
  ['Infinity', 'Infinity'],
  [0n, 0],
  [300n, 0],
  [-300n, 60],
  [{}, 60],
  [null, null],
])('a sample of %p slots in %p s is no sample', async (numSlots, seconds) => {
  expect(await getSampledPace(sampling(numSlots, seconds), 1)).toMatchObject({ ok: false });
  expect(await getSampledPace(sampling(300n, 60), 1)).toEqual({ ok: true, value: 5 });
});
