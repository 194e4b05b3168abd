import type { DammPool } from '../../../chain/accounts/damm-pool.ts';
import type { LiquidityLock } from '../schema.ts';
import type { StoredLiquidityLock } from './find-supply-token.ts';

const ALL_BPS = 10_000n;

/**
 * True when the pool alone does not show whether any liquidity can be withdrawn: it adds vested and free
 * liquidity up.
 */
export function needsPositions({ liquidity, permanentlyLockedLiquidity }: DammPool): boolean {
  return permanentlyLockedLiquidity < liquidity;
}

/** The lock in the pool's own account. */
export function lockOfPool(
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
export function lockOfIngest(stored: StoredLiquidityLock): LiquidityLock {
  const isFullyPermanentlyLocked = stored.permanentlyLockedBps === Number(ALL_BPS);
  return { ...stored, hasUnlockedLiquidity: !isFullyPermanentlyLocked, isFullyPermanentlyLocked };
}
