import type { Address } from '../../shared/address.ts';
import { readCurvePool, readCurvePoolKeys } from '../pools/curve/pool-account.ts';
import type { ChainAccount } from './account-data.ts';

/** The steps of a pool from the curve to the AMM (reference/solana#curve-progress). */
export const migrationProgress = { bonding: 0, curveComplete: 1, vestingLocked: 2, migrated: 3 } as const;

/** The state of a curve pool from which supply and prices are computed. */
export interface VirtualPool {
  config: Address;
  baseMint: Address;
  baseVault: Address;
  /** Current price as a Q64.64 square root. */
  sqrtPrice: bigint;
  baseIsToken2022: boolean;
  migrationProgress: number;
  /** Unix seconds; 0 while the curve trades. Locked vesting counts from this time. */
  finishCurveTimestamp: bigint;
  /**
   * Base tokens that protocol, partner and creator have not claimed yet, and the protocol's base share of the
   * migration.
   */
  unclaimedBaseRaw: bigint;
}

const TOKEN_2022_POOL = 1;

/** Null when the account is no curve pool. */
export function readVirtualPool(account: ChainAccount | null): VirtualPool | null {
  const pool = readCurvePool(account);
  const keys = readCurvePoolKeys(account);
  if (pool === null || keys === null || pool.migrationProgress > migrationProgress.migrated) return null;
  return {
    config: keys.config,
    baseMint: keys.baseMint,
    baseVault: keys.baseVault,
    sqrtPrice: pool.sqrtPrice,
    baseIsToken2022: pool.poolType === TOKEN_2022_POOL,
    migrationProgress: pool.migrationProgress,
    finishCurveTimestamp: pool.finishCurveTimestamp,
    unclaimedBaseRaw:
      pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee + pool.protocolMigrationBaseFee,
  };
}
