/** What the amount of a swap means: all of it goes in, as much as fits goes in, or exactly it comes out. */
export type SwapMode = 'exact_in' | 'partial_fill' | 'exact_out';

/** The chain's clock for which a swap is computed. */
export interface PoolClock {
  slot: bigint;
  unixSeconds: bigint;
}

/** What every swap asks for, apart from its direction. */
export interface SwapTerms {
  mode: SwapMode;
  /** Raw amount of the token that goes in; with `exact_out` of the token that comes out. */
  amountRaw: bigint;
  /** The least that may come out; with `exact_out` the most that may go in, fee included. Null: any. */
  limitRaw: bigint | null;
  /** A referral's part comes out of the protocol's; the trader's amounts do not change. */
  hasReferral: boolean;
  /** Whether the swap proves that it is alone in its transaction, which an active rate limiter demands. */
  provesSingleSwap: boolean;
}

/** Where fees of pools are counted from: programs count their schedules in slots or in seconds. */
export const activationTypes = { slot: 0, timestamp: 1 } as const;

/** The clock as a pool of this activation type counts. */
export function pointOf(clock: PoolClock, activationType: number): bigint {
  return activationType === activationTypes.slot ? clock.slot : clock.unixSeconds;
}
