import { BASIS_POINTS, divideUp, U64_MAX } from '../../chain/pools/fixed-point.ts';
import type { Quote } from './quote.ts';

/** The worst result at the pool that a trader accepts: the least output, or with `exact_out` the most input. */
export function limitOf({ request, amounts }: Quote, slippageBps: number): bigint {
  const slippage = BigInt(slippageBps);
  if (request.mode === 'exact_in') return (amounts.outRaw * (BASIS_POINTS - slippage)) / BASIS_POINTS;
  const most = divideUp(amounts.inRaw * (BASIS_POINTS + slippage), BASIS_POINTS);
  // Math.min takes no bigint.
  if (most > U64_MAX) return U64_MAX;
  return most;
}
