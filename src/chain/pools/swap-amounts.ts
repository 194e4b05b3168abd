import { asU64 } from './fixed-point.ts';
import type { SwapMode } from './swap-request.ts';
import { amountBeforeFee, feeOn } from './trading-fee.ts';

/** Input, output and fee of a swap. */
export interface SwapAmounts {
  /** The amount that the trader pays, including a fee on it. */
  inRaw: bigint;
  inExcludingFeeRaw: bigint;
  /** The part of a partial fill that did not fit, after the fee on the whole request. */
  leftRaw: bigint;
  /** The amount that the trader gets. */
  outRaw: bigint;
  feeRaw: bigint;
  /** The fee as a numerator over 1,000,000,000. */
  feeNumerator: bigint;
  nextSqrtPrice: bigint;
}

/** The result of a move along the liquidity. The output is rounded down, the input is rounded up. */
export interface PriceMove {
  nextSqrtPrice: bigint;
  /** The output of a move by input, the input of a move by output. */
  otherRaw: bigint;
  /** The part of the input that did not fit. */
  leftRaw: bigint;
}

/** The pool as one swap sees it: its fee, and how its price moves. */
export interface SwapVenue {
  feeIsOnInput: boolean;
  /** The fee of an amount that includes it, or (`isNet`) of an amount after the fee. */
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
  // The part that did not fit pays no fee, so the fee is computed again from the rest.
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

/**
 * The limit applies to the amount that the trader gets, or with `exact_out` to the amount that the trader
 * pays. An amount equal to the limit passes.
 */
export function isWithinLimit(
  { inRaw, outRaw }: SwapAmounts,
  mode: SwapMode,
  limitRaw: bigint | null,
): boolean {
  if (limitRaw === null) return true;
  return mode === 'exact_out' ? inRaw <= limitRaw : outRaw >= limitRaw;
}
