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

/** Partner's and creator's positions, the bigger one first; of equals the creator's. */
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
    // What rounding leaves over is the creator's.
    unlocked: liquidity - totalOf(partner) - creatorLocked,
    locked: creatorLocked,
    lockedPercent: config.creatorPermanentLockedLiquidityPercent,
  };
  return totalOf(partner) > totalOf(creator) ? [partner, creator] : [creator, partner];
}

/** The share when its liquidity turns out another: the free part is kept as far as it goes. */
export function resized(share: PositionShare, liquidity: bigint): PositionShare {
  if (share.lockedPercent === 0) return { ...share, unlocked: liquidity, locked: 0n };
  const unlocked = liquidity < share.unlocked ? liquidity : share.unlocked;
  return { ...share, unlocked, locked: liquidity - unlocked };
}
