import { FEE_DENOMINATOR } from '../../../../src/chain/pools/base-fee.ts';
import { BASIS_POINTS } from '../../../../src/chain/pools/fixed-point.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import type { DammConfig } from '../amm/config-account.ts';
import { SYSTEM_PROGRAM } from '../cpi/system-program.ts';
import { SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { MIGRATION_FEE_CUSTOMIZABLE } from './config-rules.ts';
import { curvePoolAuthority } from './curve-accounts.ts';
import { requireCurve } from './curve-errors.ts';

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
