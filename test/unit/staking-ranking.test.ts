import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { rankStakes, type Stake } from '../../src/features/staking/ranking.ts';

const stakedSince = new Date('2026-01-01T00:00:00Z');
const stake = (stakedRaw: bigint, at = 0): Stake => ({
  walletAddress: `wallet${at}`,
  stakedRaw,
  stakedSince,
});

test('equal stakes share a rank, and the next one counts them all', () => {
  const stakes = [9n, 7n, 7n, 7n, 2n].map(stake);
  const ranked = rankStakes(stakes, { poolStakedRaw: 32n, knownStakedRaw: 32n });
  expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, 2, 2, 5]);
});

test('shares are cut to whole basis points, exactly, far above what a double holds', () => {
  const total = 3n * 10n ** 30n;
  const [first] = rankStakes([stake(10n ** 30n)], { poolStakedRaw: total, knownStakedRaw: 0n });
  expect(first).toEqual({
    rank: 1,
    walletAddress: 'wallet0',
    stakedRaw: '1000000000000000000000000000000',
    shareBps: 3_333,
    stakedSince: '2026-01-01T00:00:00.000Z',
  });
  // One unit below a whole share.
  const [almost] = rankStakes([stake(total - 1n)], { poolStakedRaw: total, knownStakedRaw: 0n });
  expect(almost?.shareBps).toBe(9_999);
});

test('shares never add up to more than 10,000, whatever the pool says and whoever is listed', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 2n ** 64n }), { maxLength: 120, size: 'max' });
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 0n, max: 2n ** 70n }), (staked, poolStakedRaw) => {
      const stakes = staked.toSorted((one, other) => (one < other ? 1 : -1)).map(stake);
      const knownStakedRaw = staked.reduce((sum, one) => sum + one, 0n);
      const ranked = rankStakes(stakes.slice(0, 100), { poolStakedRaw, knownStakedRaw });
      expect(ranked.reduce((sum, { shareBps }) => sum + shareBps, 0)).toBeLessThanOrEqual(10_000);
    }),
  );
});
