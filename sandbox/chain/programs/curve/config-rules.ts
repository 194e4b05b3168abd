import { SPL_TOKEN, SYSTEM_PROGRAM } from '../../../../src/chain/accounts/programs.ts';
import { FEE_DENOMINATOR } from '../../../../src/chain/pools/base-fee.ts';
import { BASIS_POINTS, U128_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import type { DammConfig } from '../amm/migration-configs.ts';
import { SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import type { ConfigParameters, LiquidityVestingParameters } from './config-parameters.ts';
import { curvePoolAuthority } from './curve-accounts.ts';
import { requireCurve } from './curve-errors.ts';
import { checkTradingFee } from './fee-rules.ts';

export const migrationOptions = { dammV1: 0, dammV2: 1 } as const;
export const tokenTypes = { splToken: 0, token2022: 1 } as const;
export const MIGRATION_FEE_CUSTOMIZABLE = 6;
/** How the migrated pool collects its fee; the AMM numbers the first two the other way round. */
export const migratedCollectFeeModes = { quoteToken: 0, outputToken: 1, compounding: 2 } as const;
const CURVE_POINTS_MAX = 16;
const CREATION_FEE_MIN = 1_000_000n;
const CREATION_FEE_MAX = 100_000_000_000n;
const MIGRATION_FEE_PERCENT_MAX = 99;
const MIGRATED_FEE_BPS_MIN = 10;
const MIGRATED_FEE_BPS_MAX = 1_000;
const marketCapModes: readonly number[] = [3, 4];
const timeModes: readonly number[] = [0, 1];

/** Refuses what the program refuses in the arguments of `create_config`. */
export function checkConfig(parameters: ConfigParameters, quoteTokenProgram: string): void {
  requireCurve(parameters.activationType <= 1, 'TypeCastFailed');
  checkTradingFee(parameters);
  requireCurve(parameters.creatorTradingFeePercent <= 100, 'InvalidCreatorTradingFeePercentage');
  checkMigrationFee(parameters);
  requireCurve(parameters.collectFeeMode <= 1, 'InvalidCollectFeeMode');
  checkMigration(parameters, quoteTokenProgram);
  requireCurve(parameters.tokenUpdateAuthority <= 4, 'InvalidTokenAuthorityOption');
  requireCurve(parameters.tokenDecimal >= 6 && parameters.tokenDecimal <= 9, 'InvalidTokenDecimals');
  const shares = [
    parameters.partnerLiquidityPercent,
    parameters.partnerPermanentLockedLiquidityPercent,
    parameters.creatorLiquidityPercent,
    parameters.creatorPermanentLockedLiquidityPercent,
    parameters.partnerVesting.percent,
    parameters.creatorVesting.percent,
  ];
  const sum = shares.reduce((total, share) => total + share, 0);
  requireCurve(sum <= 255, 'MathOverflow');
  requireCurve(sum === 100, 'InvalidFeePercentage');
  requireCurve(parameters.migrationQuoteThreshold > 0n, 'InvalidQuoteThreshold');
  checkVesting(parameters);
  const { poolCreationFee } = parameters;
  const isFeeInRange = poolCreationFee >= CREATION_FEE_MIN && poolCreationFee <= CREATION_FEE_MAX;
  requireCurve(poolCreationFee === 0n || isFeeInRange, 'InvalidPoolCreationFee');
  checkCurve(parameters);
}

function checkMigrationFee({ migrationFeePercent, creatorMigrationFeePercent }: ConfigParameters): void {
  requireCurve(migrationFeePercent <= MIGRATION_FEE_PERCENT_MAX, 'InvalidMigratorFeePercentage');
  const most = migrationFeePercent === 0 ? 0 : 100;
  requireCurve(creatorMigrationFeePercent <= most, 'InvalidMigratorFeePercentage');
}

function checkMigration(parameters: ConfigParameters, quoteTokenProgram: string): void {
  requireCurve(parameters.migrationOption <= migrationOptions.dammV2, 'InvalidMigrationOption');
  requireCurve(parameters.migrationFeeOption <= MIGRATION_FEE_CUSTOMIZABLE, 'InvalidMigrationFeeOption');
  requireCurve(parameters.tokenType <= tokenTypes.token2022, 'InvalidTokenType');
  const isCustomizable = parameters.migrationFeeOption === MIGRATION_FEE_CUSTOMIZABLE;
  if (parameters.migrationOption === migrationOptions.dammV1) {
    requireCurve(parameters.tokenType === tokenTypes.splToken, 'InvalidTokenType');
    requireCurve(quoteTokenProgram === SPL_TOKEN, 'InvalidQuoteMint');
    requireCurve(!isCustomizable && !hasMigratedFee(parameters), 'InvalidMigrationFeeOption');
    requireCurve(!hasLiquidityVesting(parameters.partnerVesting), 'InvalidVestingParameters');
    requireCurve(!hasLiquidityVesting(parameters.creatorVesting), 'InvalidVestingParameters');
    return;
  }
  if (isCustomizable) checkMigratedFee(parameters);
  else requireCurve(!hasMigratedFee(parameters), 'InvalidMigratedPoolFee');
  checkLiquidityVesting(parameters.partnerVesting);
  checkLiquidityVesting(parameters.creatorVesting);
}

function hasMigratedFee(parameters: ConfigParameters): boolean {
  const numbers = [
    parameters.migratedCollectFeeMode,
    parameters.migratedDynamicFee,
    parameters.migratedPoolFeeBps,
    parameters.migratedCompoundingFeeBps,
    parameters.migratedPoolBaseFeeMode,
  ];
  return parameters.migratedPoolBaseFeeBytes !== 0n || numbers.some((value) => value !== 0);
}

function checkMigratedFee(parameters: ConfigParameters): void {
  const { migratedPoolFeeBps, migratedCollectFeeMode, migratedCompoundingFeeBps } = parameters;
  requireCurve(
    migratedPoolFeeBps >= MIGRATED_FEE_BPS_MIN && migratedPoolFeeBps <= MIGRATED_FEE_BPS_MAX,
    'InvalidMigratedPoolFee',
  );
  requireCurve(migratedCollectFeeMode <= migratedCollectFeeModes.compounding, 'InvalidCollectFeeMode');
  const isCompounding = migratedCollectFeeMode === migratedCollectFeeModes.compounding;
  const most = isCompounding ? 10_000 : 0;
  requireCurve(migratedCompoundingFeeBps <= most, 'InvalidMigratedPoolFee');
  requireCurve(!isCompounding || migratedCompoundingFeeBps > 0, 'InvalidMigratedPoolFee');
  requireCurve(parameters.migratedDynamicFee <= 1, 'InvalidMigratedPoolFee');
  const mode = parameters.migratedPoolBaseFeeMode;
  requireCurve(mode <= 4, 'TypeCastFailed');
  if (timeModes.includes(mode)) {
    requireCurve(parameters.migratedPoolBaseFeeBytes === 0n, 'InvalidMigratedPoolFee');
  } else requireCurve(marketCapModes.includes(mode), 'InvalidMigratedPoolFee');
}

function checkVesting(parameters: ConfigParameters): void {
  const { vestingAmountPerPeriod, vestingPeriods, vestingCliffUnlockAmount, vestingFrequency } = parameters;
  const numbers = [vestingAmountPerPeriod, vestingPeriods, vestingCliffUnlockAmount, vestingFrequency];
  if ([...numbers, parameters.vestingCliffSeconds].every((value) => value === 0n)) return;
  const total = vestingCliffUnlockAmount + vestingAmountPerPeriod * vestingPeriods;
  requireCurve(vestingFrequency !== 0n && total !== 0n, 'InvalidVestingParameters');
}

function checkCurve({ sqrtStartPrice, curve }: ConfigParameters): void {
  requireCurve(sqrtStartPrice >= SQRT_PRICE_MIN && sqrtStartPrice < SQRT_PRICE_MAX, 'InvalidCurve');
  requireCurve(curve.length > 0 && curve.length <= CURVE_POINTS_MAX, 'InvalidCurve');
  let lower = sqrtStartPrice;
  for (const { sqrtPrice, liquidity } of curve) {
    requireCurve(sqrtPrice > lower && liquidity > 0n && sqrtPrice <= SQRT_PRICE_MAX, 'InvalidCurve');
    lower = sqrtPrice;
  }
}

/** Fees of the fixed options, in basis points. */
export const fixedFeeBps: readonly bigint[] = [25n, 30n, 100n, 200n, 400n, 600n];

/** The given AMM config must be the one of the curve's migration option. */
export function checkMigrationConfig(ammConfig: DammConfig, migrationFeeOption: number): void {
  if (migrationFeeOption !== MIGRATION_FEE_CUSTOMIZABLE) {
    const { cliffFeeNumerator, baseFeeMode, firstFactor, secondFactor, thirdFactor } = ammConfig;
    requireCurve(baseFeeMode <= 1, 'InvalidConfigAccount');
    const isFixed = firstFactor === 0 && secondFactor === 0n && thirdFactor === 0n;
    requireCurve(isFixed, 'InvalidConfigAccount');
    const bps = (cliffFeeNumerator * BASIS_POINTS) / FEE_DENOMINATOR;
    requireCurve(bps === fixedFeeBps[migrationFeeOption], 'InvalidMigrationFeeOption');
    const isWidest = ammConfig.sqrtMinPrice === SQRT_PRICE_MIN && ammConfig.sqrtMaxPrice === SQRT_PRICE_MAX;
    requireCurve(isWidest, 'InvalidConfigAccount');
    requireCurve(ammConfig.vaultConfigKey === SYSTEM_PROGRAM, 'InvalidConfigAccount');
    requireCurve(ammConfig.activationType === activationTypes.timestamp, 'InvalidConfigAccount');
  }
  const isForCurves = ammConfig.poolCreatorAuthority === curvePoolAuthority.address;
  requireCurve(isForCurves, 'InvalidConfigAccount');
}

const DAY_SECONDS = 86_400n;
const LOCK_SECONDS_MAX = 63_072_000n;
/** The share of the migrated liquidity that must still be locked a day after the migration. */
const LOCKED_BPS_MIN = 1_000n;

interface Schedule {
  readonly cliffSeconds: bigint;
  readonly cliffLiquidity: bigint;
  readonly periods: bigint;
  readonly perPeriod: bigint;
  readonly frequency: bigint;
}

export function hasLiquidityVesting(vesting: LiquidityVestingParameters): boolean {
  return Object.values(vesting).some((value) => value !== 0);
}

/** When the AMM would release a liquidity. The remainder of the periods is due at the cliff. */
function scheduleOf(vesting: LiquidityVestingParameters, liquidity: bigint): Schedule {
  requireCurve(vesting.bpsPerPeriod * vesting.periods <= 0xffff, 'MathOverflow');
  const afterCliff = (liquidity * BigInt(vesting.bpsPerPeriod * vesting.periods)) / BASIS_POINTS;
  const perPeriod = vesting.periods === 0 ? 0n : afterCliff / BigInt(vesting.periods);
  const hasPeriods = perPeriod > 0n;
  const periods = hasPeriods ? BigInt(vesting.periods) : 0n;
  requireCurve(perPeriod * periods <= liquidity, 'MathOverflow');
  return {
    cliffSeconds: BigInt(hasPeriods ? vesting.cliffSeconds : Math.max(vesting.cliffSeconds, 1)),
    cliffLiquidity: liquidity - perPeriod * periods,
    periods,
    perPeriod,
    frequency: hasPeriods ? BigInt(vesting.frequency) : 0n,
  };
}

function vestedShare(vesting: LiquidityVestingParameters): bigint {
  return (U128_MAX * BigInt(vesting.percent)) / 100n;
}

function checkLiquidityVesting(vesting: LiquidityVestingParameters): void {
  if (!hasLiquidityVesting(vesting)) return;
  const liquidity = vestedShare(vesting);
  const { cliffSeconds, periods, frequency } = scheduleOf(vesting, liquidity);
  requireCurve(cliffSeconds > 0n || periods > 0n, 'InvalidVestingParameters');
  requireCurve(periods === 0n || frequency > 0n, 'InvalidVestingParameters');
  requireCurve(cliffSeconds + frequency * periods <= LOCK_SECONDS_MAX, 'InvalidVestingParameters');
  requireCurve(liquidity > 0n, 'InvalidVestingParameters');
}

function lockedBpsAfterDay(vesting: LiquidityVestingParameters): bigint {
  if (!hasLiquidityVesting(vesting)) return 0n;
  const liquidity = vestedShare(vesting);
  const { cliffSeconds, cliffLiquidity, periods, perPeriod, frequency } = scheduleOf(vesting, liquidity);
  let unlocked = 0n;
  if (DAY_SECONDS >= cliffSeconds) {
    const passed = frequency === 0n ? 0n : (DAY_SECONDS - cliffSeconds) / frequency;
    unlocked = cliffLiquidity + (passed < periods ? passed : periods) * perPeriod;
  }
  return ((liquidity - unlocked) * BASIS_POINTS) / U128_MAX;
}

/** At least a tenth of the migrated liquidity must stay locked for a day. */
export function requireLockedLiquidity(
  permanentPercents: readonly number[],
  vestings: readonly LiquidityVestingParameters[],
): void {
  const permanent = permanentPercents.reduce((sum, percent) => sum + BigInt(percent) * 100n, 0n);
  const vested = vestings.reduce((sum, vesting) => sum + lockedBpsAfterDay(vesting), 0n);
  requireCurve(permanent + vested >= LOCKED_BPS_MIN, 'InvalidMigrationLockedLiquidity');
}
