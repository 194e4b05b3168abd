import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
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
} from '../../src/shared/decimal.ts';

const decimal = (text: string) => text as DecimalString;
const raw = fc.bigInt({ min: 0n, max: 10n ** 40n });
const scale = fc.integer({ min: 0, max: 20 });
const anyDecimal = fc.tuple(raw, scale).map(([value, decimals]) => rawToDecimal(value, decimals));

describe('the canonical spelling', () => {
  test.each(['0', '1', '10', '0.5', '120.034', '9'.repeat(60)])('accepts %s', (text) => {
    expect(isDecimalString(text)).toBe(true);
    expect(normaliseDecimal(text)).toBe(decimal(text));
  });

  test.each(['', '-1', '+1', '01', '1.', '.5', '1.50', '0.0', '1e3', '1,5', ' 1', 'NaN', '1.2.3', '٣'])(
    'refuses %p',
    (text) => expect(isDecimalString(text)).toBe(false),
  );

  test.each([
    ['0.000', '0'],
    ['10.500', '10.5'],
    ['007', '7'],
    ['3.000000000000000000', '3'],
  ])('of what Postgres prints as %s is %s', (text, expected) =>
    expect(normaliseDecimal(text)).toBe(decimal(expected)),
  );

  test.each(['NaN', '-1', 'Infinity', ''])('is not to be had from %p', (text) =>
    expect(() => normaliseDecimal(text)).toThrow(RangeError),
  );

  test('is what every operation yields', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const results = [multiplyDecimals(a, b), addDecimals(a, b), truncateDecimal(a, 3)];
        if (b !== decimal('0')) results.push(divideDecimals(a, b));
        return results.every(isDecimalString);
      }),
    );
  });
});

describe('arithmetic is exact', () => {
  test('a price times a supply has every digit', () => {
    const product = multiplyDecimals(decimal('0.000000028929123456'), decimal('1000000000.123456789'));
    expect(product).toBe(decimal('28.929123459571496690462342784'));
  });

  test('multiplication agrees with raw integers', () => {
    fc.assert(
      fc.property(raw, scale, raw, scale, (a, aScale, b, bScale) => {
        const product = multiplyDecimals(rawToDecimal(a, aScale), rawToDecimal(b, bScale));
        return product === rawToDecimal(a * b, aScale + bScale);
      }),
    );
  });

  test('division cuts off: quotient * divisor <= dividend < (quotient + last digit) * divisor', () => {
    fc.assert(
      fc.property(
        anyDecimal,
        anyDecimal.filter((value) => value !== '0'),
        (a, b) => {
          const quotient = divideDecimals(a, b, 18);
          const above = addDecimals(quotient, rawToDecimal(1n, 18));
          return (
            compareDecimals(multiplyDecimals(quotient, b), a) <= 0 &&
            compareDecimals(multiplyDecimals(above, b), a) > 0
          );
        },
      ),
    );
    expect(() => divideDecimals(decimal('1'), decimal('0'))).toThrow(RangeError);
  });

  test('a third has eighteen digits and no rounding', () => {
    expect(divideDecimals(decimal('2'), decimal('3'))).toBe(decimal(`0.${'6'.repeat(18)}`));
  });

  test('raw amounts survive the way to a decimal and back', () => {
    fc.assert(
      fc.property(
        raw,
        scale,
        (value, decimals) => decimalToRaw(rawToDecimal(value, decimals), decimals) === value,
      ),
    );
    expect(decimalToRaw(decimal('1.23'), 1)).toBeNull();
    expect(() => rawToDecimal(-1n, 9)).toThrow(RangeError);
  });

  test('comparison orders by value, not by text', () => {
    expect(compareDecimals(decimal('9'), decimal('10'))).toBe(-1);
    expect(compareDecimals(decimal('0.5'), decimal('0.49999'))).toBe(1);
    expect(compareDecimals(decimal('1'), decimal('1.5'))).toBe(-1);
    fc.assert(
      fc.property(raw, raw, scale, (a, b, decimals) => {
        const order = a === b ? 0 : a < b ? -1 : 1;
        return compareDecimals(rawToDecimal(a, decimals), rawToDecimal(b, decimals)) === order;
      }),
    );
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const difference = (decimalToRaw(a, 20) ?? 0n) - (decimalToRaw(b, 20) ?? 0n);
        return compareDecimals(a, b) === (difference === 0n ? 0 : difference < 0n ? -1 : 1);
      }),
    );
  });
});
