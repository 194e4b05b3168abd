import type { Address } from '../../shared/address.ts';
import { type CurveSegment, readCurveConfig, readCurveConfigKeys } from '../pools/curve/config-account.ts';
import type { ChainAccount } from './account-data.ts';

/** Tokens that the creator gets over time after the curve completes. `totalRaw` is 0 when none are locked. */
export interface LockedVesting {
  totalRaw: bigint;
  /** Seconds from the end of the curve until all tokens are unlocked. */
  durationSeconds: bigint;
}

/** Immutable settings of a bonding curve. */
export interface PoolConfig {
  quoteMint: Address;
  /** The AMM into which the pool migrates: 0 DAMM v1, 1 DAMM v2. */
  migrationOption: number;
  /** The fee tier of the migrated pool. */
  migrationFeeOption: number;
  /** Lamports in the pool at which the curve is complete. */
  migrationQuoteThreshold: bigint;
  /** Base tokens set aside for the AMM pool. */
  migrationBaseThresholdRaw: bigint;
  /** Price at which the curve is complete, as a Q64.64 square root. */
  migrationSqrtPrice: bigint;
  sqrtStartPrice: bigint;
  vesting: LockedVesting;
  curve: readonly CurveSegment[];
}

/** Null when the account is no config. */
export function readPoolConfig(account: ChainAccount | null): PoolConfig | null {
  const config = readCurveConfig(account);
  const keys = readCurveConfigKeys(account);
  if (config === null || keys === null) return null;
  return {
    quoteMint: keys.quoteMint,
    migrationOption: config.migrationOption,
    migrationFeeOption: config.migrationFeeOption,
    migrationQuoteThreshold: config.migrationQuoteThreshold,
    migrationBaseThresholdRaw: config.migrationBaseThreshold,
    migrationSqrtPrice: config.migrationSqrtPrice,
    sqrtStartPrice: config.sqrtStartPrice,
    vesting: {
      totalRaw: config.vestingCliffUnlockAmount + config.vestingAmountPerPeriod * config.vestingPeriods,
      durationSeconds: config.vestingCliffSeconds + config.vestingFrequency * config.vestingPeriods,
    },
    curve: config.curve,
  };
}
