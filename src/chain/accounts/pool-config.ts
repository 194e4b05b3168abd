import type { Address } from '../../shared/address.ts';
import { type AccountFields, type ChainAccount, fieldsOfShape } from './account-data.ts';
import { writeWide } from './account-layout.ts';
import { BONDING_CURVE } from './programs.ts';

/** One stretch of the curve. It begins where the one before ends. */
export interface CurveSegment {
  /** Upper end of the stretch, Q64.64. */
  sqrtPrice: bigint;
  liquidity: bigint;
}

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
  /** Base tokens set aside for the AMM pool. */
  migrationBaseThresholdRaw: bigint;
  /** Price at which the curve is complete, as a Q64.64 square root. */
  migrationSqrtPrice: bigint;
  sqrtStartPrice: bigint;
  vesting: LockedVesting;
  curve: readonly CurveSegment[];
}

// PoolConfig, and ConfigWithTransferHook, which appends to it (public IDL); checked against test/fixtures/dbc.
export const curveConfigShape = {
  program: BONDING_CURVE,
  discriminators: ['1a6c0e7b74e6812b', '28dcc2fb29c77bfd'],
  bytesMin: 8 + 1040,
};

const QUOTE_MINT = 8;
const MIGRATION_OPTION = 233;
const MIGRATION_FEE_OPTION = 243;
const MIGRATION_BASE_THRESHOLD = 272;
const MIGRATION_SQRT_PRICE = 280;
const VESTING = 296;
const SQRT_START_PRICE = 392;
const CURVE = 408;
const CURVE_POINTS = 20;
const CURVE_POINT_BYTES = 32;

/** Null when the account is no config. */
export function readPoolConfig(account: ChainAccount | null): PoolConfig | null {
  const fields = fieldsOfShape(account, curveConfigShape);
  if (fields === null) return null;
  return {
    quoteMint: fields.address(QUOTE_MINT),
    migrationOption: fields.u8(MIGRATION_OPTION),
    migrationFeeOption: fields.u8(MIGRATION_FEE_OPTION),
    migrationBaseThresholdRaw: fields.u64(MIGRATION_BASE_THRESHOLD),
    migrationSqrtPrice: fields.u128(MIGRATION_SQRT_PRICE),
    sqrtStartPrice: fields.u128(SQRT_START_PRICE),
    vesting: readVesting(fields),
    curve: readCurve(fields),
  };
}

function readVesting(fields: AccountFields): LockedVesting {
  const amountPerPeriod = fields.u64(VESTING);
  const cliffSeconds = fields.u64(VESTING + 8);
  const periodSeconds = fields.u64(VESTING + 16);
  const periods = fields.u64(VESTING + 24);
  const cliffAmount = fields.u64(VESTING + 32);
  return {
    totalRaw: cliffAmount + amountPerPeriod * periods,
    durationSeconds: cliffSeconds + periodSeconds * periods,
  };
}

/** Unused points at the end of the account are zero. */
export function readCurve(fields: AccountFields): CurveSegment[] {
  return Array.from({ length: CURVE_POINTS }, (_, index) => {
    const offset = CURVE + index * CURVE_POINT_BYTES;
    return { sqrtPrice: fields.u128(offset), liquidity: fields.u128(offset + 16) };
  }).filter(({ sqrtPrice }) => sqrtPrice > 0n);
}

/** Throws RangeError for more points than the account has room for. */
export function writeCurve(data: Uint8Array, curve: readonly CurveSegment[]): void {
  if (curve.length > CURVE_POINTS) throw new RangeError(`a curve has at most ${CURVE_POINTS} points`);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  bytes.fill(0, CURVE, CURVE + CURVE_POINTS * CURVE_POINT_BYTES);
  curve.forEach(({ sqrtPrice, liquidity }, index) => {
    const offset = CURVE + index * CURVE_POINT_BYTES;
    writeWide(bytes, offset, sqrtPrice, 16);
    writeWide(bytes, offset + 16, liquidity, 16);
  });
}
