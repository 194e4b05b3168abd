import { baseBetweenUp } from '../sqrt-price.ts';
import type { CurveConfig } from './config-account.ts';

/** Minted on top of what the curve sells, in percent of it, because buys may overshoot its end. */
const SWAP_BUFFER_PERCENT = 25n;

/** What a launch mints under a config: its fixed supply, or what curve, migration and vesting take. */
export function launchSupplyRaw(config: CurveConfig): bigint {
  if (config.fixedTokenSupplyFlag === 1) return config.preMigrationTokenSupply;
  const { vestingCliffUnlockAmount, vestingAmountPerPeriod, vestingPeriods } = config;
  const vested = vestingCliffUnlockAmount + vestingAmountPerPeriod * vestingPeriods;
  return soldWithBuffer(config) + config.migrationBaseThreshold + vested;
}

/** What the curve sells, and a reserve for the last buy, as far as the curve can give it. */
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
