import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasFinalBlock } from '../../src/chain/final-chain.ts';
import { boundedPace } from '../../src/chain/pace/chain-pace.ts';
import { protocolBounds } from '../../src/chain/pace/protocol.ts';
import { expectFinal } from '../../src/intents/land/expected-finality.ts';

const blocks = (...slots: number[]) => new Set(slots.map(BigInt));

describe('whether the final chain has a block in a slot', () => {
  test('is known once final blocks are shown on both sides of it, whatever lies between', () => {
    expect(hasFinalBlock(blocks(9, 10, 11), 10n)).toBe(true);
    expect(hasFinalBlock(blocks(9, 11), 10n)).toBe(false);
    expect(hasFinalBlock(blocks(1, 400), 10n)).toBe(false);
  });

  test('is not known before the chain goes on beyond it, nor where a node has lost its past', () => {
    expect(hasFinalBlock(blocks(8, 9), 10n)).toBeNull();
    expect(hasFinalBlock(blocks(11, 12), 10n)).toBeNull();
    expect(hasFinalBlock(blocks(), 10n)).toBeNull();
  });
});

describe('when a block is expected to be final', () => {
  const slot = 1_000n;
  const now = new Date(1_700_000_000_000);
  const paceOfSlots = (slotMs: number) =>
    boundedPace({ slotsPerSecond: 1_000 / slotMs, blocksPerSecond: 1_000 / slotMs }, protocolBounds, true);

  test('follows the nodes at any pace and any depth of finality', () => {
    const slotMs = fc.integer({ min: 80, max: 800 });
    fc.assert(
      fc.property(slotMs, fc.integer({ min: -5, max: 32 }), (length, left) => {
        const expected = expectFinal(slot, [slot - BigInt(left)], 1, paceOfSlots(length), now);
        const waitMs = (expected?.getTime() ?? 0) - now.getTime();
        expect(Math.abs(waitMs - Math.max(0, left) * length)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('takes as many nodes as it takes to be final, and no node delays it for long', () => {
    const finalized = [slot - 27n, 0n, slot + 4n];
    const waitMs = (needed: number) => {
      const expected = expectFinal(slot, finalized, needed, paceOfSlots(200), now);
      return expected && expected.getTime() - now.getTime();
    };
    expect([1, 2, 3, 4].map(waitMs)).toEqual([0, 5_400, 30_000, null]);
  });
});
