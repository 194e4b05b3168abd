import { BONDING_CURVE, SYSTEM_PROGRAM, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import type { CurveSegment } from '../../../../src/chain/pools/curve/config-account.ts';
import {
  type CurveConfig,
  writeCurveConfig,
  writeCurveConfigKeys,
} from '../../../../src/chain/pools/curve/config-account.ts';
import { baseBetweenUp, priceAfterQuoteIn, quoteBetweenUp } from '../../../../src/chain/pools/sqrt-price.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { ZERO_ADDRESS } from '../../zero-address.ts';
import { accountsOf, payer, readonly, readonlyTokens, requireAccount } from '../anchor/accounts.ts';
import { type Handler, sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import { createAccount } from '../cpi/system-program.ts';
import { SQRT_PRICE_MAX } from '../pool-numbers.ts';
import { isPlainMint } from '../token-state.ts';
import {
  type ConfigParameters,
  type LiquidityVestingParameters,
  readConfigParameters,
} from './config-parameters.ts';
import {
  checkConfig,
  hasLiquidityVesting,
  migratedCollectFeeModes,
  migrationOptions,
  requireLockedLiquidity,
} from './config-rules.ts';
import { asCurveU64, requireCurve } from './curve-errors.ts';
import { baseBeside, protocolPart, requireOpeningNearCurve, splitThreshold } from './migrated-liquidity.ts';

export const CONFIG_BYTES = 8 + 1040;
/** The protocol's share of migrated liquidity, in basis points. */
export const MIGRATION_PROTOCOL_BPS = 20;

/** Amounts that follow from the curve, fixed in the config. */
interface Amounts {
  readonly migrationSqrtPrice: bigint;
  readonly swapBaseAmount: bigint;
  readonly migrationBaseThreshold: bigint;
}

export const createConfig: Handler = function* (call, args) {
  const accounts = accountsOf(call, BONDING_CURVE, {
    config: payer,
    fee_claimer: readonly,
    leftover_receiver: readonly,
    quote_mint: readonlyTokens,
    payer,
    system_program: readonly,
    event_authority: readonly,
    program: readonly,
  });
  const parameters = readConfigParameters(args);
  const { config, quote_mint: quoteMint, fee_claimer: feeClaimer, leftover_receiver: receiver } = accounts;
  yield* createAccount(call, {
    address: config.address,
    payer: accounts.payer.address,
    owner: BONDING_CURVE,
    dataBytes: CONFIG_BYTES,
  });
  requireAccount(
    accounts.system_program.address === SYSTEM_PROGRAM,
    'InvalidProgramId',
    accounts.system_program,
  );
  requireCurve(isPlainMint(call, quoteMint), 'InvalidQuoteMint');
  const quoteTokenProgram = call.account(quoteMint.address)?.owner ?? '';
  checkConfig(parameters, quoteTokenProgram);
  const amounts = amountsOf(parameters);
  const supply = supplyOf(parameters, amounts, receiver.address);
  requireLockedLiquidity(
    [parameters.partnerPermanentLockedLiquidityPercent, parameters.creatorPermanentLockedLiquidityPercent],
    [parameters.partnerVesting, parameters.creatorVesting],
  );
  const data = new Uint8Array(CONFIG_BYTES);
  data.set(sighash('account', 'PoolConfig'));
  writeCurveConfigKeys(data, {
    quoteMint: quoteMint.address as Address,
    feeClaimer: feeClaimer.address as Address,
    leftoverReceiver: receiver.address as Address,
  });
  const quoteTokenFlag = quoteTokenProgram === TOKEN_2022 ? 1 : 0;
  writeCurveConfig(data, { ...fieldsOf(parameters), ...amounts, ...supply, quoteTokenFlag });
  yield { kind: 'write', account: config.index, offset: 0, bytes: data };
  const keys = [config.address, quoteMint.address, feeClaimer.address, receiver.address];
  yield configEvent(keys, parameters, amounts, supply);
  yield event(BONDING_CURVE, 'EvtCreateConfigV2', (to) => to.address(...keys).bytes(call.data.subarray(8)));
};

function amountsOf(parameters: ConfigParameters): Amounts {
  const { migrationQuoteThreshold: threshold, sqrtStartPrice, curve } = parameters;
  const migrationSqrtPrice = migrationPrice(threshold, sqrtStartPrice, curve);
  requireCurve(migrationSqrtPrice < SQRT_PRICE_MAX, 'InvalidCurve');
  const swapBaseAmount = asCurveU64(baseUpTo(migrationSqrtPrice, sqrtStartPrice, curve));
  const isDammV2 = parameters.migrationOption === migrationOptions.dammV2;
  const isCompounding = parameters.migratedCollectFeeMode === migratedCollectFeeModes.compounding;
  // DAMM v1 has no range of prices either.
  const target = { sqrtPrice: migrationSqrtPrice, isCompounding: !isDammV2 || isCompounding };
  const { moved: quote } = splitThreshold(threshold, parameters.migrationFeePercent);
  const base = asCurveU64(baseBeside(quote, target));
  requireCurve(base > 0n && swapBaseAmount > 0n, 'InvalidCurve');
  if (isDammV2 && isCompounding) {
    const fee = protocolPart({ base, quote }, BigInt(MIGRATION_PROTOCOL_BPS), target);
    requireOpeningNearCurve({ base: base - fee.base, quote: quote - fee.quote }, target);
  }
  return { migrationSqrtPrice, swapBaseAmount, migrationBaseThreshold: base };
}

function supplyOf(parameters: ConfigParameters, amounts: Amounts, receiver: string) {
  const { tokenSupply } = parameters;
  if (tokenSupply === null)
    return { fixedTokenSupplyFlag: 0, preMigrationTokenSupply: 0n, postMigrationTokenSupply: 0n };
  const { preMigration, postMigration } = tokenSupply;
  const { vestingCliffUnlockAmount, vestingAmountPerPeriod, vestingPeriods } = parameters;
  const others =
    amounts.migrationBaseThreshold + vestingCliffUnlockAmount + vestingAmountPerPeriod * vestingPeriods;
  const buffered = swapAmountWithBuffer(amounts.swapBaseAmount, parameters.sqrtStartPrice, parameters.curve);
  requireCurve(receiver !== ZERO_ADDRESS, 'InvalidLeftoverAddress');
  requireCurve(
    amounts.swapBaseAmount + others <= postMigration &&
      postMigration <= preMigration &&
      buffered + others <= preMigration,
    'InvalidTokenSupply',
  );
  return {
    fixedTokenSupplyFlag: 1,
    preMigrationTokenSupply: preMigration,
    postMigrationTokenSupply: postMigration,
  };
}

/** Fields of the account that equal arguments. */
function fieldsOf(parameters: ConfigParameters): Partial<CurveConfig> {
  const { dynamicFee, tokenSupply, partnerVesting, creatorVesting, padding, ...same } = parameters;
  const { poolFeesBytes, vestingBytes, curveBytes, enableFirstSwapWithMinFee, ...fields } = same;
  return {
    ...fields,
    ...(dynamicFee === null ? {} : { hasDynamicFee: 1, ...dynamicFee }),
    enableFirstSwapWithMinFee: enableFirstSwapWithMinFee ? 1 : 0,
    hasPartnerVesting: hasLiquidityVesting(partnerVesting) ? 1 : 0,
    partnerVestingPercent: partnerVesting.percent,
    partnerVestingBpsPerPeriod: partnerVesting.bpsPerPeriod,
    partnerVestingPeriods: partnerVesting.periods,
    partnerVestingFrequency: partnerVesting.frequency,
    partnerVestingCliffSeconds: partnerVesting.cliffSeconds,
    hasCreatorVesting: hasLiquidityVesting(creatorVesting) ? 1 : 0,
    creatorVestingPercent: creatorVesting.percent,
    creatorVestingBpsPerPeriod: creatorVesting.bpsPerPeriod,
    creatorVestingPeriods: creatorVesting.periods,
    creatorVestingFrequency: creatorVesting.frequency,
    creatorVestingCliffSeconds: creatorVesting.cliffSeconds,
  };
}

function configEvent(
  keys: readonly string[],
  parameters: ConfigParameters,
  amounts: Amounts,
  supply: ReturnType<typeof supplyOf>,
) {
  return event(BONDING_CURVE, 'EvtCreateConfig', (to) =>
    to
      .address(...keys)
      .bytes(parameters.poolFeesBytes)
      .u8(parameters.collectFeeMode, parameters.migrationOption, parameters.activationType)
      .u8(parameters.tokenDecimal, parameters.tokenType)
      .u8(parameters.partnerPermanentLockedLiquidityPercent, parameters.partnerLiquidityPercent)
      .u8(parameters.creatorPermanentLockedLiquidityPercent, parameters.creatorLiquidityPercent)
      .u64(amounts.swapBaseAmount, parameters.migrationQuoteThreshold, amounts.migrationBaseThreshold)
      .u128(parameters.sqrtStartPrice)
      .bytes(parameters.vestingBytes)
      .u8(parameters.migrationFeeOption, supply.fixedTokenSupplyFlag)
      .u64(supply.preMigrationTokenSupply, supply.postMigrationTokenSupply)
      .bytes(parameters.curveBytes),
  );
}

/** The vestings of liquidity in a config account. */
export function liquidityVestingsOf(config: CurveConfig): readonly LiquidityVestingParameters[] {
  return [
    {
      percent: config.partnerVestingPercent,
      bpsPerPeriod: config.partnerVestingBpsPerPeriod,
      periods: config.partnerVestingPeriods,
      cliffSeconds: config.partnerVestingCliffSeconds,
      frequency: config.partnerVestingFrequency,
    },
    {
      percent: config.creatorVestingPercent,
      bpsPerPeriod: config.creatorVestingBpsPerPeriod,
      periods: config.creatorVestingPeriods,
      cliffSeconds: config.creatorVestingCliffSeconds,
      frequency: config.creatorVestingFrequency,
    },
  ];
}

/** Percentage of the sold tokens that is minted besides, because buys may overshoot the end of the curve. */
const SWAP_BUFFER_PERCENT = 25n;

/** The price at which the reserve has reached the threshold. */
function migrationPrice(threshold: bigint, sqrtStartPrice: bigint, curve: readonly CurveSegment[]): bigint {
  let price = sqrtStartPrice;
  let left = threshold;
  for (const { sqrtPrice, liquidity } of curve) {
    const room = quoteBetweenUp(price, sqrtPrice, liquidity);
    if (room > left) return priceAfterQuoteIn(price, liquidity, left);
    left -= room;
    price = sqrtPrice;
  }
  requireCurve(left === 0n, 'NotEnoughLiquidity');
  return price;
}

/** Base tokens that the curve gives out up to a price; each stretch is rounded up. */
function baseUpTo(endSqrtPrice: bigint, sqrtStartPrice: bigint, curve: readonly CurveSegment[]): bigint {
  let lower = sqrtStartPrice;
  let sum = 0n;
  for (const { sqrtPrice, liquidity } of curve) {
    const upper = sqrtPrice > endSqrtPrice ? endSqrtPrice : sqrtPrice;
    sum += baseBetweenUp(lower, upper, liquidity);
    if (sqrtPrice > endSqrtPrice) break;
    lower = sqrtPrice;
  }
  return sum;
}

/** The tokens that the curve sells and a reserve for the last buy, at most as many as the curve can give. */
export function swapAmountWithBuffer(
  swapBaseAmount: bigint,
  sqrtStartPrice: bigint,
  curve: readonly CurveSegment[],
): bigint {
  const buffered = swapBaseAmount + (swapBaseAmount * SWAP_BUFFER_PERCENT) / 100n;
  const most = baseUpTo(SQRT_PRICE_MAX, sqrtStartPrice, curve);
  return asCurveU64(buffered < most ? buffered : most);
}
