import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FEE_DENOMINATOR } from '../../src/chain/pools/base-fee.ts';
import { moveByProductOfInput, moveByProductOfOutput } from '../../src/chain/pools/damm/damm-liquidity.ts';
import { integerSquareRoot } from '../../src/chain/pools/fixed-point.ts';
import {
  baseBetween,
  baseBetweenUp,
  priceAfterBaseIn,
  priceAfterBaseOut,
  priceAfterQuoteIn,
  priceAfterQuoteOut,
  quoteBetween,
  quoteBetweenUp,
} from '../../src/chain/pools/sqrt-price.ts';
import { amountBeforeFee, feeOn } from '../../src/chain/pools/trading-fee.ts';
import { boundedPrice, priorityLamports } from '../../src/chain/transactions/priority.ts';
import { platformFeeOf, poolRequest } from '../../src/features/trading/platform-fee.ts';
import { gcra } from '../../src/http/limits/gcra.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { linesByFunction, sources } from '../support/sources-by-function.ts';

/** Rounding differs near zero and near multiples of the denominators, which are powers of ten. */
const amounts = (max = 2n ** 64n - 1n) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc.bigInt({ min: 0n, max: 300n }),
    fc
      .tuple(
        fc.constantFrom(10_000n, 10n ** 6n, 10n ** 9n),
        fc.bigInt({ min: 1n, max: 50n }),
        fc.bigInt({ min: -2n, max: 2n }),
      )
      .map(([unit, of, by]) => of * unit + by),
  );
const bps = fc.bigInt({ min: 1n, max: BigInt(unpublishedLimits.platformFeeBps) });
const numerators = amounts().map((drawn) => drawn % FEE_DENOMINATOR);
const prices = fc.bigInt({ min: 2n ** 32n, max: 2n ** 96n });
const liquidity = fc.bigInt({ min: 2n ** 66n, max: 2n ** 120n });

/**
 * The answer of an inverse to an amount that was asked for. It is the least value that is enough, or the most that is not too
 * much: `holds(found)` is true, and one step further it is false.
 */
interface Answer {
  found: bigint;
  /** Where there is no smaller or larger value. */
  end?: bigint;
  holds(value: bigint): boolean;
}

interface Inverse {
  /** `<file> <function>` */
  of: string;
  is: 'least' | 'most';
  drawn: fc.Arbitrary<readonly bigint[]>;
  /** Null where the inverse has no answer. */
  answer(...drawn: bigint[]): Answer | null;
}

const POOLS = 'src/chain/pools';
const feeOfGross = (gross: bigint, rate: bigint) => (gross * rate) / 10_000n;

const inverses: readonly Inverse[] = [
  {
    of: 'src/features/trading/platform-fee.ts grossOf',
    is: 'least',
    drawn: fc.tuple(amounts(), bps),
    answer: (amountRaw = 0n, rate = 0n) => ({
      found: poolRequest({ side: 'sell', mode: 'exact_out', amountRaw }, Number(rate)).amountRaw,
      end: 0n,
      holds: (gross) => gross - feeOfGross(gross, rate) >= amountRaw,
    }),
  },
  {
    of: 'src/features/trading/platform-fee.ts lamportsOf',
    is: 'least',
    drawn: fc.tuple(amounts(), bps),
    answer: (inRaw = 0n, rate = 0n) => ({
      found:
        inRaw +
        platformFeeOf({ side: 'buy', mode: 'exact_out', amountRaw: 1n }, { inRaw } as never, Number(rate))
          .lamports,
      end: 0n,
      holds: (gross) => gross - feeOfGross(gross, rate) >= inRaw,
    }),
  },
  {
    of: `${POOLS}/trading-fee.ts amountBeforeFee`,
    is: 'least',
    drawn: fc.tuple(amounts(2n ** 60n), numerators),
    answer(net = 0n, numerator = 0n) {
      const found = orNull(() => amountBeforeFee(net, numerator));
      return found === null
        ? null
        : { found, end: 0n, holds: (gross) => gross - feeOn(gross, numerator) >= net };
    },
  },
  {
    of: `${POOLS}/sqrt-price.ts priceAfterBaseIn`,
    is: 'least',
    drawn: fc.tuple(prices, liquidity, amounts()),
    answer: (price = 0n, L = 0n, amount = 0n) => ({
      found: priceAfterBaseIn(price, L, amount),
      end: 1n,
      holds: (next) => baseBetweenUp(next, price, L) <= amount,
    }),
  },
  {
    of: `${POOLS}/sqrt-price.ts priceAfterQuoteIn`,
    is: 'most',
    drawn: fc.tuple(prices, liquidity, amounts()),
    answer: (price = 0n, L = 0n, amount = 0n) => ({
      found: priceAfterQuoteIn(price, L, amount),
      holds: (next) => quoteBetweenUp(price, next, L) <= amount,
    }),
  },
  {
    of: `${POOLS}/sqrt-price.ts priceAfterBaseOut`,
    is: 'least',
    drawn: fc.tuple(prices, liquidity, amounts()),
    answer(price = 0n, L = 0n, amount = 0n) {
      const found = orNull(() => priceAfterBaseOut(price, L, amount));
      return found === null
        ? null
        : { found, end: price, holds: (next) => baseBetween(price, next, L) >= amount };
    },
  },
  {
    of: `${POOLS}/sqrt-price.ts priceAfterQuoteOut`,
    is: 'most',
    drawn: fc.tuple(prices, liquidity, amounts()),
    answer(price = 0n, L = 0n, amount = 0n) {
      const found = orNull(() => priceAfterQuoteOut(price, L, amount));
      return found === null
        ? null
        : { found, end: price, holds: (next) => quoteBetween(next, price, L) >= amount };
    },
  },
  {
    of: `${POOLS}/damm/damm-liquidity.ts moveByProductOfOutput`,
    is: 'least',
    drawn: fc.tuple(amounts(), amounts(), amounts()),
    answer(reserveIn = 0n, reserveOut = 0n, out = 0n) {
      const move = orNull(() => moveByProductOfOutput(reserveIn + 1n, reserveOut, out));
      return move === null
        ? null
        : {
            found: move.otherRaw,
            end: 0n,
            holds: (paid) => moveByProductOfInput(reserveIn + 1n, reserveOut, paid).otherRaw >= out,
          };
    },
  },
  {
    of: `${POOLS}/fixed-point.ts integerSquareRoot`,
    is: 'most',
    drawn: fc.tuple(
      fc.oneof(
        amounts(2n ** 200n),
        amounts().map((root) => root * root),
        amounts().map((root) => root * root + 2n * root),
      ),
    ),
    answer: (value = 0n) => ({ found: integerSquareRoot(value), holds: (root) => root * root <= value }),
  },
  {
    of: 'src/chain/transactions/priority.ts boundedPrice',
    is: 'most',
    drawn: fc.tuple(fc.bigInt({ min: 1n, max: 1_400_000n }), amounts(10n ** 10n)),
    answer(units = 0n, priorityLamportsMax = 0n) {
      const computeUnitLimit = Number(units);
      return {
        found: boundedPrice({ computeUnitLimit, computeUnitPrice: 2n ** 64n, priorityLamportsMax }),
        holds: (computeUnitPrice) =>
          priorityLamports({ computeUnitLimit, computeUnitPrice }) <= priorityLamportsMax,
      };
    },
  },
  {
    of: 'src/http/limits/gcra.ts describeDecision',
    is: 'least',
    // Whole milliseconds between two requests, so that no sum is rounded.
    drawn: fc.tuple(
      fc.bigInt({ min: 1n, max: 100n }),
      fc.bigInt({ min: 1n, max: 2_000n }),
      fc.bigInt({ min: 0n, max: 200_000n }),
      fc.bigInt({ min: 1n, max: 5n }),
    ),
    answer(limit = 1n, intervalMs = 1n, ahead = 0n, cost = 1n) {
      const nowMs = 1_000_000;
      const at = (afterMs: number) =>
        gcra(
          nowMs + Number(ahead % (limit * intervalMs + 1n)),
          nowMs + afterMs,
          Number(limit),
          Number(limit * intervalMs),
          Number(cost),
        ).decision;
      return {
        found: BigInt(at(0).retryAfterSeconds),
        end: 0n,
        holds: (seconds) => at(Number(seconds) * 1_000).allowed,
      };
    },
  },
];

