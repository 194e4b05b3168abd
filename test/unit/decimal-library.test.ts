import { describe, expect, test } from 'bun:test';
import BigNumber from 'bignumber.js';
import fc from 'fast-check';
import { decimalOf } from '../../packages/client/src/cli/amounts.ts';
import { shortfallBps, wholeTokenPrice } from '../../src/chain/pools/spot-price.ts';
import { isPredictablePrice } from '../../src/features/predictions/submissions/price-range.ts';
import { allocationRaw, saleSupplyRaw } from '../../src/features/presales/allocation.ts';
import { tradeValues } from '../../src/indexer/decode/trade-values.ts';
import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  decimalToRaw,
  divideDecimals,
  isDecimalString,
  multiplyDecimals,
  normaliseDecimal,
  rawToDecimal,
  truncateDecimal,
  truncateSigned,
} from '../../src/shared/decimal.ts';

/** A library of unlimited precision, whose quotients are cut off after a set number of digits. */
function numbers(fractionDigits: number): typeof BigNumber {
  return BigNumber.clone({
    DECIMAL_PLACES: fractionDigits,
    ROUNDING_MODE: BigNumber.ROUND_DOWN,
    EXPONENTIAL_AT: 1e9,
  });
}
const Exact = numbers(0);
const text = (value: BigNumber) => value.toFixed();
const big = (value: bigint | string) => new Exact(String(value));

/** Amounts at the edges of what chains and columns hold, those beside them, and any others. */
const edges = [
  0n,
  1n,
  9n,
  10n,
  10n ** 9n,
  10n ** 18n,
  2n ** 63n,
  2n ** 64n,
  2n ** 128n,
  10n ** 77n,
  2n ** 256n,
];
const raw = fc.oneof(
  fc.constantFrom(...edges, ...edges.flatMap((edge) => (edge === 0n ? [] : [edge - 1n, edge + 1n]))),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 10n ** 40n }),
  // Zeros at the end.
  fc
    .tuple(fc.bigInt({ min: 0n, max: 999n }), fc.nat(50))
    .map(([digits, zeros]) => digits * 10n ** BigInt(zeros)),
);
const positive = raw.filter((value) => value > 0n);
const scale = fc.oneof(fc.constantFrom(0, 6, 9, 18, 63, 64, 65), fc.nat(90));
const decimal = fc.tuple(raw, scale).map(([value, decimals]) => rawToDecimal(value, decimals));
const u64 = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0n, max: 1_000_000n }),
);
const decimals = fc.integer({ min: 0, max: 18 });

