import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readCurveConfig } from '../../../src/chain/pools/curve/config-account.ts';
import type { CurveSwapRequest } from '../../../src/chain/pools/curve/curve-request.ts';
import { quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool } from '../../../src/chain/pools/curve/pool-account.ts';
import { type DammSwapRequest, quoteDammSwap } from '../../../src/chain/pools/damm/damm-swap.ts';
import { type DammPoolState, readDammPoolState } from '../../../src/chain/pools/damm/pool-account.ts';
import { U64_MAX } from '../../../src/chain/pools/fixed-point.ts';
import { type PoolClock, pointOf } from '../../../src/chain/pools/swap-request.ts';
import { curveArbitrary } from '../../support/pools/curve-arbitraries.ts';
import { dammPoolArbitrary } from '../../support/pools/damm-arbitraries.ts';
import {
  curveConfigAccount,
  curvePoolAccount,
  dammPoolAccountOf,
} from '../../support/pools/pool-accounts-from-numbers.ts';
import { clockArbitrary, swapTermsArbitrary } from '../../support/pools/pool-arbitraries.ts';
import {
  askCurveSdk,
  askDammSdk,
  askDammSdkWithoutPriceImpact,
  type SdkVerdict,
} from '../../support/pools/pool-sdks.ts';

/** Random states of each of the two programs: 20,000 in all take 8 s on two busy cores. */
const STATES = 10_000;

const curveSwap: fc.Arbitrary<CurveSwapRequest> = fc
  .tuple(swapTermsArbitrary, fc.constantFrom('buy' as const, 'sell' as const), fc.boolean())
  .map(([terms, side, isFirstSwapAtLaunch]) => ({ ...terms, side, isFirstSwapAtLaunch }));
const dammSwap: fc.Arbitrary<DammSwapRequest> = fc
  .tuple(swapTermsArbitrary, fc.constantFrom('a_to_b' as const, 'b_to_a' as const))
  .map(([terms, direction]) => ({ ...terms, direction }));

/** A partial fill that leaves, after its fee, exactly the start of the rate limiter's cap. Random states hardly ever meet it. */
const whereTheCapStarts: [Partial<DammPoolState>, PoolClock, DammSwapRequest] = [
  {
    collectFeeMode: 1,
    cliffFeeNumerator: 2_500_000n,
    firstFactor: 3_284,
    secondFactor: 17_179_869_184_001n,
    thirdFactor: 3n,
    baseFeeMode: 2,
    sqrtPrice: 281_474_976_710_656n,
    sqrtMinPrice: 281_193_501_733_946n,
    sqrtMaxPrice: 844_706_405_108_678n,
    liquidity: 1_208_925_819_614_629_174_706_176n,
    tokenAAmount: 2_863_788_591n,
    tokenBAmount: 1n,
    sqrtPriceReference: 281_474_976_710_656n,
    initSqrtPrice: 281_474_976_710n,
    activationPoint: 480_000_000n,
    layoutVersion: 1,
  },
  { slot: 480_000_000n, unixSeconds: 1_800_000_000n },
  {
    mode: 'partial_fill',
    amountRaw: 5n,
    limitRaw: null,
    hasReferral: false,
    provesSingleSwap: true,
    direction: 'b_to_a',
  },
];

describe('quotes of the libraries from the same account bytes', () => {
  test('agree on every figure of a swap on a curve, or refuse it too', () => {
    const seen = { quotes: 0, refusals: 0, beyond64Bits: 0 };
    fc.assert(
      fc.property(curveArbitrary, clockArbitrary, curveSwap, (generated, clock, request) => {
        const config = curveConfigAccount(generated.config);
        const account = curvePoolAccount(generated.pool);
        const terms = curveTerms(present(readCurveConfig(config)));
        const pool = present(readCurvePool(account));
        const paysLeastFee = terms.favoursFirstSwap && request.isFirstSwapAtLaunch && pool.hasSwap === 0;
        const point = pointOf(clock, terms.activationType);
        const sdk = askCurveSdk(config, account, point, request, paysLeastFee);
        const ours = quoteCurveSwap(terms, pool, clock, request);
        if (ours.outcome === 'failed') return compareRefusal(seen, ours.error.name, sdk);
        const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = ours;
        const { tradingFeeRaw, protocolFeeRaw, referralFeeRaw } = ours;
        const amounts = [inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice];
        seen.quotes += 1;
        expect(sdk).toEqual({
          figures: [...amounts, tradingFeeRaw, protocolFeeRaw, referralFeeRaw].map(String),
        });
      }),
      { numRuns: STATES },
    );
    expectVariety(seen);
  });

  test('agree on every figure of a swap on an AMM pool, or refuse it too', () => {
    const seen = { quotes: 0, refusals: 0, beyond64Bits: 0 };
    fc.assert(
      fc.property(dammPoolArbitrary, clockArbitrary, dammSwap, (generated, clock, request) => {
        const account = dammPoolAccountOf(generated);
        const pool = present(readDammPoolState(account));
        const point = pointOf(clock, pool.activationType);
        const ours = quoteDammSwap(pool, clock, request);
        if (ours.outcome === 'unsupported') throw new Error(ours.reason);
        if (ours.outcome === 'failed') {
          return compareRefusal(seen, ours.error.name, askDammSdk(account, point, request));
        }
        const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = ours;
        const { claimingFeeRaw, compoundingFeeRaw, protocolFeeRaw, referralFeeRaw } = ours;
        const amounts = [inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice];
        const fees = [claimingFeeRaw, compoundingFeeRaw, protocolFeeRaw, referralFeeRaw];
        const ask = outRaw === 0n ? askDammSdkWithoutPriceImpact : askDammSdk;
        seen.quotes += 1;
        expect(ask(account, point, request)).toEqual({ figures: [...amounts, ...fees].map(String) });
      }),
      { numRuns: STATES, examples: [whereTheCapStarts] },
    );
    expectVariety(seen);
  });
});

interface Seen {
  quotes: number;
  refusals: number;
  beyond64Bits: number;
}

/** The libraries count beyond 64 bits, where the programs overflow. */
function compareRefusal(seen: Seen, errorName: string, sdk: SdkVerdict): void {
  if ('refusal' in sdk) {
    seen.refusals += 1;
    return;
  }
  seen.beyond64Bits += 1;
  expect([errorName, sdk]).toEqual(['MathOverflow', expect.anything()]);
  expect(sdk.figures.slice(0, 4).some((figure) => BigInt(figure) > U64_MAX / 2n)).toBe(true);
}

/** A generator that hardly ever makes a swap work would prove nothing. */
function expectVariety({ quotes, refusals }: Seen): void {
  expect(quotes).toBeGreaterThan(STATES / 2);
  expect(refusals).toBeGreaterThan(STATES / 100);
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the account cannot be read');
  return value;
}