/** The value, or null where the program refuses. */
function orNull<Value>(compute: () => Value): Value | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

/** Functions that round an amount up and are no inverse of another one. */
const forward: Readonly<Record<string, string>> = {
  [`${POOLS}/curve/quote-shares.ts movedAtMigration`]: 'a share',
  [`${POOLS}/fixed-point.ts divideUp`]: 'the rounding itself',
  [`${POOLS}/rate-limiter-fee.ts numeratorOfNet`]:
    'the program rounds the rate as well: its libraries are the oracle',
  [`${POOLS}/rate-limiter-fee.ts numeratorOfPaid`]: 'a rate',
  [`${POOLS}/spot-price.ts shortfallBps`]: 'a rate',
  [`${POOLS}/sqrt-price.ts baseBetweenUp`]: 'what a move costs',
  [`${POOLS}/sqrt-price.ts quoteBetweenUp`]: 'what a move costs',
  [`${POOLS}/trading-fee.ts feeOn`]: 'a fee',
  [`${POOLS}/volatility.ts variableFeeNumerator`]: 'a rate',
  'src/chain/transactions/compute-budget.ts networkFee': 'a fee',
  'src/chain/transactions/priority.ts priorityLamports': 'a fee',
  'src/features/market/supply/buckets.ts baseBetweenRaw': 'what a move costs',
  'src/features/trading/wallet-swap.ts limitOf': 'a bound beside a quote',
};

const roundsUp = /divideUp\(|- 1n\) [/*]|_LESS_ONE\)/;

describe('an inverse gives the amount that is just enough', () => {
  test.each(inverses.map((inverse) => [inverse.of, inverse] as const))('%s', (_of, { is, drawn, answer }) => {
    const step = is === 'least' ? -1n : 1n;
    let judged = 0;
    fc.assert(
      fc.property(drawn, (values) => {
        const given = answer(...values);
        if (given === null) return;
        const { found, end, holds } = given;
        judged += 1;
        expect([found, holds(found)]).toEqual([found, true]);
        if (found !== end) expect([found, holds(found + step)]).toEqual([found, false]);
      }),
      { numRuns: 400 },
    );
    expect(judged).toBeGreaterThan(100);
  });
});

test('every function that rounds an amount up is one of these inverses, or says what it is instead', () => {
  const rounding = sources().flatMap(([file, source]) =>
    linesByFunction(source).flatMap(([name, line]) => (roundsUp.test(line) ? [`${file} ${name}`] : [])),
  );
  const known = new Set([...inverses.map(({ of }) => of), ...Object.keys(forward)]);
  expect([...new Set(rounding)].filter((one) => !known.has(one))).toEqual([]);
  expect(Object.keys(forward).filter((one) => !rounding.includes(one))).toEqual([]);
});
