import type { CurveConfig } from '../../chain/pools/curve/config-account.ts';
import type { CurveSwap } from '../../chain/pools/curve/curve-swap.ts';
import { largestFirstBuy, quoteFirstBuy } from '../../chain/pools/curve/first-buy.ts';
import { BASIS_POINTS, U64_MAX } from '../../chain/pools/fixed-point.ts';
import { Problem } from '../../shared/problem.ts';
import type { FirstBuy } from './schema.ts';

/** The creator's first buy. */
export interface RequestedBuy {
  amountRaw: string;
  slippageBps?: number | undefined;
}

const SLIPPAGE_DEFAULT_BPS = 100;

/** The terms of the buy, or the problem when the curve refuses it. */
export function firstBuyTerms(config: CurveConfig, requested: RequestedBuy): FirstBuy | Problem {
  const bought = quotedFirstBuy(config, requested);
  return bought instanceof Problem ? bought : bought.terms;
}

/** As `firstBuyTerms`, with the swap that the program would carry out. */
export function quotedFirstBuy(
  config: CurveConfig,
  { amountRaw, slippageBps = SLIPPAGE_DEFAULT_BPS }: RequestedBuy,
): { terms: FirstBuy; swap: CurveSwap } | Problem {
  const lamports = BigInt(amountRaw);
  const swap = lamports > U64_MAX ? null : quoteFirstBuy(config, lamports, 'exact_in');
  if (swap === null || swap.outcome === 'failed' || swap.outRaw === 0n) {
    return new Problem('launch_buy_out_of_range', {
      context: { maximumAmountRaw: String(largestFirstBuy(config)) },
    });
  }
  const leastOutRaw = (swap.outRaw * (BASIS_POINTS - BigInt(slippageBps))) / BASIS_POINTS;
  const terms = {
    amountRaw: lamports.toString(),
    slippageBps,
    amountOutRaw: swap.outRaw.toString(),
    // A buy that lands brings something, whatever the slippage.
    minimumOutRaw: String(leastOutRaw || 1n),
  };
  return { terms, swap };
}
