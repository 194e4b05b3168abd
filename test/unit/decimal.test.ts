import { describe, expect, test } from 'bun:test';
import {
  compareDecimals,
  type DecimalString,
  decimalToRaw,
  divideDecimals,
  isDecimalString,
  multiplyDecimals,
  normaliseDecimal,
  rawToDecimal,
} from '../../src/shared/decimal.ts';

const decimal = (text: string) => text as DecimalString;

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

  test.each(['NaN', '-1', 'Infinity', ''])('does not exist for %p', (text) =>
    expect(() => normaliseDecimal(text)).toThrow(RangeError),
  );
});

// For all values: decimal-library.test.ts.
describe('arithmetic is exact', () => {
  test('a price times a supply has every digit', () => {
    const product = multiplyDecimals(decimal('0.000000028929123456'), decimal('1000000000.123456789'));
    expect(product).toBe(decimal('28.929123459571496690462342784'));
  });

  test('a third has eighteen digits and no rounding', () => {
    expect(divideDecimals(decimal('2'), decimal('3'))).toBe(decimal(`0.${'6'.repeat(18)}`));
  });

  test('a raw amount has no more digits than its unit, and no sign', () => {
    expect(decimalToRaw(decimal('1.23'), 1)).toBeNull();
    expect(() => rawToDecimal(-1n, 9)).toThrow(RangeError);
    expect(() => divideDecimals(decimal('1'), decimal('0'))).toThrow(RangeError);
  });

  test('comparison orders by value, not by text', () => {
    expect(compareDecimals(decimal('9'), decimal('10'))).toBe(-1);
    expect(compareDecimals(decimal('0.5'), decimal('0.49999'))).toBe(1);
    expect(compareDecimals(decimal('1'), decimal('1.5'))).toBe(-1);
  });
});
