import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasFinalBlock } from '../../src/chain/final-chain.ts';
import { expectFinal } from '../../src/features/transaction-intents/landing/expected-finality.ts';

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
  const landedAt = new Date(1_700_000_000_000);
  const after = (ms: number) => new Date(landedAt.getTime() + ms);

  /** A node whose blocks are final after so many slots, at a look so many slots after the landing. */
  const nodeAt = (slots: number, finalAfter: number, msPerSlot: number) => ({
    finalizedSlot: slot + BigInt(slots - finalAfter),
    head: { slot: slot + BigInt(slots), blockHeight: 0n, atMs: landedAt.getTime() + slots * msPerSlot },
  });

  test('follows the nodes at any pace and any depth of finality, by less than a slot', () => {
    const pace = fc.integer({ min: 80, max: 800 });
    const depth = fc.integer({ min: 1, max: 32 });
    fc.assert(
      fc.property(pace, depth, fc.integer({ min: 1, max: 40 }), (msPerSlot, finalAfter, slots) => {
        const now = after(slots * msPerSlot);
        const expected = expectFinal({ slot, landedAt }, [nodeAt(slots, finalAfter, msPerSlot)], 1, now);
        const actual = Math.max(now.getTime(), after(finalAfter * msPerSlot).getTime());
        expect(Math.abs((expected?.getTime() ?? 0) - actual)).toBeLessThan(msPerSlot);
      }),
    );
  });

  test('takes as many nodes as it takes to be final, and no node delays it for long', () => {
    const now = after(1_000);
    const nodes = [nodeAt(5, 1, 200), nodeAt(5, 32, 200), { ...nodeAt(5, 1, 200), finalizedSlot: 0n }];
    const of = (needed: number) => expectFinal({ slot, landedAt }, nodes, needed, now)?.getTime();
    expect(of(1)).toBe(now.getTime());
    expect(of(2)).toBe(after(6_400).getTime());
    expect(of(3)).toBe(after(31_000).getTime());
  });

  test('is not known where a node reports no newer block', () => {
    const node = { ...nodeAt(5, 32, 200), head: null };
    expect(expectFinal({ slot, landedAt }, [node], 1, after(1_000))).toBeNull();
    expect(expectFinal({ slot, landedAt }, [nodeAt(0, 32, 200)], 1, after(1_000))).toBeNull();
    expect(expectFinal({ slot, landedAt }, [nodeAt(5, 32, 200)], 2, after(1_000))).toBeNull();
  });
});
