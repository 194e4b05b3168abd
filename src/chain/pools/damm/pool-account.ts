import { accountLayout, type FieldsOf } from '../../accounts/account-layout.ts';
import { DAMM_V2 } from '../../accounts/programs.ts';

// sha256('account:Pool')[..8]; offsets from the public IDL (8 + 1104 bytes).
export const dammPoolShape = { program: DAMM_V2, discriminators: ['f19a6d0411b16dbc'], bytesMin: 8 + 1104 };

const stateFields = {
  cliffFeeNumerator: [8, 'u64'],
  baseFeeMode: [16, 'u8'],
  firstFactor: [22, 'u16'],
  secondFactor: [24, 'u64'],
  thirdFactor: [32, 'u64'],
  protocolFeePercent: [48, 'u8'],
  referralFeePercent: [50, 'u8'],
  compoundingFeeBps: [54, 'u16'],
  hasDynamicFee: [56, 'u8'],
  maxVolatilityAccumulator: [64, 'u32'],
  variableFeeControl: [68, 'u32'],
  binStep: [72, 'u16'],
  filterPeriod: [74, 'u16'],
  decayPeriod: [76, 'u16'],
  reductionFactor: [78, 'u16'],
  lastUpdateTimestamp: [80, 'u64'],
  binStepQ64: [88, 'u128'],
  sqrtPriceReference: [104, 'u128'],
  volatilityAccumulator: [120, 'u128'],
  volatilityReference: [136, 'u128'],
  initSqrtPrice: [152, 'u128'],
  liquidity: [360, 'u128'],
  protocolAFee: [392, 'u64'],
  protocolBFee: [400, 'u64'],
  deadLiquidityFeeCheckpoint: [408, 'u64'],
  sqrtMinPrice: [424, 'u128'],
  sqrtMaxPrice: [440, 'u128'],
  sqrtPrice: [456, 'u128'],
  activationPoint: [472, 'u64'],
  activationType: [480, 'u8'],
  poolStatus: [481, 'u8'],
  tokenAFlag: [482, 'u8'],
  tokenBFlag: [483, 'u8'],
  collectFeeMode: [484, 'u8'],
  poolType: [485, 'u8'],
  feeVersion: [486, 'u8'],
  feeAPerLiquidity: [488, 'u256'],
  feeBPerLiquidity: [520, 'u256'],
  permanentLockLiquidity: [552, 'u128'],
  totalLpAFee: [568, 'u128'],
  totalLpBFee: [584, 'u128'],
  totalProtocolAFee: [600, 'u64'],
  totalProtocolBFee: [608, 'u64'],
  totalPosition: [632, 'u64'],
  tokenAAmount: [680, 'u64'],
  tokenBAmount: [688, 'u64'],
  layoutVersion: [696, 'u8'],
} as const;

/** Addresses never change. They have a layout of their own, because encoding them costs more than a quote. */
const keyFields = {
  tokenAMint: [168, 'address'],
  tokenBMint: [200, 'address'],
  tokenAVault: [232, 'address'],
  tokenBVault: [264, 'address'],
  whitelistedVault: [296, 'address'],
  creator: [648, 'address'],
} as const;

/** The numbers in an AMM pool account. Amounts are raw. */
export type DammPoolState = FieldsOf<typeof stateFields>;

const state = accountLayout(dammPoolShape, stateFields);
const keys = accountLayout(dammPoolShape, keyFields);

/** Null when the account is no DAMM v2 pool. */
export const readDammPoolState = state.read;
/** Writes fields, such as those that a swap changes, into the bytes of a pool account. */
export const writeDammPoolState = state.write;
export const readDammPoolKeys = keys.read;
export const writeDammPoolKeys = keys.write;
