import { BASIS_POINTS, U128_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import type { LiquidityVestingParameters } from './config-parameters.ts';
import { requireCurve } from './curve-errors.ts';

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

export function checkLiquidityVesting(vesting: LiquidityVestingParameters): void {
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
