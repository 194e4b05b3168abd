import type { SwapTerms } from '../swap-request.ts';

export interface CurveSwapRequest extends SwapTerms {
  /** `buy`: quote goes in and base comes out. */
  side: 'buy' | 'sell';
  /** The swap is in the transaction that creates the pool, and proves this with the instructions sysvar. */
  isFirstSwapAtLaunch: boolean;
}
