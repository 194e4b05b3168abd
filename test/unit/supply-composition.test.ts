import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Mint } from '../../src/chain/accounts/mint.ts';
import type { PoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { migrationProgress, type VirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import {
  type BucketKey,
  baseUpToMigrationRaw,
  bucketKeys,
  type SupplyReads,
  splitSupply,
} from '../../src/features/market/supply/buckets.ts';
import { percentageOf } from '../../src/features/market/supply/record.ts';
import type { Address } from '../../src/shared/address.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112' as Address;
const U64_MAX = 2n ** 64n - 1n;

interface State {
  reads: SupplyReads & { mint: Mint; pool: VirtualPool; config: PoolConfig };
  /** What each bucket must come to. */
  amounts: ReadonlyMap<BucketKey, bigint>;
}

const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: U64_MAX / 16n }));

const curve = fc
  .array(
    fc.record({
      step: fc.bigInt({ min: 1n, max: 2n ** 62n }),
      liquidity: fc.bigInt({ min: 0n, max: 2n ** 110n }),
    }),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  .map((steps) => {
    let sqrtPrice = 2n ** 58n;
    return steps.map(({ step, liquidity }) => {
      sqrtPrice += step;
      return { sqrtPrice, liquidity };
    });
  });

/** Any state a pool can be in, with vaults that hold what the state says plus a leftover. */
const states: fc.Arbitrary<State> = fc
  .record({
    progress: fc.integer({ min: 0, max: 3 }),
    curve,
    start: fc.bigInt({ min: 2n ** 57n, max: 2n ** 58n }),
    position: fc.integer({ min: 0, max: 1_000 }),
    threshold: amount,
    vesting: amount,
    escrow: amount,
    fees: amount,
    leftover: amount,
    reserve: amount,
    ammFee: amount,
    float: amount,
  })
  .map((shape) => {
    const migrationSqrtPrice = shape.curve.at(-1)?.sqrtPrice ?? 0n;
    const sqrtPrice = shape.start + ((migrationSqrtPrice - shape.start) * BigInt(shape.position)) / 1_000n;
    const config: PoolConfig = {
      quoteMint: ADDRESS,
      migrationOption: 1,
      migrationFeeOption: 0,
      migrationQuoteThreshold: 1n,
      migrationBaseThresholdRaw: shape.threshold,
      migrationSqrtPrice,
      sqrtStartPrice: shape.start,
      vesting: { totalRaw: shape.vesting, durationSeconds: 0n },
      curve: shape.curve,
    };
    const { progress } = shape;
    const unsold = progress === migrationProgress.bonding ? baseUpToMigrationRaw(sqrtPrice, config) : 0n;
    const threshold = progress < migrationProgress.migrated ? shape.threshold : 0n;
    const vaultVesting = progress < migrationProgress.vestingLocked ? shape.vesting : 0n;
    const escrow = progress >= migrationProgress.vestingLocked && shape.vesting > 0n ? shape.escrow : 0n;
    const migrated = progress === migrationProgress.migrated;
    const reserve = migrated ? shape.reserve : 0n;
    const ammFee = migrated ? shape.ammFee : 0n;
    const vault = unsold + threshold + vaultVesting + shape.fees + shape.leftover;
    const supplyRaw = vault + escrow + reserve + ammFee + shape.float;
    return {
      reads: {
        mint: {
          tokenProgram: 'spl_token',
          supplyRaw,
          decimals: 6,
          mintAuthority: null,
          freezeAuthority: null,
          extensions: [],
        },
        pool: {
          config: ADDRESS,
          baseMint: ADDRESS,
          baseVault: ADDRESS,
          sqrtPrice,
          baseIsToken2022: false,
          migrationProgress: progress,
          finishCurveTimestamp: 0n,
          unclaimedBaseRaw: shape.fees,
        },
        config,
        baseVault: { address: 'base', balanceRaw: vault },
        escrow: { address: 'escrow', balanceRaw: shape.escrow },
        ammVault: { address: 'amm', balanceRaw: shape.reserve + shape.ammFee },
        ammProtocolFeeRaw: shape.ammFee,
        vaults: [],
      },
      amounts: new Map<BucketKey, bigint>([
        ['curve_unsold', unsold],
        ['curve_leftover', shape.leftover],
        ['migration_reserve', threshold],
        ['pool_reserve', reserve],
        ['vesting_escrows', vaultVesting + escrow],
        ['fee_vault', shape.fees + ammFee],
        ['free_float', shape.float],
      ]),
    };
  });

describe('a supply read in full', () => {
  test('is divided exactly: every bucket is right, none is empty, and they sum to the supply', () => {
    fc.assert(
      fc.property(states, ({ reads, amounts }) => {
        const { complete, buckets, unread } = splitSupply(reads);
        expect({ complete, unread }).toEqual({ complete: true, unread: [] });
        const found = new Map(buckets.map(({ key, amountRaw }) => [key, amountRaw]));
        expect(found).toEqual(new Map(bucketKeys.flatMap((key) => nonEmpty(key, amounts))));
        const sum = buckets.reduce((total, { amountRaw }) => total + amountRaw, 0n);
        expect(sum).toBe(reads.mint.supplyRaw);
      }),
    );
  });

  test('has percentages that never sum above 100 and are at most a millionth of a percent short each', () => {
    fc.assert(
      fc.property(states, ({ reads }) => {
        const { supplyRaw } = reads.mint;
        const { buckets } = splitSupply(reads);
        if (supplyRaw === 0n) return;
        const millionths = buckets.map(({ amountRaw }) =>
          Math.round(percentageOf(amountRaw, supplyRaw) * 1e6),
        );
        const sum = millionths.reduce((total, one) => total + one, 0);
        expect(sum).toBeLessThanOrEqual(100_000_000);
        expect(sum).toBeGreaterThanOrEqual(100_000_000 - buckets.length);
      }),
    );
  });

  test('names the account each bucket lies in', () => {
    fc.assert(
      fc.property(states, ({ reads }) => {
        for (const { key, addresses } of splitSupply(reads).buckets) {
          if (key === 'free_float') expect(addresses).toEqual([]);
          else expect(addresses.length).toBeGreaterThan(0);
          if (key === 'pool_reserve') expect(addresses).toEqual(['amm']);
          if (key === 'curve_unsold' || key === 'curve_leftover') expect(addresses).toEqual(['base']);
        }
      }),
    );
  });
});

const failures = fc.record({
  mint: fc.boolean(),
  pool: fc.boolean(),
  config: fc.boolean(),
  baseVault: fc.boolean(),
  escrow: fc.boolean(),
  ammVault: fc.boolean(),
  ammProtocolFeeRaw: fc.boolean(),
});

describe('a supply read in part', () => {
  test('states only what is certain, names the rest, and never has a free float', () => {
    fc.assert(
      fc.property(states, failures, ({ reads, amounts }, failed) => {
        const lost = Object.entries(failed).filter(([, isLost]) => isLost);
        const partial = { ...reads, ...Object.fromEntries(lost.map(([name]) => [name, null])) };
        const { complete, buckets, unread } = splitSupply(partial);
        if (complete) {
          expect(splitSupply(partial)).toEqual(splitSupply(reads));
          return;
        }
        const keys = buckets.map(({ key }) => key);
        expect([...keys, ...unread]).not.toContain('free_float');
        for (const { key, amountRaw } of buckets) expect(amountRaw).toBe(amounts.get(key) ?? -1n);
        for (const key of bucketKeys.slice(0, -1)) {
          if ((amounts.get(key) ?? 0n) > 0n) expect([...keys, ...unread]).toContain(key);
          expect(keys.includes(key) && unread.includes(key)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('leaves out shares of a vault that holds less than they claim', () => {
    fc.assert(
      fc.property(states, ({ reads, amounts }) => {
        const claimed = (reads.baseVault?.balanceRaw ?? 0n) - (amounts.get('curve_leftover') ?? 0n);
        if (claimed === 0n) return;
        const short = { ...reads, baseVault: { address: 'base', balanceRaw: claimed - 1n } };
        const { complete, unread } = splitSupply(short);
        expect(complete).toBe(false);
        expect(unread).toContain('curve_leftover');
      }),
    );
  });
});

function nonEmpty(key: BucketKey, amounts: ReadonlyMap<BucketKey, bigint>): [BucketKey, bigint][] {
  const amountRaw = amounts.get(key) ?? 0n;
  return amountRaw > 0n ? [[key, amountRaw]] : [];
}
