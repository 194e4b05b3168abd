import { describe, expect, test } from 'bun:test';
import { readCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import { curveErrors } from '../../../src/chain/pools/curve/curve-errors.ts';
import type { CurveSwapRequest } from '../../../src/chain/pools/curve/curve-request.ts';
import { quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import { type CurveTerms, curveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import {
  type CurvePool,
  readCurvePool,
  writeCurvePool,
} from '../../../src/chain/pools/curve/pool-account.ts';
import {
  type RecordedState,
  type RecordedSwap,
  readCurveRecordings,
} from '../../support/pools/quote-recordings.ts';
import {
  differences,
  recordedErrors,
  type SwapOutcome,
  stepsBetween,
} from '../../support/pools/replayed-swaps.ts';
import { candidateRequests } from '../../support/pools/swap-between-states.ts';

const { configs, states } = readCurveRecordings();
const terms = new Map(
  [...configs].map(([id, account]) => [id, curveTerms(present(readCurveConfig(account)))]),
);
const swaps = states.flatMap((state) => state.swaps);

describe('swaps on curves as the program executed them', () => {
  test('the recordings are whole', () => {
    expect([configs.size, states.length, swaps.length]).toEqual([26, 466, 1562]);
  });

  test('every amount, fee, price and reserve is met to the last unit, every failure by its number', () => {
    expect(differences(states, outcomeOf)).toEqual([]);
  });

  test('a failure carries the name that belongs to its number', () => {
    expect(recordedErrors(states)).toEqual([
      curveErrors.ExceededSlippage,
      curveErrors.AmountIsZero,
      curveErrors.PoolIsCompleted,
      curveErrors.InsufficientLiquidity,
    ]);
  });
});

describe('curve pool accounts after a swap', () => {
  test('are the recorded bytes, for each swap that leads from one recorded state to the next', () => {
    const steps = stepsBetween(states);
    const unexplained = steps.filter(({ before, after }) => !leadsTo(before, after));
    expect([steps.length, unexplained.map(({ after }) => after.id)]).toEqual([413, []]);
  });
});

function outcomeOf({ of, account, clock }: RecordedState, swap: RecordedSwap): SwapOutcome {
  const request: CurveSwapRequest = { ...swap, isFirstSwapAtLaunch: swap.isFirstAtLaunch };
  const result = quoteCurveSwap(termsOf(of), poolOf(account), clock, request);
  if (result.outcome === 'failed') {
    expect(curveErrors[result.error.name]).toBe(result.error.number as never);
    return result.error.number;
  }
  return [
    result.inRaw,
    result.inExcludingFeeRaw,
    result.leftRaw,
    result.outRaw,
    result.nextSqrtPrice,
    result.tradingFeeRaw,
    result.protocolFeeRaw,
    result.referralFeeRaw,
    result.creatorFeeRaw,
    result.feeRaw === 0n ? '-' : result.feeSide,
    result.after.quoteReserve,
  ].map(String);
}

/** Whether one of the swaps that fit the change of the numbers gives exactly the bytes of the next state. */
function leadsTo(before: RecordedState, after: RecordedState): boolean {
  const from = poolOf(before.account);
  const to = poolOf(after.account);
  const isBuy = to.quoteReserve > from.quoteReserve || to.baseReserve < from.baseReserve;
  const sign = isBuy ? 1n : -1n;
  const quote = sign * (to.quoteReserve - from.quoteReserve);
  const base = sign * (from.baseReserve - to.baseReserve);
  const requests = candidateRequests({
    reserveInGrew: isBuy ? quote : base,
    reserveOutShrank: isBuy ? base : quote,
    providersFee:
      to.totalTradingQuoteFee - from.totalTradingQuoteFee + to.totalTradingBaseFee - from.totalTradingBaseFee,
    protocolPercent: 20n,
    feeIsOnInput: isBuy && !termsOf(before.of).takesFeeFromOutput,
  });
  return requests.some((request) => {
    const swap: CurveSwapRequest = { ...request, side: isBuy ? 'buy' : 'sell', isFirstSwapAtLaunch: false };
    const result = quoteCurveSwap(termsOf(before.of), from, before.clock, swap);
    if (result.outcome === 'failed') return false;
    const bytes = Buffer.from(before.account.data);
    writeCurvePool(bytes, result.after);
    return bytes.equals(after.account.data);
  });
}

function termsOf(config: string): CurveTerms {
  return present(terms.get(config) ?? null);
}

function poolOf(account: RecordedState['account']): CurvePool {
  return present(readCurvePool(account));
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the recording cannot be read');
  return value;
}
