import type { Mint } from '../../../chain/accounts/mint.ts';
import { migrationProgress, type VirtualPool } from '../../../chain/accounts/virtual-pool.ts';
import type { LiquidityLock, SupplyComposition } from '../schema.ts';
import type { Bucket, SupplySplit } from './buckets.ts';

export type UnavailableReason = 'not_launched' | 'chain_unavailable';
type Lifecycle = 'bonding' | 'migrating' | 'graduated';

/** The results of reading a supply; every part may be missing. */
export interface SupplyFindings {
  slot: bigint;
  mint: Mint | null;
  pool: VirtualPool | null;
  split: SupplySplit;
  lpLock: LiquidityLock | null;
}

export function toComposition(
  mintAddress: string,
  computedAt: Date,
  { slot, mint, pool, split, lpLock }: SupplyFindings,
): SupplyComposition {
  const supplyRaw = mint?.supplyRaw ?? 0n;
  return {
    mintAddress,
    available: true,
    unavailableReason: null,
    computedAt: computedAt.toISOString(),
    slot: Number(slot),
    tokenDecimals: mint?.decimals ?? null,
    totalSupply: mint?.supplyRaw.toString() ?? null,
    lifecycle: pool === null ? null : lifecycleOf(pool),
    reads: split.complete ? 'complete' : 'partial',
    unreadBuckets: [...split.unread],
    buckets: split.buckets.map((bucket) => toBucket(bucket, supplyRaw)),
    authorities: mint === null ? null : toAuthorities(mint),
    lpLock,
  };
}

/** All other fields are null or empty (contract/supply#availability). */
export function unavailableComposition(
  mintAddress: string,
  computedAt: Date,
  unavailableReason: UnavailableReason,
): SupplyComposition {
  return {
    mintAddress,
    available: false,
    unavailableReason,
    computedAt: computedAt.toISOString(),
    slot: null,
    tokenDecimals: null,
    totalSupply: null,
    lifecycle: null,
    reads: null,
    unreadBuckets: [],
    buckets: [],
    authorities: null,
    lpLock: null,
  };
}

function toBucket({ key, amountRaw, addresses }: Bucket, supplyRaw: bigint) {
  return {
    key,
    amount: amountRaw.toString(),
    percentage: percentageOf(amountRaw, supplyRaw),
    addresses: [...addresses],
  };
}

const PERCENTAGE_FRACTION = 1_000_000n;

/** Percent with six fractional digits, the rest cut off: exact in integers, so a sum never exceeds 100. */
export function percentageOf(amountRaw: bigint, supplyRaw: bigint): number {
  return Number((amountRaw * 100n * PERCENTAGE_FRACTION) / supplyRaw) / Number(PERCENTAGE_FRACTION);
}

function toAuthorities({ mintAuthority, freezeAuthority, tokenProgram, extensions }: Mint) {
  return { mintAuthority, freezeAuthority, tokenProgram, extensions: [...extensions] };
}

/** The pool's own state, never inferred from buckets (contract/supply#composition). */
function lifecycleOf(pool: VirtualPool): Lifecycle {
  if (pool.migrationProgress === migrationProgress.bonding) return 'bonding';
  return pool.migrationProgress === migrationProgress.migrated ? 'graduated' : 'migrating';
}
