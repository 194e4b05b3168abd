import type { SwapTerms } from '../swap-request.ts';

/** A swap on a curve. */
export interface CurveSwapRequest extends SwapTerms {
  /** `buy`: quote goes in, base comes out. */
  side: 'buy' | 'sell';
  /** The swap is in the transaction that creates the pool, and proves it with the instructions sysvar. */
  isFirstSwapAtLaunch: boolean;
}
