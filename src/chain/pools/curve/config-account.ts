import { type AccountFields, type ChainAccount, fieldsOf } from '../../accounts/account-data.ts';
import { accountLayout, type FieldsOf, writeWide } from '../../accounts/account-layout.ts';
import { BONDING_CURVE } from '../../accounts/programs.ts';

/** One stretch of the curve. It begins where the one before ends. */
export interface CurveSegment {
  /** Upper end of the stretch, Q64.64. */
  sqrtPrice: bigint;
  liquidity: bigint;
}

// PoolConfig, and ConfigWithTransferHook, which appends to it (public IDL); checked against test/fixtures/dbc.
export const curveConfigShape = {
  program: BONDING_CURVE,
  discriminators: ['1a6c0e7b74e6812b', '28dcc2fb29c77bfd'],
  bytesMin: 8 + 1040,
};

const CURVE = 408;
const CURVE_POINTS = 20;
const CURVE_POINT_BYTES = 32;

const numberFields = {
  cliffFeeNumerator: [104, 'u64'],
  secondFactor: [112, 'u64'],
  thirdFactor: [120, 'u64'],
  firstFactor: [128, 'u16'],
  baseFeeMode: [130, 'u8'],
  hasDynamicFee: [136, 'u8'],
  maxVolatilityAccumulator: [144, 'u32'],
  variableFeeControl: [148, 'u32'],
  binStep: [152, 'u16'],
  filterPeriod: [154, 'u16'],
  decayPeriod: [156, 'u16'],
  reductionFactor: [158, 'u16'],
  binStepQ64: [168, 'u128'],
  hasPartnerVesting: [184, 'u8'],
  partnerVestingPercent: [185, 'u8'],
  partnerVestingBpsPerPeriod: [188, 'u16'],
  partnerVestingPeriods: [190, 'u16'],
  partnerVestingFrequency: [192, 'u32'],
  partnerVestingCliffSeconds: [196, 'u32'],
  hasCreatorVesting: [200, 'u8'],
  creatorVestingPercent: [201, 'u8'],
  creatorVestingBpsPerPeriod: [204, 'u16'],
  creatorVestingPeriods: [206, 'u16'],
  creatorVestingFrequency: [208, 'u32'],
  creatorVestingCliffSeconds: [212, 'u32'],
  collectFeeMode: [232, 'u8'],
  migrationOption: [233, 'u8'],
  activationType: [234, 'u8'],
  tokenDecimal: [235, 'u8'],
  version: [236, 'u8'],
  tokenType: [237, 'u8'],
  quoteTokenFlag: [238, 'u8'],
  partnerPermanentLockedLiquidityPercent: [239, 'u8'],
  partnerLiquidityPercent: [240, 'u8'],
  creatorPermanentLockedLiquidityPercent: [241, 'u8'],
  creatorLiquidityPercent: [242, 'u8'],
  migrationFeeOption: [243, 'u8'],
  fixedTokenSupplyFlag: [244, 'u8'],
  creatorTradingFeePercent: [245, 'u8'],
  tokenUpdateAuthority: [246, 'u8'],
  migrationFeePercent: [247, 'u8'],
  creatorMigrationFeePercent: [248, 'u8'],
  swapBaseAmount: [256, 'u64'],
  migrationQuoteThreshold: [264, 'u64'],
  migrationBaseThreshold: [272, 'u64'],
  migrationSqrtPrice: [280, 'u128'],
  vestingAmountPerPeriod: [296, 'u64'],
  vestingCliffSeconds: [304, 'u64'],
  vestingFrequency: [312, 'u64'],
  vestingPeriods: [320, 'u64'],
  vestingCliffUnlockAmount: [328, 'u64'],
  preMigrationTokenSupply: [344, 'u64'],
  postMigrationTokenSupply: [352, 'u64'],
  migratedCollectFeeMode: [360, 'u8'],
  migratedDynamicFee: [361, 'u8'],
  migratedPoolFeeBps: [362, 'u16'],
  migratedPoolBaseFeeMode: [364, 'u8'],
  enableFirstSwapWithMinFee: [365, 'u8'],
  migratedCompoundingFeeBps: [366, 'u16'],
  poolCreationFee: [368, 'u64'],
  migratedPoolBaseFeeBytes: [376, 'u128'],
  sqrtStartPrice: [392, 'u128'],
} as const;

/** Addresses have a layout of their own, because encoding them costs more than a quote. */
const keyFields = {
  quoteMint: [8, 'address'],
  feeClaimer: [40, 'address'],
  leftoverReceiver: [72, 'address'],
} as const;

/** The numbers in a curve's config account. Amounts are raw. */
export interface CurveConfig extends FieldsOf<typeof numberFields> {
  curve: readonly CurveSegment[];
}

const numbers = accountLayout(curveConfigShape, numberFields);
const keys = accountLayout(curveConfigShape, keyFields);

/** Null when the account is no config. */
export function readCurveConfig(account: ChainAccount | null): CurveConfig | null {
  const read = numbers.read(account);
  return read === null || account === null ? null : { ...read, curve: readCurve(fieldsOf(account.data)) };
}

/** Writes fields into the bytes of a config account. Points that the curve does not use become zero. */
export function writeCurveConfig(data: Uint8Array, { curve, ...fields }: Partial<CurveConfig>): void {
  numbers.write(data, fields);
  if (curve !== undefined) writeCurve(data, curve);
}

export const readCurveConfigKeys = keys.read;
export const writeCurveConfigKeys = keys.write;

/** Unused points at the end of the account are zero. */
function readCurve(fields: AccountFields): CurveSegment[] {
  return Array.from({ length: CURVE_POINTS }, (_, index) => {
    const offset = CURVE + index * CURVE_POINT_BYTES;
    return { sqrtPrice: fields.u128(offset), liquidity: fields.u128(offset + 16) };
  }).filter(({ sqrtPrice }) => sqrtPrice > 0n);
}

/** Throws RangeError for more points than the account has room for. */
function writeCurve(data: Uint8Array, curve: readonly CurveSegment[]): void {
  if (curve.length > CURVE_POINTS) throw new RangeError(`a curve has at most ${CURVE_POINTS} points`);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  bytes.fill(0, CURVE, CURVE + CURVE_POINTS * CURVE_POINT_BYTES);
  curve.forEach(({ sqrtPrice, liquidity }, index) => {
    const offset = CURVE + index * CURVE_POINT_BYTES;
    writeWide(bytes, offset, sqrtPrice, 16);
    writeWide(bytes, offset + 16, liquidity, 16);
  });
}
