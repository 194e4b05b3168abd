import { Type } from '@sinclair/typebox';
import { stakingPoolStatuses } from '../../db/schema/staking.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';

export const MintPath = Type.Object({ mint: AddressField });

/** contract/staking-fees#staking-pool */
export const StakingPoolSchema = Type.Object(
  {
    mintAddress: AddressField,
    poolAddress: AddressField,
    status: OneOf(stakingPoolStatuses),
    totalStakedRaw: IntStringField,
    stakerCount: Type.Integer({ minimum: 0 }),
    rewardRatePerSecondRaw: IntStringField,
    rewardsDistributedRaw: IntStringField,
    lockPeriodSeconds: Type.Integer({ minimum: 0 }),
    slot: IntStringField,
    asOf: TimestampField,
  },
  { $id: 'StakingPool', additionalProperties: false },
);

/** The top 100 (contract/staking-fees#leaderboard). */
export const StakingLeaderboardSchema = Type.Object(
  {
    asOf: TimestampField,
    data: Type.Array(
      Type.Object(
        {
          rank: Type.Integer({ minimum: 1 }),
          walletAddress: AddressField,
          stakedRaw: IntStringField,
          shareBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
          stakedSince: TimestampField,
        },
        { additionalProperties: false },
      ),
      { maxItems: unpublishedLimits.stakingLeaderboard },
    ),
  },
  { $id: 'StakingLeaderboard', additionalProperties: false },
);

/** Positions of the key's wallet (contract/staking-fees#owned-positions). */
export const StakingPositionsSchema = Type.Object(
  {
    asOf: TimestampField,
    data: Type.Array(
      Type.Object(
        {
          id: UuidField,
          walletAddress: AddressField,
          stakedRaw: IntStringField,
          pendingRewardsRaw: IntStringField,
          claimedRewardsRaw: IntStringField,
          stakedAt: TimestampField,
          unlocksAt: Nullable(TimestampField),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'StakingPositions', additionalProperties: false },
);
