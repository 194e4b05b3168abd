import type { CurveConfig } from '../../chain/pools/curve/config-account.ts';
import { quoteFirstBuy } from '../../chain/pools/curve/first-buy.ts';
import { BASIS_POINTS, U64_MAX } from '../../chain/pools/fixed-point.ts';
import { Problem } from '../../shared/problem.ts';
import type { FirstBuy } from './schema.ts';

/** The creator's first buy. */
export interface RequestedBuy {
  amountRaw: string;
  slippageBps?: number;
}

const SLIPPAGE_DEFAULT_BPS = 100;

/** The terms of the buy, or the problem when the curve refuses it. */
export function firstBuyTerms(
  config: CurveConfig,
  { amountRaw, slippageBps = SLIPPAGE_DEFAULT_BPS }: RequestedBuy,
): FirstBuy | Problem {
  const lamports = BigInt(amountRaw);
  const bought = lamports > U64_MAX ? null : quoteFirstBuy(config, lamports, 'exact_in');
  if (bought === null || bought.outcome === 'failed' || bought.outRaw === 0n) {
    const most = quoteFirstBuy(config, U64_MAX, 'partial_fill');
    return new Problem('launch_buy_out_of_range', {
      context: { maximumAmountRaw: most.outcome === 'failed' ? '0' : most.inRaw.toString() },
    });
  }
  const minimumOutRaw = (bought.outRaw * (BASIS_POINTS - BigInt(slippageBps))) / BASIS_POINTS;
  return {
    amountRaw: lamports.toString(),
    slippageBps,
    amountOutRaw: bought.outRaw.toString(),
    minimumOutRaw: minimumOutRaw.toString(),
  };
}
