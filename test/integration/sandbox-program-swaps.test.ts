import { expect, test } from 'bun:test';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { readDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import {
  type RecordedState,
  readCurveRecordings,
  readDammRecordings,
} from '../support/pools/quote-recordings.ts';
import { type ExecutedSwap, eventAmounts, QuotedChain } from '../support/quoted-chain.ts';
import { atEnd } from '../support/run/cleanup.ts';

/** Every state is on the chain once in so many; each brings three or four swaps. */
const SAMPLED = 5;
/** Where the results begin in the event, behind its addresses, flags and arguments. */
const CURVE_RESULTS_AT = 83;
const DAMM_RESULTS_AT = 52;

const chain = await QuotedChain.start();
atEnd(() => chain.stop());

function sampled(states: readonly RecordedState[]): RecordedState[] {
  return states
    .filter((_, index) => index % SAMPLED === 0)
    .sort((one, other) => Number(one.clock.slot - other.clock.slot));
}

/** The columns that balances and the event show, as the recording has them. */
function columnsOf(executed: ExecutedSwap, resultsAt: number) {
  if (executed.error !== null) return { error: executed.error };
  if (executed.event === null) throw new Error('a swap without its event');
  const event = eventAmounts(executed.event, resultsAt);
  expect([executed.inRaw, executed.outRaw]).toEqual([event.inRaw, event.outRaw]);
  const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = event;
  return {
    numbers: [inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice].map(String),
    referral: String(executed.referralRaw),
  };
}

test('recorded swaps on curves move the same amounts on the chain, to the same price and errors', () => {
  const { configs, states } = readCurveRecordings();
  for (const state of sampled(states)) {
    const config = configs.get(state.of);
    if (config === undefined) throw new Error(`no config ${state.of}`);
    const market = chain.curveMarket(state, config);
    // The first swap of a launch needs the launch in its transaction; the recorded launches have it.
    for (const swap of state.swaps.filter(({ isFirstAtLaunch }) => !isFirstAtLaunch)) {
      const executed = chain.swap(market, state, swap);
      const { expected } = swap;
      const wanted =
        typeof expected === 'number'
          ? { error: expected }
          : { numbers: expected.slice(0, 5), referral: expected[7] ?? '' };
      expect({ line: swap.line, ...columnsOf(executed, CURVE_RESULTS_AT) }).toEqual({
        line: swap.line,
        ...wanted,
      });
      if (typeof expected !== 'number')
        expect(String(readCurvePool(executed.pool)?.quoteReserve)).toBe(expected[10] ?? '');
    }
  }
});

test('recorded swaps on AMM pools move the same amounts on the chain, to the same price and errors', () => {
  for (const state of sampled(readDammRecordings().states)) {
    const market = chain.dammMarket(state);
    for (const swap of state.swaps) {
      const executed = chain.swap(market, state, swap);
      const { expected } = swap;
      const wanted =
        typeof expected === 'number'
          ? { error: expected }
          : { numbers: expected.slice(0, 5), referral: expected[7] ?? '' };
      expect({ line: swap.line, ...columnsOf(executed, DAMM_RESULTS_AT) }).toEqual({
        line: swap.line,
        ...wanted,
      });
      if (typeof expected === 'number') continue;
      const pool = readDammPoolState(executed.pool);
      expect([String(pool?.tokenAAmount), String(pool?.tokenBAmount)]).toEqual(expected.slice(10));
    }
  }
});
