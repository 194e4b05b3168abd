/** The meaning of a swap's amount: exactly this goes in, up to this goes in, or exactly this comes out. */
export type SwapMode = 'exact_in' | 'partial_fill' | 'exact_out';

/** The chain's clock at which a swap is computed. */
export interface PoolClock {
  slot: bigint;
  unixSeconds: bigint;
}

/** The terms of every swap, without its direction. */
export interface SwapTerms {
  mode: SwapMode;
  /** Raw amount of the token that goes in, or with `exact_out` of the token that comes out. */
  amountRaw: bigint;
  /**
   * The least that may come out, or with `exact_out` the most that may go in, fee included. Null: no limit.
   */
  limitRaw: bigint | null;
  /** The referral's part is taken from the protocol's part. The trader's amounts do not change. */
  hasReferral: boolean;
  /** Whether the swap proves that it is alone in its transaction. An active rate limiter demands this. */
  provesSingleSwap: boolean;
}

/** The unit in which a pool's fee schedule counts: slots or seconds. */
export const activationTypes = { slot: 0, timestamp: 1 } as const;

/** The time of the clock in the unit of an activation type. */
export function pointOf(clock: PoolClock, activationType: number): bigint {
  return activationType === activationTypes.slot ? clock.slot : clock.unixSeconds;
}
