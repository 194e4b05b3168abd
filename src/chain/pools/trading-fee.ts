import { FEE_DENOMINATOR } from './base-fee.ts';
import { asU64, divideUp } from './fixed-point.ts';

/** The fee on an amount that includes it, rounded up. */
export function feeOn(amountRaw: bigint, numerator: bigint): bigint {
  return divideUp(amountRaw * numerator, FEE_DENOMINATOR);
}

/** The least amount that leaves `netRaw` after the fee. */
export function amountBeforeFee(netRaw: bigint, numerator: bigint): bigint {
  return asU64(divideUp(netRaw * FEE_DENOMINATOR, FEE_DENOMINATOR - numerator));
}

/** Who gets how much of a fee. The rest after protocol and referral belongs to the liquidity's owners. */
export interface FeeShares {
  protocolRaw: bigint;
  referralRaw: bigint;
  restRaw: bigint;
}

/** Each share is rounded down: the protocol's out of the fee, the referral's out of the protocol's. */
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
