import type { SwapTerms } from '../../../src/chain/pools/swap-request.ts';

/** Changes of a pool's numbers between two recorded states with one unrecorded swap between them. */
export interface PoolMovement {
  /** The input without the fee. */
  reserveInGrew: bigint;
  /** The output, including a fee on it. */
  reserveOutShrank: bigint;
  /** The part of the fee that is neither the protocol's nor the referral's. */
  providersFee: bigint;
  protocolPercent: bigint;
  feeIsOnInput: boolean;
}

/** Every swap that can cause this movement: exact in, exact out or partial fill, with or without a
 * referral. */
export function candidateRequests(movement: PoolMovement): SwapTerms[] {
  const { reserveInGrew, reserveOutShrank, feeIsOnInput } = movement;
  return feesBehind(movement).flatMap((fee) => {
    const inRaw = reserveInGrew + (feeIsOnInput ? fee : 0n);
    const amounts = [
      ['exact_in', inRaw],
      ['exact_out', reserveOutShrank - (feeIsOnInput ? 0n : fee)],
      // This amount is too large, so it explains only a swap that stopped at the end of the curve or range.
      ['partial_fill', inRaw + 2n ** 50n],
    ] as const;
    return amounts.flatMap(([mode, amountRaw]) =>
      [false, true].map((hasReferral) => ({
        mode,
        amountRaw,
        limitRaw: null,
        hasReferral,
        provesSingleSwap: true,
      })),
    );
  });
}

/** Total fees that leave exactly the providers' part after the protocol's percentage, rounded down. */
function feesBehind({ providersFee, protocolPercent }: PoolMovement): bigint[] {
  const about = (providersFee * 100n) / (100n - protocolPercent);
  const near = [-2n, -1n, 0n, 1n, 2n].map((offset) => about + offset);
  return near.filter((fee) => fee >= 0n && fee - (fee * protocolPercent) / 100n === providersFee);
}
