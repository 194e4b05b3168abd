import type { Address } from '../../shared/address.ts';
import { type ChainAccount, fieldsOfShape } from './account-data.ts';
import { BONDING_CURVE } from './programs.ts';

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

// VirtualPool and TransferHookPool have the same fields (public IDL, program 0.2.1), checked against
// test/fixtures/dbc.
export const curvePoolShape = {
  program: BONDING_CURVE,
  discriminators: ['d5e005d16245775c', 'eddbb8172abda923'],
  bytesMin: 8 + 416,
};

const CONFIG = 72;
const BASE_MINT = 136;
const BASE_VAULT = 168;
const PROTOCOL_BASE_FEE = 248;
const PARTNER_BASE_FEE = 264;
const SQRT_PRICE = 280;
const POOL_TYPE = 304;
const MIGRATION_PROGRESS = 308;
const FINISH_CURVE_TIMESTAMP = 344;
const CREATOR_BASE_FEE = 352;
const PROTOCOL_MIGRATION_BASE_FEE = 384;

const TOKEN_2022_POOL = 1;

/** Null when the account is no curve pool. */
export function readVirtualPool(account: ChainAccount | null): VirtualPool | null {
  const fields = fieldsOfShape(account, curvePoolShape);
  if (fields === null) return null;
  const progress = fields.u8(MIGRATION_PROGRESS);
  if (progress > migrationProgress.migrated) return null;
  return {
    config: fields.address(CONFIG),
    baseMint: fields.address(BASE_MINT),
    baseVault: fields.address(BASE_VAULT),
    sqrtPrice: fields.u128(SQRT_PRICE),
    baseIsToken2022: fields.u8(POOL_TYPE) === TOKEN_2022_POOL,
    migrationProgress: progress,
    finishCurveTimestamp: fields.u64(FINISH_CURVE_TIMESTAMP),
    unclaimedBaseRaw:
      fields.u64(PROTOCOL_BASE_FEE) +
      fields.u64(PARTNER_BASE_FEE) +
      fields.u64(CREATOR_BASE_FEE) +
      fields.u64(PROTOCOL_MIGRATION_BASE_FEE),
  };
}
