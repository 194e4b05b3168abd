import { type BaseFee, FEE_DENOMINATOR } from './base-fee.ts';
import { asU64, divideUp, integerSquareRoot, U64_MAX } from './fixed-point.ts';
import { SwapRefusal } from './swap-refusal.ts';
import { amountBeforeFee, feeOn } from './trading-fee.ts';

export type RateLimiterFee = Extract<BaseFee, { kind: 'rate_limiter' }>;

/** Whether the limiter is in force. Without a reference or an increment it never is. */
export function isLimiting(fee: RateLimiterFee, point: bigint, activationPoint: bigint): boolean {
  if (fee.referenceRaw === 0n || fee.incrementNumerator === 0n) return false;
  return point >= activationPoint && point <= activationPoint + fee.duration;
}

/**
 * The fee of an amount, as a numerator rounded up. The amount is cut into stretches of the reference size.
 * The first costs the start numerator, and each further one costs one increment more, up to the cap. The
 * numerator is the whole fee over the amount.
 */
export function numeratorOfPaid(fee: RateLimiterFee, paidRaw: bigint): bigint {
  const { startNumerator: start, referenceRaw: reference } = fee;
  if (paidRaw <= reference) return start;
  return divideUp(divideUp(feeTimesDenominator(fee, paidRaw), FEE_DENOMINATOR) * FEE_DENOMINATOR, paidRaw);
}

/** Σ of stretch × numerator, for an amount above the reference. */
function feeTimesDenominator(fee: RateLimiterFee, paidRaw: bigint): bigint {
  const { startNumerator: start, incrementNumerator: increment, referenceRaw: reference } = fee;
  const beyond = paidRaw - reference;
  const whole = beyond / reference;
  const rest = beyond % reference;
  const capped = stretchesBelowCap(fee);
  if (whole < capped) {
    const stretches = start + start * whole + (increment * whole * (whole + 1n)) / 2n;
    return reference * stretches + rest * (start + increment * (whole + 1n));
  }
  const stretches = start + start * capped + (increment * capped * (capped + 1n)) / 2n;
  return reference * stretches + (reference * (whole - capped) + rest) * fee.capNumerator;
}

/** The number of stretches after the first that cost less than the cap. */
function stretchesBelowCap({ startNumerator, incrementNumerator, capNumerator }: RateLimiterFee): bigint {
  return (capNumerator - startNumerator) / incrementNumerator;
}

/** The part of an amount that is left after the fee. */
function netOf(fee: RateLimiterFee, paidRaw: bigint): bigint {
  return paidRaw - feeOn(paidRaw, numeratorOfPaid(fee, paidRaw));
}

/** The numerator whose fee leaves `netRaw` of the input. */
export function numeratorOfNet(fee: RateLimiterFee, netRaw: bigint): bigint {
  if (netRaw <= netOf(fee, fee.referenceRaw)) return fee.startNumerator;
  const cap = capStart(fee);
  // The fee of the paid amount, as in the programs' own libraries: rounding makes the difference between paid
  // and net amount larger.
  if (netRaw === cap.netRaw) return numeratorOfPaid(fee, cap.paidRaw);
  const paidRaw = netRaw < cap.netRaw ? paidBelowCap(fee, netRaw) : paidBeyondCap(fee, netRaw, cap);
  const numerator = divideUp((paidRaw - netRaw) * FEE_DENOMINATOR, paidRaw);
  if (numerator < fee.startNumerator) throw new SwapRefusal('UndeterminedError');
  return numerator;
}

interface CapStart {
  /** The largest amount that costs less than the cap, bounded by 64 bits. */
  paidRaw: bigint;
  netRaw: bigint;
  isBeyondU64: boolean;
}

function capStart(fee: RateLimiterFee): CapStart {
  const exactRaw = (stretchesBelowCap(fee) + 1n) * fee.referenceRaw;
  const isBeyondU64 = exactRaw > U64_MAX;
  const paidRaw = isBeyondU64 ? U64_MAX : exactRaw;
  return { paidRaw, netRaw: netOf(fee, paidRaw), isBeyondU64 };
}

function paidBeyondCap(fee: RateLimiterFee, netRaw: bigint, cap: CapStart): bigint {
  if (cap.isBeyondU64) throw new SwapRefusal('MathOverflow');
  return cap.paidRaw + amountBeforeFee(netRaw - cap.netRaw, fee.capNumerator);
}

/**
 * Below the cap the fee counts as if it grew evenly within a stretch too: net = paid × (1 − (2 start +
 * increment × (paid / reference − 1)) / (2 denominator)), a quadratic in `paid`. Its root rounded down is a
 * first guess. If its true net amount is too small, the missing part pays the fee of its stretch.
 */
function paidBelowCap(fee: RateLimiterFee, netRaw: bigint): bigint {
  const { startNumerator: start, incrementNumerator: increment, referenceRaw: reference } = fee;
  const linear = (2n * FEE_DENOMINATOR + increment - 2n * start) * reference;
  const constant = 2n * netRaw * FEE_DENOMINATOR * reference;
  const discriminant = linear * linear - 4n * increment * constant;
  if (discriminant < 0n) throw new SwapRefusal('MathOverflow');
  const guess = (linear - integerSquareRoot(discriminant)) / (2n * increment);
  const shortfall = netRaw - netOf(fee, guess);
  if (shortfall < 0n) throw new SwapRefusal('MathOverflow');
  return asU64(guess + amountBeforeFee(shortfall, start + increment * (guess / reference)));
}
