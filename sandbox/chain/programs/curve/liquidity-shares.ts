import { notComputed } from '../anchor/anchor-program.ts';
import type { ConfigState, PoolState } from './curve-accounts.ts';

/** The liquidity of one position: part of it stays free, part is locked for ever. */
export interface PositionShare {
  readonly owner: string;
  readonly unlocked: bigint;
  readonly locked: bigint;
  readonly lockedPercent: number;
}

export function totalOf({ unlocked, locked }: PositionShare): bigint {
  return unlocked + locked;
}

/** Positions of partner and creator, the bigger one first. When both are equal, the creator's is first. */
export function positionShares(
  config: ConfigState,
  pool: PoolState,
  liquidity: bigint,
): readonly [PositionShare, PositionShare] {
  if (config.partnerVestingPercent > 0 || config.creatorVestingPercent > 0)
    throw notComputed('migrations with vested liquidity');
  const part = (percent: number) => (liquidity * BigInt(percent)) / 100n;
  const partner = {
    owner: config.feeClaimer,
    unlocked: part(config.partnerLiquidityPercent),
    locked: part(config.partnerPermanentLockedLiquidityPercent),
    lockedPercent: config.partnerPermanentLockedLiquidityPercent,
  };
  const creatorLocked = part(config.creatorPermanentLockedLiquidityPercent);
  const creator = {
    owner: pool.creator,
    // The creator gets the remainder of the rounding.
    unlocked: liquidity - totalOf(partner) - creatorLocked,
    locked: creatorLocked,
    lockedPercent: config.creatorPermanentLockedLiquidityPercent,
  };
  return totalOf(partner) > totalOf(creator) ? [partner, creator] : [creator, partner];
}

/** The share with another liquidity. The free part stays the same unless the liquidity is less. */
export function resized(share: PositionShare, liquidity: bigint): PositionShare {
  if (share.lockedPercent === 0) return { ...share, unlocked: liquidity, locked: 0n };
  const unlocked = liquidity < share.unlocked ? liquidity : share.unlocked;
  return { ...share, unlocked, locked: liquidity - unlocked };
}
