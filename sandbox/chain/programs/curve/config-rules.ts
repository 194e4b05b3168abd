import { SPL_TOKEN } from '../../../../src/chain/accounts/programs.ts';
import { SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import type { ConfigParameters } from './config-parameters.ts';
import { requireCurve } from './curve-errors.ts';
import { checkTradingFee } from './fee-rules.ts';
import { checkLiquidityVesting, hasLiquidityVesting } from './liquidity-vesting.ts';
import { migratedCollectFeeModes } from './migrated-fee.ts';

export const migrationOptions = { dammV1: 0, dammV2: 1 } as const;
export const tokenTypes = { splToken: 0, token2022: 1 } as const;
export const MIGRATION_FEE_CUSTOMIZABLE = 6;
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
