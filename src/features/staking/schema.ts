import { type Static, Type } from '@sinclair/typebox';
import { stakingPoolStatuses } from '../../db/values/staking.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  AsOfField,
  Closed,
  CountField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SlotField,
  TimestampField,
  WalletAddressField,
} from '../../shared/field-schemas.ts';

/** contract/staking-fees#staking-pool */
export const StakingPoolSchema = Named('StakingPool', {
  mintAddress: MintAddressField,
  poolAddress: described('Account of the pool.', AddressField),
  status: described('State of the record.', OneOf(stakingPoolStatuses)),
  totalStakedRaw: described('Sum of all stakes, in base units.', IntStringField),
  stakerCount: described('Wallets that stake.', CountField),
  rewardRatePerSecondRaw: described('Rewards per second, in base units.', IntStringField),
  rewardsDistributedRaw: described('Rewards paid so far, base units.', IntStringField),
  lockPeriodSeconds: described('How long a stake is locked.', CountField),
  slot: SlotField,
  asOf: AsOfField,
});
export type StakingPool = Static<typeof StakingPoolSchema>;

/** The top 100 (contract/staking-fees#leaderboard). */
export const StakingLeaderboardSchema = Named('StakingLeaderboard', {
  asOf: AsOfField,
  data: described(
    'The stakers, largest first.',
    Type.Array(
      Closed({
        rank: described('Rank; equal stakes share one.', Type.Integer({ minimum: 1 })),
        walletAddress: WalletAddressField,
        stakedRaw: described('Stake in base units.', IntStringField),
        shareBps: described(
          'Share of all stakes, in basis points.',
          Type.Integer({ minimum: 0, maximum: 10_000 }),
        ),
        stakedSince: described('When the oldest stake that the wallet still holds began.', TimestampField),
      }),
      { maxItems: unpublishedLimits.stakingLeaderboard },
    ),
  ),
});
export type StakingLeaderboard = Static<typeof StakingLeaderboardSchema>;
export type RankedStake = StakingLeaderboard['data'][number];

/** Positions of the key's wallet (contract/staking-fees#owned-positions). */
export const StakingPositionsSchema = Named('StakingPositions', {
  asOf: AsOfField,
  data: described(
    'The positions, oldest first.',
    Type.Array(
      Closed({
        id: IdField,
        walletAddress: WalletAddressField,
        stakedRaw: described('Stake in base units.', IntStringField),
        pendingRewardsRaw: described('Rewards that can be claimed, base units.', IntStringField),
        claimedRewardsRaw: described('Rewards that were claimed, base units.', IntStringField),
        stakedAt: described('When it was staked.', TimestampField),
        unlocksAt: described(
          'When the stake can be taken back; null if there is no such time.',
          Nullable(TimestampField),
        ),
      }),
    ),
  ),
});
export type OwnedPositions = Static<typeof StakingPositionsSchema>;