describe('decimals agree with a big-number library', () => {
  test('about which texts are decimals, and about their canonical spelling', () => {
    const spelled = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'00129.'), maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'019.e+- '), maxLength: 8 }),
      decimal,
    );
    fc.assert(
      fc.property(spelled, (spelling) => {
        const value = big(spelling);
        const isCanonical = value.isFinite() && !value.isNegative() && text(value) === spelling;
        expect(isDecimalString(spelling)).toBe(isCanonical);
        // Postgres prints digits, and a point between digits.
        if (/^\d+(\.\d+)?$/.test(spelling)) expect<string>(normaliseDecimal(spelling)).toBe(text(value));
        else expect(() => normaliseDecimal(spelling)).toThrow(RangeError);
      }),
      { numRuns: 1_000 },
    );
  });

  test('in raw amounts, both ways', () => {
    fc.assert(
      fc.property(raw, scale, scale, (value, digits, others) => {
        const expected = big(value).shiftedBy(-digits);
        const amount = rawToDecimal(value, digits);
        expect<string>(amount).toBe(text(expected));
        expect(decimalOf(String(value), digits)).toBe(text(expected));
        const back = expected.shiftedBy(others);
        expect(decimalToRaw(amount, others)).toBe(back.isInteger() ? BigInt(text(back)) : null);
      }),
      { numRuns: 500 },
    );
  });

  test('in sums, products, quotients and truncation', () => {
    fc.assert(
      fc.property(decimal, decimal, fc.nat(70), (a, b, digits) => {
        expect<string>(addDecimals(a, b)).toBe(text(big(a).plus(b)));
        expect<string>(multiplyDecimals(a, b)).toBe(text(big(a).times(b)));
        expect<string>(truncateDecimal(a, digits)).toBe(text(big(a).decimalPlaces(digits)));
        for (const signed of a === '0' ? [a] : [a, `-${a}`])
          expect<string>(truncateSigned(signed, digits)).toBe(
            text(big(signed).decimalPlaces(digits).plus(0)),
          );
        if (b === '0') return expect(() => divideDecimals(a, b, digits)).toThrow(RangeError);
        const quotient = new (numbers(digits))(a).dividedBy(b);
        expect<string>(divideDecimals(a, b, digits)).toBe(text(quotient));
      }),
      { numRuns: 500 },
    );
  });

  test('in their order', () => {
    const near = fc.tuple(decimal, fc.constantFrom('', '1', '01', '9')).map(([value, more]) => {
      const longer = value.includes('.') ? `${value}${more}` : `${value}${more && `.${more}`}`;
      return [value, longer as DecimalString] as const;
    });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(decimal, decimal), near), ([a, b]) => {
        expect<number | null>(compareDecimals(a, b)).toBe(big(a).comparedTo(b));
        expect<number | null>(compareDecimals(b, a)).toBe(big(b).comparedTo(a));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('prices and shares agree with a big-number library', () => {
  const Price = numbers(18);

  test('the price of a whole token, from a pool and from a trade', () => {
    fc.assert(
      fc.property(positive, positive, decimals, decimals, (numerator, denominator, priced, paying) => {
        const expected = new Price(String(numerator))
          .shiftedBy(priced - paying)
          .dividedBy(String(denominator));
        expect<string>(wholeTokenPrice({ numerator, denominator }, priced, paying)).toBe(text(expected));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(u64, u64, decimals, (solRaw, tokenRaw, tokenDecimals) => {
        const swap = { solPerToken: null, solReserveRaw: null, chainTimeSeconds: null };
        const bought = tradeValues(
          { ...swap, type: 'buy', paidRaw: solRaw, receivedRaw: tokenRaw },
          tokenDecimals,
        );
        const sold = tradeValues(
          { ...swap, type: 'sell', paidRaw: tokenRaw, receivedRaw: solRaw },
          tokenDecimals,
        );
        if (tokenRaw === 0n) return expect([bought, sold]).toEqual([null, null]);
        const [sol, token] = [big(solRaw).shiftedBy(-9), big(tokenRaw).shiftedBy(-tokenDecimals)];
        for (const [type, values] of Object.entries({ buy: bought, sell: sold }))
          expect<unknown>(values).toMatchObject({
            type,
            solAmount: text(sol),
            tokenAmount: text(token),
            pricePerTokenInSol: text(new Price(sol).dividedBy(token)),
          });
      }),
      { numRuns: 500 },
    );
  });

  test('the shortfall of the output against the price, rounded up to a basis point', () => {
    fc.assert(
      fc.property(u64, u64, positive, positive, (inRaw, outRaw, numerator, denominator) => {
        const promised = big(inRaw).times(String(numerator));
        const missing = promised.minus(big(outRaw).times(String(denominator)));
        const expected =
          promised.isZero() || missing.isNegative()
            ? big(0n)
            : // Exact before it is rounded: the quotient and whether anything is left.
              missing.times(10_000).plus(promised).minus(1).dividedToIntegerBy(promised);
        expect(shortfallBps(inRaw, outRaw, { numerator, denominator })).toBe(BigInt(text(expected)));
      }),
      { numRuns: 500 },
    );
  });

  test('the part of a supply that a presale sells, and the part of it that a wallet gets', () => {
    fc.assert(
      fc.property(
        decimal,
        decimals,
        fc.nat(10_000),
        u64,
        positive,
        (supply, tokenDecimals, bps, deposited, total) => {
          const sale = big(supply)
            .shiftedBy(tokenDecimals)
            .integerValue()
            .times(bps)
            .dividedToIntegerBy(10_000);
          const saleRaw = saleSupplyRaw(supply, tokenDecimals, bps);
          expect(saleRaw).toBe(BigInt(text(sale)));
          const allocation = sale.times(String(deposited)).dividedToIntegerBy(String(total));
          expect(allocationRaw(deposited, total, saleRaw)).toBe(BigInt(text(allocation)));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('the prices that can be predicted: positive, with twelve digits before the point and eighteen after it', () => {
    const price = fc.oneof(
      fc
        .tuple(fc.constantFrom(0n, 1n, 10n ** 30n - 1n, 10n ** 30n, 10n ** 31n), fc.constantFrom(17, 18, 19))
        .map(([value, digits]) => rawToDecimal(value, digits)),
      decimal,
    );
    fc.assert(
      fc.property(price, (value) => {
        const number = big(value);
        const isPredictable =
          number.isPositive() && !number.isZero() && number.lt(1e12) && (number.decimalPlaces() ?? 99) <= 18;
        expect(isPredictablePrice(value)).toBe(isPredictable);
      }),
      { numRuns: 500 },
    );
  });
});
