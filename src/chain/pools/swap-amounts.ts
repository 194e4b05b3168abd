import { asU64 } from './fixed-point.ts';
import type { SwapMode } from './swap-request.ts';
import { amountBeforeFee, feeOn } from './trading-fee.ts';

/** What goes in, comes out, and is kept as fee. */
export interface SwapAmounts {
  /** What the trader pays, a fee on it included. */
  inRaw: bigint;
  inExcludingFeeRaw: bigint;
  /** The amount of a partial fill that found no room, after the fee on the whole request. */
  leftRaw: bigint;
  /** What the trader gets. */
  outRaw: bigint;
  feeRaw: bigint;
  /** The fee over 1,000,000,000. */
  feeNumerator: bigint;
  nextSqrtPrice: bigint;
}

/** Where a move along the liquidity ended. What comes out is rounded down, what goes in is rounded up. */
export interface PriceMove {
  nextSqrtPrice: bigint;
  /** Out for a move by input, in for a move by output. */
  otherRaw: bigint;
  /** The input that found no room. */
  leftRaw: bigint;
}

/** The pool as one swap sees it: what its fee is taken from, and how its price moves. */
export interface SwapVenue {
  feeIsOnInput: boolean;
  /** The fee of an amount that includes it, or (`isNet`) of one that is left after it. */
  feeNumerator(raw: bigint, isNet: boolean): bigint;
  moveByInput(inRaw: bigint, mode: 'exact_in' | 'partial_fill'): PriceMove;
  moveByOutput(outRaw: bigint): PriceMove;
}

export function amountsByInput(
  venue: SwapVenue,
  mode: 'exact_in' | 'partial_fill',
  amountRaw: bigint,
): SwapAmounts {
  const numerator = venue.feeNumerator(amountRaw, false);
  const net = venue.feeIsOnInput ? amountRaw - feeOn(amountRaw, numerator) : amountRaw;
  const { otherRaw, leftRaw, nextSqrtPrice } = venue.moveByInput(net, mode);
  const inExcludingFeeRaw = net - leftRaw;
  if (!venue.feeIsOnInput) {
    const feeRaw = feeOn(otherRaw, numerator);
    const outRaw = otherRaw - feeRaw;
    return {
      inRaw: inExcludingFeeRaw,
      inExcludingFeeRaw,
      leftRaw,
      outRaw,
      feeRaw,
      feeNumerator: numerator,
      nextSqrtPrice,
    };
  }
  // What did not fit pays no fee: the fee of the rest is found anew, from the rest.
  const feeNumerator = leftRaw === 0n ? numerator : venue.feeNumerator(inExcludingFeeRaw, true);
  const inRaw = leftRaw === 0n ? amountRaw : amountBeforeFee(inExcludingFeeRaw, feeNumerator);
  const feeRaw = inRaw - inExcludingFeeRaw;
  return { inRaw, inExcludingFeeRaw, leftRaw, outRaw: otherRaw, feeRaw, feeNumerator, nextSqrtPrice };
}

export function amountsByOutput(venue: SwapVenue, outRaw: bigint): SwapAmounts {
  if (venue.feeIsOnInput) {
    const { otherRaw, nextSqrtPrice } = venue.moveByOutput(outRaw);
    const inExcludingFeeRaw = asU64(otherRaw);
    const feeNumerator = venue.feeNumerator(inExcludingFeeRaw, true);
    const inRaw = amountBeforeFee(inExcludingFeeRaw, feeNumerator);
    const feeRaw = inRaw - inExcludingFeeRaw;
    return { inRaw, inExcludingFeeRaw, leftRaw: 0n, outRaw, feeRaw, feeNumerator, nextSqrtPrice };
  }
  const feeNumerator = venue.feeNumerator(outRaw, true);
  const outBeforeFee = amountBeforeFee(outRaw, feeNumerator);
  const { otherRaw, nextSqrtPrice } = venue.moveByOutput(outBeforeFee);
  const inRaw = asU64(otherRaw);
  const feeRaw = outBeforeFee - outRaw;
  return { inRaw, inExcludingFeeRaw: inRaw, leftRaw: 0n, outRaw, feeRaw, feeNumerator, nextSqrtPrice };
}

/** The limit counts on what the trader gets; with `exact_out` on what the trader pays. Meeting it exactly is enough. */
export function isWithinLimit(
  { inRaw, outRaw }: SwapAmounts,
  mode: SwapMode,
  limitRaw: bigint | null,
): boolean {
  if (limitRaw === null) return true;
  return mode === 'exact_out' ? inRaw <= limitRaw : outRaw >= limitRaw;
}
