import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import type { CurveSwapRequest } from '../../src/chain/pools/curve/curve-request.ts';
import { quoteCurveSwap } from '../../src/chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { type DammSwapRequest, quoteDammSwap } from '../../src/chain/pools/damm/damm-swap.ts';
import { readDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import { pointOf } from '../../src/chain/pools/swap-request.ts';
import { askCurveSdk, askDammSdk } from '../../test/support/pools/pool-sdks.ts';
import { readCurveRecordings, readDammRecordings } from '../../test/support/pools/quote-recordings.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const CURVE_SDK = '@meteora-ag/dynamic-bonding-curve-sdk: curve from bytes';
const DAMM_SDK = '@meteora-ag/cp-amm-sdk: AMM from bytes';

/**
 * Quotes of the recorded swaps with a result above zero: from decoded pools, and from account bytes as the libraries
 * do.
 */
export const poolQuote: BenchCase = async ({ rounds, roundMs, peers = true }) => {
  const curve = curveSamples();
  const damm = dammSamples();
  const figures = await alternate(
    [
      timedVariant('ours: curve', roundMs, (index) => {
        const { terms, pool, clock, request, outRaw } = pick(curve, index);
        const swap = quoteCurveSwap(terms, pool, clock, request);
        return swap.outcome === 'swapped' && swap.outRaw === outRaw;
      }),
      timedVariant('ours: AMM', roundMs, (index) => {
        const { pool, clock, request, outRaw } = pick(damm, index);
        const swap = quoteDammSwap(pool, clock, request);
        return swap.outcome === 'swapped' && swap.outRaw === outRaw;
      }),
      timedVariant('ours: curve from bytes', roundMs, (index) => {
        const { terms, account, clock, request, outRaw } = pick(curve, index);
        const swap = quoteCurveSwap(terms, present(readCurvePool(account)), clock, request);
        return swap.outcome === 'swapped' && swap.outRaw === outRaw;
      }),
      timedVariant('ours: AMM from bytes', roundMs, (index) => {
        const { account, clock, request, outRaw } = pick(damm, index);
        const swap = quoteDammSwap(present(readDammPoolState(account)), clock, request);
        return swap.outcome === 'swapped' && swap.outRaw === outRaw;
      }),
      ...(peers
        ? [
            timedVariant(CURVE_SDK, roundMs, (index) => {
              const { config, account, point, request, outRaw } = pick(curve, index);
              return outOf(askCurveSdk(config, account, point, request, false)) === `${outRaw}`;
            }),
            timedVariant(DAMM_SDK, roundMs, (index) => {
              const { account, point, request, outRaw } = pick(damm, index);
              return outOf(askDammSdk(account, point, request)) === `${outRaw}`;
            }),
          ]
        : []),
    ],
    rounds,
  );
  const time = (of: string, to: string) => ratio(figures, of, to, 'microsecondsPerCall');
  return {
    name: 'quote of a recorded swap',
    figures,
    ratios: {
      'time, curve from bytes / decoded': time('ours: curve from bytes', 'ours: curve'),
      'time, AMM from bytes / decoded': time('ours: AMM from bytes', 'ours: AMM'),
      ...(peers && {
        'time, curve library / ours from bytes': time(CURVE_SDK, 'ours: curve from bytes'),
        'time, AMM library / ours from bytes': time(DAMM_SDK, 'ours: AMM from bytes'),
      }),
    },
  };
};

function curveSamples() {
  const { configs, states } = readCurveRecordings();
  return states.flatMap(({ of, account, clock, swaps }) => {
    const config = present(configs.get(of) ?? null);
    const terms = curveTerms(present(readCurveConfig(config)));
    const pool = present(readCurvePool(account));
    return swaps.flatMap(({ expected, isFirstAtLaunch, ...swap }) => {
      if (isFirstAtLaunch || typeof expected === 'number') return [];
      const request: CurveSwapRequest = { ...swap, isFirstSwapAtLaunch: false };
      const point = pointOf(clock, terms.activationType);
      return [{ config, terms, account, pool, clock, point, request, outRaw: BigInt(expected[3] ?? 0) }];
    });
  });
}

function dammSamples() {
  const { solIsTokenA, states } = readDammRecordings();
  return states.flatMap(({ of, account, clock, swaps }) => {
    const pool = present(readDammPoolState(account));
    return swaps.flatMap(({ expected, ...swap }) => {
      if (typeof expected === 'number' || expected[3] === '0') return [];
      const givesA = (swap.side === 'buy') === solIsTokenA.has(of);
      const request: DammSwapRequest = { ...swap, direction: givesA ? 'a_to_b' : 'b_to_a' };
      const point = pointOf(clock, pool.activationType);
      return [{ account, pool, clock, point, request, outRaw: BigInt(expected[3] ?? 0) }];
    });
  });
}

function outOf(verdict: ReturnType<typeof askCurveSdk>): string | undefined {
  return 'figures' in verdict ? verdict.figures[3] : undefined;
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the recording cannot be read');
  return value;
}
