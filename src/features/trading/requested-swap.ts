import { U64_MAX } from '../../chain/pools/fixed-point.ts';
import type { SwapRequest } from './quote.ts';
import { outOfRange } from './refusals.ts';

/** Spellings of the modes in requests (contract/endpoints#additions-amounts). */
export const requestModes = ['exact-in', 'exact-out'] as const;

/** Default slippage of a request: half a percent. */
export const DEFAULT_SLIPPAGE_BPS = 50;

export interface RequestedSwap {
  side: 'buy' | 'sell';
  amountRaw: string;
  mode?: (typeof requestModes)[number];
}

/** Throws `swap_amount_out_of_range` for an amount that fits no instruction. */
export function swapRequest({ side, amountRaw, mode = 'exact-in' }: RequestedSwap): SwapRequest {
  return {
    side,
    mode: mode === 'exact-in' ? 'exact_in' : 'exact_out',
    amountRaw: instructionAmount(amountRaw),
  };
}

/** An IntString as an amount that fits an instruction. */
export function instructionAmount(text: string): bigint {
  const amount = BigInt(text);
  if (amount > U64_MAX) throw outOfRange('above_u64');
  return amount;
}
