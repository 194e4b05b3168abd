import type { Mint } from '../../../chain/accounts/mint.ts';
import type { PoolConfig } from '../../../chain/accounts/pool-config.ts';
import { migrationProgress, type VirtualPool } from '../../../chain/accounts/virtual-pool.ts';
import type { CurveSegment } from '../../../chain/pools/curve/config-account.ts';

/** Buckets (contract/supply#buckets), in their order in the response. */
export const bucketKeys = [
  'curve_unsold',
  'curve_leftover',
  'migration_reserve',
  'pool_reserve',
  'vesting_escrows',
  'staking_vault',
  'tokenomics_vault',
  'fee_vault',
  'free_float',
] as const;

export type BucketKey = (typeof bucketKeys)[number];

/** Results of one snapshot; null for an account that could not be read. */
export interface SupplyReads {
  mint: Mint | null;
  pool: VirtualPool | null;
  config: PoolConfig | null;
  baseVault: Holding | null;
  /** The locker's escrow token account; used from the moment the vesting is locked. */
  escrow: Holding | null;
  /** The vault of the AMM pool; used once the pool has migrated. */
  ammVault: Holding | null;
  /** Unclaimed protocol fee inside the vault of the AMM pool. */
  ammProtocolFeeRaw: bigint | null;
  /** Vaults in the token's registration. */
  vaults: readonly NamedVault[];
}

/**
 * A vault of staking or tokenomics. Null balance: the account is no token account of the mint, or was not
 * read.
 */
export interface NamedVault {
  key: 'staking_vault' | 'tokenomics_vault';
  address: string;
  balanceRaw: bigint | null;
}

export interface Holding {
  address: string;
  balanceRaw: bigint;
}

export interface Bucket {
  key: BucketKey;
  amountRaw: bigint;
  addresses: readonly string[];
}

export interface SupplySplit {
  /** True when nothing failed: then the buckets sum to the supply of the mint. */
  complete: boolean;
  buckets: readonly Bucket[];
  /** Buckets that hold or may hold something but could not be read. Never `free_float`, which is computed. */
  unread: readonly BucketKey[];
}

/** A share of a token account; null amount: unknown. */
interface Part {
  key: BucketKey;
  amountRaw: bigint | null;
  address: string | null;
}

/**
 * Splits a supply by its location, as test/fixtures/dbc/README.md defines it. A bucket counts as read when
 * the accounts that give its size and the accounts that hold it were read; one that is known to be empty is
 * left out either way. Without the mint there is no supply to split, so every bucket counts as unread.
 */
export function splitSupply(reads: SupplyReads): SupplySplit {
  const parts = [...vaultParts(reads), escrowPart(reads), ...ammParts(reads), ...namedParts(reads)];
  const unread = new Set(parts.filter(({ amountRaw }) => amountRaw === null).map(({ key }) => key));
  const { mint } = reads;
  const held = parts.reduce((sum, { amountRaw }) => sum + (amountRaw ?? 0n), 0n);
  if (mint === null || held > mint.supplyRaw) {
    return { complete: false, buckets: [], unread: inOrder(parts.filter(isNotEmpty).map(({ key }) => key)) };
  }
  const complete = unread.size === 0;
  const float: Part[] = complete
    ? [{ key: 'free_float', amountRaw: mint.supplyRaw - held, address: null }]
    : [];
  const buckets = bucketKeys.flatMap((key) =>
    unread.has(key)
      ? []
      : bucketOf(
          key,
          [...parts, ...float].filter((part) => part.key === key),
        ),
  );
  return { complete, buckets, unread: inOrder([...unread]) };
}

/** Splits the curve's base vault into its shares and the leftover. */
function vaultParts(reads: SupplyReads): Part[] {
  const { pool, config, baseVault } = reads;
  const address = baseVault?.address ?? null;
  const shares: Part[] = [
    { key: 'curve_unsold', amountRaw: unsoldRaw(pool, config), address },
    { key: 'migration_reserve', amountRaw: migrationReserveRaw(pool, config), address },
    { key: 'vesting_escrows', amountRaw: vestingInVaultRaw(pool, config), address },
    { key: 'fee_vault', amountRaw: pool?.unclaimedBaseRaw ?? null, address },
  ];
  const leftover = leftoverRaw(baseVault, shares);
  // Shares of a vault that was not read, or that holds less than their sum, are unreliable.
  const vouched = baseVault !== null && (leftover === null || leftover >= 0n);
  return [
    ...shares.map((share) => (vouched || !isNotEmpty(share) ? share : { ...share, amountRaw: null })),
    { key: 'curve_leftover', amountRaw: vouched ? leftover : null, address },
  ];
}

