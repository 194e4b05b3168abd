import fc from 'fast-check';
import { readCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import type { CurveSwapRequest } from '../../../src/chain/pools/curve/curve-request.ts';
import { type CurveSwap, quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import { type CurveTerms, curveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import { type CurvePool, readCurvePool } from '../../../src/chain/pools/curve/pool-account.ts';
import {
  type DammSwap,
  type DammSwapRequest,
  quoteDammSwap,
} from '../../../src/chain/pools/damm/damm-swap.ts';
import { type DammPoolState, readDammPoolState } from '../../../src/chain/pools/damm/pool-account.ts';
import type { PoolClock, SwapMode } from '../../../src/chain/pools/swap-request.ts';
import { curveArbitrary } from './curve-arbitraries.ts';
import { dammPoolArbitrary } from './damm-arbitraries.ts';
import { curveConfigAccount, curvePoolAccount, dammPoolAccountOf } from './pool-accounts-from-numbers.ts';
import { clockArbitrary } from './pool-arbitraries.ts';

/** The trades of both kinds of pool; the first direction pays quote or token B. */
export interface Market {
  sqrtPrice: bigint;
  swap(paysQuote: boolean, mode: SwapMode, amountRaw: bigint): Deal | null;
}

export interface Deal {
  quote: CurveSwap | DammSwap;
  feePartsRaw: bigint[];
  /** The pool after the swap. */
  market: Market;
}

function curveMarket(terms: CurveTerms, pool: CurvePool, clock: PoolClock): Market {
  return {
    sqrtPrice: pool.sqrtPrice,
    swap: (paysQuote, mode, amountRaw) => {
      const request: CurveSwapRequest = { ...anySwap, side: paysQuote ? 'buy' : 'sell', mode, amountRaw };
      const quote = quoteCurveSwap(terms, pool, clock, request);
      if (quote.outcome === 'failed') return null;
      const { partnerFeeRaw, creatorFeeRaw, protocolFeeRaw, referralFeeRaw } = quote;
      return {
        quote,
        feePartsRaw: [partnerFeeRaw, creatorFeeRaw, protocolFeeRaw, referralFeeRaw],
        market: curveMarket(terms, { ...pool, ...quote.after }, clock),
      };
    },
  };
}

function dammMarket(pool: DammPoolState, clock: PoolClock): Market {
  return {
    sqrtPrice: pool.sqrtPrice,
    swap: (paysQuote, mode, amountRaw) => {
      const request: DammSwapRequest = {
        ...anySwap,
        direction: paysQuote ? 'b_to_a' : 'a_to_b',
        mode,
        amountRaw,
      };
      const quote = quoteDammSwap(pool, clock, request);
      if (quote.outcome !== 'swapped') return null;
      const { claimingFeeRaw, compoundingFeeRaw, protocolFeeRaw, referralFeeRaw } = quote;
      return {
        quote,
        feePartsRaw: [claimingFeeRaw, compoundingFeeRaw, protocolFeeRaw, referralFeeRaw],
        market: dammMarket({ ...pool, ...quote.after }, clock),
      };
    },
  };
}

const anySwap = { limitRaw: null, hasReferral: true, provesSingleSwap: true, isFirstSwapAtLaunch: false };

/** A curve at some moment of its life. */
export const generatedCurve = fc.tuple(curveArbitrary, clockArbitrary).map(([generated, clock]) => ({
  terms: curveTerms(present(readCurveConfig(curveConfigAccount(generated.config)))),
  pool: present(readCurvePool(curvePoolAccount(generated.pool))),
  clock,
}));
/** Pools of both kinds, by name. */
export const marketArbitraries: [string, fc.Arbitrary<Market>][] = [
  ['curve', generatedCurve.map(({ terms, pool, clock }) => curveMarket(terms, pool, clock))],
  [
    'AMM pool',
    fc
      .tuple(dammPoolArbitrary, clockArbitrary)
      .map(([pool, clock]) => dammMarket(present(readDammPoolState(dammPoolAccountOf(pool))), clock)),
  ],
];

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the account cannot be read');
  return value;
}
