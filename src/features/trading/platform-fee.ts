import { BASIS_POINTS } from '../../chain/pools/fixed-point.ts';
import type { SwapAmounts } from '../../chain/pools/swap-amounts.ts';
import type { SwapRequest } from './quote.ts';

/** The fee of an integrator, in SOL (contract/trading#platform-fee). */
export interface PlatformFee {
  bps: number;
  lamports: bigint;
}

/**
 * The part of a wallet's order that reaches the pool. The fee is taken from what the wallet pays for a buy, and
 * from what the pool pays out for a sell.
 */
export function poolRequest(order: SwapRequest, bps: number): SwapRequest {
  const { side, mode, amountRaw } = order;
  if (side === 'buy' && mode === 'exact_in')
    return { ...order, amountRaw: amountRaw - feeOf(amountRaw, bps) };
  if (side === 'sell' && mode === 'exact_out') return { ...order, amountRaw: grossOf(amountRaw, bps) };
  return order;
}

/**
 * The fee of an order with the amounts at the pool: the rate of the SOL that the wallet pays, or that the pool
 * pays out, rounded down.
 */
export function platformFeeOf(order: SwapRequest, { inRaw, outRaw }: SwapAmounts, bps: number): PlatformFee {
  return { bps, lamports: lamportsOf() };

  function lamportsOf(): bigint {
    if (order.mode === 'exact_in') return feeOf(order.side === 'buy' ? order.amountRaw : outRaw, bps);
    return order.side === 'buy' ? grossOf(inRaw, bps) - inRaw : outRaw - order.amountRaw;
  }
}

function feeOf(grossRaw: bigint, bps: number): bigint {
  return (grossRaw * BigInt(bps)) / BASIS_POINTS;
}

/** The least amount that leaves `netRaw` after its fee. Every net amount has one: fees grow by 0 or 1 a unit. */
function grossOf(netRaw: bigint, bps: number): bigint {
  if (netRaw === 0n) return 0n;
  return ((netRaw - 1n) * BASIS_POINTS) / (BASIS_POINTS - BigInt(bps)) + 1n;
}