function leftoverRaw(baseVault: Holding | null, shares: readonly Part[]): bigint | null {
  let rest = baseVault?.balanceRaw ?? null;
  for (const { amountRaw } of shares) rest = rest === null || amountRaw === null ? null : rest - amountRaw;
  return rest;
}

function unsoldRaw(pool: VirtualPool | null, config: PoolConfig | null): bigint | null {
  if (pool === null) return null;
  // From completion on it is 0, even if the price stopped slightly below the migration price.
  if (pool.migrationProgress !== migrationProgress.bonding) return 0n;
  return config === null ? null : baseUpToMigrationRaw(pool.sqrtPrice, config);
}

/**
 * Base tokens that the curve still sells from `sqrtPrice` up to the migration price: per segment ⌈liquidity ×
 * (high − low) / (low × high)⌉, each rounded up.
 */
export function baseUpToMigrationRaw(
  sqrtPrice: bigint,
  {
    sqrtStartPrice,
    migrationSqrtPrice,
    curve,
  }: Pick<PoolConfig, 'sqrtStartPrice' | 'migrationSqrtPrice' | 'curve'>,
): bigint {
  let segmentStart = sqrtStartPrice;
  let total = 0n;
  for (const segment of curve) {
    const low = segmentStart > sqrtPrice ? segmentStart : sqrtPrice;
    const high = segment.sqrtPrice < migrationSqrtPrice ? segment.sqrtPrice : migrationSqrtPrice;
    if (low > 0n && high > low) total += baseBetweenRaw(low, high, segment);
    segmentStart = segment.sqrtPrice;
  }
  return total;
}

function baseBetweenRaw(low: bigint, high: bigint, { liquidity }: CurveSegment): bigint {
  const denominator = low * high;
  return (liquidity * (high - low) + denominator - 1n) / denominator;
}

function migrationReserveRaw(pool: VirtualPool | null, config: PoolConfig | null): bigint | null {
  if (pool === null) return null;
  return pool.migrationProgress === migrationProgress.migrated
    ? 0n
    : (config?.migrationBaseThresholdRaw ?? null);
}

/** Until the locker is created, the vesting is in the base vault. */
function vestingInVaultRaw(pool: VirtualPool | null, config: PoolConfig | null): bigint | null {
  if (pool === null) return null;
  return pool.migrationProgress >= migrationProgress.vestingLocked ? 0n : (config?.vesting.totalRaw ?? null);
}

/** From then on, the vesting is in the locker's escrow. */
function escrowPart({ pool, config, escrow }: SupplyReads): Part {
  const part = { key: 'vesting_escrows', address: escrow?.address ?? null } as const;
  if (pool === null) return { ...part, amountRaw: null };
  const nothingLocked =
    pool.migrationProgress < migrationProgress.vestingLocked || config?.vesting.totalRaw === 0n;
  if (nothingLocked) return { ...part, amountRaw: 0n };
  return { ...part, amountRaw: config === null ? null : (escrow?.balanceRaw ?? null) };
}

/** After the migration: the AMM's vault without the unclaimed protocol fee in it, which counts as a fee. */
function ammParts({ pool, ammVault, ammProtocolFeeRaw }: SupplyReads): Part[] {
  const address = ammVault?.address ?? null;
  const reserve = { key: 'pool_reserve', address } as const;
  if (pool === null) return [{ ...reserve, amountRaw: null }];
  if (pool.migrationProgress !== migrationProgress.migrated) return [];
  const readable =
    ammVault !== null && ammProtocolFeeRaw !== null && ammProtocolFeeRaw <= ammVault.balanceRaw;
  const feeRaw = readable || ammProtocolFeeRaw === 0n ? ammProtocolFeeRaw : null;
  return [
    { ...reserve, amountRaw: readable ? ammVault.balanceRaw - ammProtocolFeeRaw : null },
    { key: 'fee_vault', amountRaw: feeRaw, address },
  ];
}

function namedParts({ vaults }: SupplyReads): Part[] {
  return vaults.map(({ key, address, balanceRaw }) => ({ key, address, amountRaw: balanceRaw }));
}

function isNotEmpty({ amountRaw }: Part): boolean {
  return amountRaw !== 0n;
}

function inOrder(keys: readonly BucketKey[]): BucketKey[] {
  return bucketKeys.filter((key) => keys.includes(key));
}

/** Combines the parts of one bucket; an empty bucket is left out. */
function bucketOf(key: BucketKey, parts: readonly Part[]): Bucket[] {
  const held = parts.filter(isNotEmpty);
  const amountRaw = held.reduce((sum, part) => sum + (part.amountRaw ?? 0n), 0n);
  if (amountRaw === 0n) return [];
  return [{ key, amountRaw, addresses: held.flatMap(({ address }) => (address === null ? [] : [address])) }];
}
