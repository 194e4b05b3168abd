import { baseBetweenUp } from '../sqrt-price.ts';
import type { CurveConfig } from './config-account.ts';

/** Percentage minted in addition to the curve's tokens, because buys may overshoot the curve's end. */
const SWAP_BUFFER_PERCENT = 25n;

/** The supply of a launch: the fixed supply, or the tokens that curve, migration and vesting need. */
export function launchSupplyRaw(config: CurveConfig): bigint {
  if (config.fixedTokenSupplyFlag === 1) return config.preMigrationTokenSupply;
  const { vestingCliffUnlockAmount, vestingAmountPerPeriod, vestingPeriods } = config;
  const vested = vestingCliffUnlockAmount + vestingAmountPerPeriod * vestingPeriods;
  return soldWithBuffer(config) + config.migrationBaseThreshold + vested;
}

/** The tokens that the curve sells, and a reserve for the last buy, as far as the curve has room for it. */
function soldWithBuffer({ swapBaseAmount, sqrtStartPrice, curve }: CurveConfig): bigint {
  const buffered = swapBaseAmount + (swapBaseAmount * SWAP_BUFFER_PERCENT) / 100n;
  let lower = sqrtStartPrice;
  let most = 0n;
  for (const { sqrtPrice, liquidity } of curve) {
    most += baseBetweenUp(lower, sqrtPrice, liquidity);
    lower = sqrtPrice;
  }
  return buffered < most ? buffered : most;
}
