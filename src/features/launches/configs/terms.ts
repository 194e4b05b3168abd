import { TOKEN_2022 } from '../../../chain/accounts/programs.ts';
import { FEE_NUMERATOR_MAX, numeratorAfter } from '../../../chain/pools/base-fee.ts';
import type { CurveConfig } from '../../../chain/pools/curve/config-account.ts';
import type { KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import { PROTOCOL_PERCENT } from '../../../chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../../chain/pools/curve/curve-terms.ts';
import { largestFirstBuy } from '../../../chain/pools/curve/first-buy.ts';
import { launchSupplyRaw } from '../../../chain/pools/curve/launch-supply.ts';
import { quotePerBase, wholeTokenPrice } from '../../../chain/pools/spot-price.ts';
import { activationTypes } from '../../../chain/pools/swap-request.ts';
import { variableFeeNumerator } from '../../../chain/pools/volatility.ts';
import { type DecimalString, multiplyDecimals, rawToDecimal } from '../../../shared/decimal.ts';
import { tokenProgramOf } from '../launch-plan.ts';
import type { LaunchTerms } from './schema.ts';

const SOL_DECIMALS = 9;
/** A fee of 10^9 is all of the amount, which are 100 percent. */
const FEE_PERCENT_DIGITS = 7;
const HUNDRED = 100n;

// Numbers of the program (public IDL).
const migrationOptions = ['damm_v1', 'damm_v2'] as const;
/** Fees of the AMM in basis points, by the option of the config. */
const fixedMigrationFees = [25n, 30n, 100n, 200n, 400n, 600n];
const CUSTOM_MIGRATION_FEE = 6;
const marketCapFeeModes: readonly number[] = [3, 4];
const updateAuthorities = ['creator', 'nobody', 'partner', 'creator', 'partner'] as const;
const mintAuthorities = ['nobody', 'nobody', 'nobody', 'creator', 'partner'] as const;

/** The terms of a config for creators, exact. Throws RangeError for numbers that the program does not know. */
export function launchTerms(known: KnownCurveConfig): LaunchTerms {
  const { config } = known;
  const decimals = config.tokenDecimal;
  const tokens = (raw: bigint) => rawToDecimal(raw, decimals);
  const totalSupply = tokens(launchSupplyRaw(config));
  const startingPriceInSol = priceInSol(config, config.sqrtStartPrice);
  const graduationPriceInSol = priceInSol(config, config.migrationSqrtPrice);
  return {
    token: {
      standard: tokenProgramOf(known) === TOKEN_2022 ? 'token_2022' : 'spl_token',
      decimals,
      totalSupply,
      updateAuthority: entryOf(updateAuthorities, config.tokenUpdateAuthority),
      mintAuthority: entryOf(mintAuthorities, config.tokenUpdateAuthority),
    },
    curveSupply: tokens(config.swapBaseAmount),
    liquiditySupply: tokens(config.migrationBaseThreshold),
    startingPriceInSol,
    startingMarketCapInSol: multiplyDecimals(startingPriceInSol, totalSupply),
    graduationPriceInSol,
    graduationMarketCapInSol: multiplyDecimals(graduationPriceInSol, totalSupply),
    raiseInSol: rawToDecimal(config.migrationQuoteThreshold, SOL_DECIMALS),
    maximumInitialBuyRaw: String(largestFirstBuy(config)),
    tradingFee: tradingFee(config),
    vesting: vesting(config, tokens),
    migration: migration(config),
    liquidity: liquidity(config),
  };
}

/** The price of a whole token at a square-root price, as tokens show it. */
export function priceInSol({ tokenDecimal }: CurveConfig, sqrtPrice: bigint): DecimalString {
  return wholeTokenPrice(quotePerBase(sqrtPrice), tokenDecimal, SOL_DECIMALS);
}

export function feePercent(numerator: bigint): DecimalString {
  return rawToDecimal(numerator < FEE_NUMERATOR_MAX ? numerator : FEE_NUMERATOR_MAX, FEE_PERCENT_DIGITS);
}

function tradingFee(config: CurveConfig): LaunchTerms['tradingFee'] {
  const { baseFee, dynamicFee, takesFeeFromOutput, favoursFirstSwap, creatorPercent } = curveTerms(config);
  const shared = HUNDRED - PROTOCOL_PERCENT;
  return {
    startPercent: feePercent(baseFee.startNumerator),
    ...schedule(baseFee),
    unit: config.activationType === activationTypes.slot ? 'slots' : 'seconds',
    dynamicMaximumPercent:
      dynamicFee === null
        ? null
        : feePercent(variableFeeNumerator(dynamicFee, BigInt(dynamicFee.maxVolatilityAccumulator))),
    paidIn: takesFeeFromOutput ? 'output' : 'sol',
    firstBuyPaysEnd: favoursFirstSwap,
    shares: {
      protocolPercent: rawToDecimal(PROTOCOL_PERCENT, 0),
      creatorPercent: rawToDecimal(shared * creatorPercent, 2),
      partnerPercent: rawToDecimal(shared * (HUNDRED - creatorPercent), 2),
    },
  };
}

type Schedule = Pick<
  LaunchTerms['tradingFee'],
  'schedule' | 'endPercent' | 'steps' | 'stepLength' | 'duration' | 'rateLimiter'
>;

function schedule(fee: ReturnType<typeof curveTerms>['baseFee']): Schedule {
  if (fee.kind === 'market_cap_schedule') throw new RangeError('curves have no fee schedule by market cap');
  if (fee.kind === 'rate_limiter') {
    return {
      schedule: 'rate_limiter',
      endPercent: feePercent(fee.startNumerator),
      steps: 0,
      stepLength: '0',
      duration: String(fee.duration),
      rateLimiter: {
        referenceInSol: rawToDecimal(fee.referenceRaw, SOL_DECIMALS),
        incrementPercent: feePercent(fee.incrementNumerator),
        maximumPercent: feePercent(fee.capNumerator),
      },
    };
  }
  const { stepsMax, stepLength, reduction } = fee;
  const falls = stepsMax > 0n && stepLength > 0n && reduction > 0n;
  const kind = fee.isExponential ? 'exponential' : 'linear';
  return {
    schedule: falls ? kind : 'constant',
    endPercent: feePercent(falls ? numeratorAfter(stepsMax, fee) : fee.startNumerator),
    steps: falls ? Number(stepsMax) : 0,
    stepLength: falls ? String(stepLength) : '0',
    duration: falls ? String(stepsMax * stepLength) : '0',
    rateLimiter: null,
  };
}

function vesting(config: CurveConfig, tokens: (raw: bigint) => DecimalString): LaunchTerms['vesting'] {
  const { vestingCliffUnlockAmount: cliff, vestingAmountPerPeriod: perPeriod, vestingPeriods } = config;
  const total = cliff + perPeriod * vestingPeriods;
  if (total === 0n) return null;
  return {
    total: tokens(total),
    cliff: tokens(cliff),
    cliffSeconds: String(config.vestingCliffSeconds),
    perPeriod: tokens(perPeriod),
    periods: String(vestingPeriods),
    periodSeconds: String(config.vestingFrequency),
  };
}

function migration(config: CurveConfig): LaunchTerms['migration'] {
  const isCustom = config.migrationFeeOption === CUSTOM_MIGRATION_FEE;
  const feeBps = isCustom
    ? BigInt(config.migratedPoolFeeBps)
    : entryOf(fixedMigrationFees, config.migrationFeeOption);
  return {
    venue: entryOf(migrationOptions, config.migrationOption),
    feeOption: isCustom ? 'custom' : 'fixed',
    feePercent: rawToDecimal(feeBps, 2),
    hasDynamicFee: isCustom ? config.migratedDynamicFee !== 0 : null,
    feeFallsWithMarketCap: isCustom ? marketCapFeeModes.includes(config.migratedPoolBaseFeeMode) : null,
    migrationFeePercent: config.migrationFeePercent,
    creatorMigrationFeePercent: config.creatorMigrationFeePercent,
  };
}

function liquidity(config: CurveConfig): LaunchTerms['liquidity'] {
  return {
    creatorLockedPercent: config.creatorPermanentLockedLiquidityPercent,
    creatorUnlockedPercent: config.creatorLiquidityPercent,
    creatorVesting:
      config.hasCreatorVesting === 0
        ? null
        : {
            percent: config.creatorVestingPercent,
            cliffSeconds: config.creatorVestingCliffSeconds,
            periods: config.creatorVestingPeriods,
            periodSeconds: config.creatorVestingFrequency,
            bpsPerPeriod: config.creatorVestingBpsPerPeriod,
          },
    partnerLockedPercent: config.partnerPermanentLockedLiquidityPercent,
    partnerUnlockedPercent: config.partnerLiquidityPercent,
    partnerVesting:
      config.hasPartnerVesting === 0
        ? null
        : {
            percent: config.partnerVestingPercent,
            cliffSeconds: config.partnerVestingCliffSeconds,
            periods: config.partnerVestingPeriods,
            periodSeconds: config.partnerVestingFrequency,
            bpsPerPeriod: config.partnerVestingBpsPerPeriod,
          },
  };
}

function entryOf<Entry>(entries: readonly Entry[], option: number): Entry {
  const entry = entries[option];
  if (entry === undefined) throw new RangeError(`the program has no option ${option}`);
  return entry;
}
