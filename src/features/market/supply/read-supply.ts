import type { DammPool } from '../../../chain/accounts/damm-pool.ts';
import { migrationProgress } from '../../../chain/accounts/virtual-pool.ts';
import { hasUnlockedLiquidity } from '../../../chain/rpc/account-calls.ts';
import { firstResponse } from '../../../chain/rpc/first-response.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { Queryable } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { LiquidityLock, SupplyComposition } from '../schema.ts';
import { splitSupply } from './buckets.ts';
import { findSupplyToken, type StoredLiquidityLock } from './find-supply-token.ts';
import { toComposition, unavailableComposition } from './record.ts';
import { readSnapshot, type SnapshotReads, type SupplySnapshot } from './snapshot-accounts.ts';
import { createSnapshotSource } from './take-snapshot.ts';

export interface SupplyDependencies {
  publicDatabase: Queryable;
  clock: Clock;
  /** In the order of their use. */
  rpcs: readonly ChainRpc[];
}

const POSITIONS_TIMEOUT_MS = 3_000;
const ALL_BPS = 10_000n;

/** Reads the composition of a visible token's supply in one slot (contract/supply#one-slot); null for any other mint. */
export function createSupplyReader(
  dependencies: SupplyDependencies,
): (mint: string) => Promise<SupplyComposition | null> {
  const takeSnapshot = createSnapshotSource(() => dependencies.rpcs);

  return async (mint) => {
    const { publicDatabase: database, clock } = dependencies;
    const token = await findSupplyToken(database, mint);
    if (token === null) return null;
    if (token.poolAddress === null) return unavailableComposition(mint, clock.now(), 'not_launched');
    const snapshot = await takeSnapshot(mint, token.poolAddress, token.vaults);
    const now = clock.now();
    if (snapshot === null) return unavailableComposition(mint, now, 'chain_unavailable');
    if (isBeforeLaunch(snapshot)) return unavailableComposition(mint, now, 'not_launched');
    const reads = readSnapshot(snapshot, now);
    const lpLock = await readLock(dependencies.rpcs, reads, token.liquidityLock);
    const { slot } = snapshot.read;
    return toComposition(mint, now, { ...reads, slot, split: splitSupply(reads), lpLock });
  };
}

/** A pool is created together with its mint, so before a launch neither exists. */
function isBeforeLaunch({ addresses: { mint, pool }, read: { accounts } }: SupplySnapshot): boolean {
  return accounts.get(mint) === null && accounts.get(pool) === null;
}

/**
 * Reads the lock from the migrated pool's account, and from its positions only when they matter; without a
 * pool account from the report of ingest, else null.
 */
async function readLock(
  rpcs: readonly ChainRpc[],
  { pool, amm }: SnapshotReads,
  stored: StoredLiquidityLock | null,
): Promise<LiquidityLock | null> {
  if (pool?.migrationProgress !== migrationProgress.migrated) return null;
  const reported = stored === null ? null : lockOfIngest(stored);
  if (amm === null) return reported;
  if (!needsPositions(amm.state)) return lockOfPool(amm.address, amm.state, false);
  const unlocked = await firstResponse(rpcs, (rpc) =>
    hasUnlockedLiquidity(rpc, amm.address, POSITIONS_TIMEOUT_MS),
  );
  return unlocked.ok ? lockOfPool(amm.address, amm.state, unlocked.value) : reported;
}

/**
 * True when the pool alone does not show whether any liquidity can be withdrawn: it adds vested and free
 * liquidity up.
 */
function needsPositions({ liquidity, permanentlyLockedLiquidity }: DammPool): boolean {
  return permanentlyLockedLiquidity < liquidity;
}

/** The lock in the pool's own account. */
function lockOfPool(
  poolAddress: string,
  { liquidity, permanentlyLockedLiquidity, positionCount }: DammPool,
  hasUnlockedLiquidity: boolean,
): LiquidityLock {
  return {
    poolAddress,
    positionCount,
    permanentlyLockedBps: liquidity === 0n ? 0 : Number((permanentlyLockedLiquidity * ALL_BPS) / liquidity),
    hasUnlockedLiquidity,
    isFullyPermanentlyLocked: liquidity > 0n && permanentlyLockedLiquidity === liquidity,
  };
}

/**
 * The lock that ingest reported. It does not include vesting, so liquidity that is not permanently locked
 * counts as unlocked.
 */
function lockOfIngest(stored: StoredLiquidityLock): LiquidityLock {
  const isFullyPermanentlyLocked = stored.permanentlyLockedBps === Number(ALL_BPS);
  return { ...stored, hasUnlockedLiquidity: !isFullyPermanentlyLocked, isFullyPermanentlyLocked };
}
