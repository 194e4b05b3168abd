import { newAddress } from './ingest-stream.ts';

/** The time of a slot in these tests. */
export const atSlot = (slot: number) => new Date(Date.UTC(2026, 0, 1) + slot * 400).toISOString();

/** `ingest.staking_pool`. */
export function poolMessage(mintAddress: string, slot: number, changes: Record<string, unknown> = {}) {
  return {
    mintAddress,
    poolAddress: mintAddress,
    status: 'active' as const,
    totalStakedRaw: '1000',
    stakerCount: 3,
    rewardRatePerSecondRaw: '7',
    rewardsDistributedRaw: '70',
    lockPeriodSeconds: 86_400,
    slot: String(slot),
    asOf: atSlot(slot),
    ...changes,
  };
}

/** `ingest.staking_position` of a new account. */
export function positionMessage(
  mintAddress: string,
  walletAddress: string,
  slot: number,
  changes: Record<string, unknown> = {},
) {
  return {
    positionAddress: newAddress(),
    mintAddress,
    walletAddress,
    stakedRaw: '10',
    pendingRewardsRaw: '0',
    claimedRewardsRaw: '0',
    stakedAt: atSlot(0),
    slot: String(slot),
    asOf: atSlot(slot),
    ...changes,
  };
}
