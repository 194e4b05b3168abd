import { FEE_DENOMINATOR } from './base-fee.ts';
import { asU64, divideUp } from './fixed-point.ts';

/** The fee on an amount that includes the fee, rounded up. */
export function feeOn(amountRaw: bigint, numerator: bigint): bigint {
  return divideUp(amountRaw * numerator, FEE_DENOMINATOR);
}

/** The least amount of which `netRaw` is left after the fee. */
export function amountBeforeFee(netRaw: bigint, numerator: bigint): bigint {
  return asU64(divideUp(netRaw * FEE_DENOMINATOR, FEE_DENOMINATOR - numerator));
}

/** The shares of a fee. The rest after protocol and referral belongs to the owners of the liquidity. */
export interface FeeShares {
  protocolRaw: bigint;
  referralRaw: bigint;
  restRaw: bigint;
}

/**
 * Each share is rounded down: the protocol's share of the fee, and the referral's share of the protocol's.
 */
export function splitFee(
  feeRaw: bigint,
  protocolPercent: bigint,
  referralPercent: bigint,
  hasReferral: boolean,
): FeeShares {
  const protocolAndReferral = (feeRaw * protocolPercent) / 100n;
  const referralRaw = hasReferral ? (protocolAndReferral * referralPercent) / 100n : 0n;
  return {
    protocolRaw: protocolAndReferral - referralRaw,
    referralRaw,
    restRaw: feeRaw - protocolAndReferral,
  };
}
