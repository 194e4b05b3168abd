declare const decimalBrand: unique symbol;
/**
 * A non-negative decimal in its one canonical spelling: no leading or trailing zeros, no exponent
 * (contract/requests#decimal-string).
 */
export type DecimalString = string & { readonly [decimalBrand]: true };

/** Fractional digits of published prices, the rest cut off (contract/market-data#prices). */
export const PRICE_FRACTION_DIGITS = 18;

const DECIMAL_STRING = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
/** A numeric as Postgres prints it: plain digits, padded to the scale of the value. */
const NUMERIC_TEXT = /^\d+(?:\.\d+)?$/;

export function isDecimalString(text: string): text is DecimalString {
  return DECIMAL_STRING.test(text);
}

/**
 * The canonical spelling of a non-negative Postgres numeric, e.g. `10.500` → `10.5`. Throws RangeError on any
 * other text.
 */
export function normaliseDecimal(numericText: string): DecimalString {
  // Most stored values were written in this spelling.
  if (isDecimalString(numericText)) return numericText;
  if (!NUMERIC_TEXT.test(numericText)) throw new RangeError('not a non-negative decimal');
  const { digits, scale } = parse(numericText);
  return format(digits, scale);
}

/** The same for a numeric that may be negative; zero has no sign. */
export function normaliseSigned(numericText: string): string {
  if (!numericText.startsWith('-')) return normaliseDecimal(numericText);
  const size = normaliseDecimal(numericText.slice(1));
  return size === '0' ? size : `-${size}`;
}

export function multiplyDecimals(left: DecimalString, right: DecimalString): DecimalString {
  const a = parse(left);
  const b = parse(right);
  return format(a.digits * b.digits, a.scale + b.scale);
}

/** The quotient with `fractionDigits` fractional digits, the rest cut off. Throws RangeError when dividing by zero. */
export function divideDecimals(
  dividend: DecimalString,
  divisor: DecimalString,
  fractionDigits: number = PRICE_FRACTION_DIGITS,
): DecimalString {
  const a = parse(dividend);
  const b = parse(divisor);
  const numerator = a.digits * powerOfTen(b.scale + fractionDigits);
  return format(numerator / (b.digits * powerOfTen(a.scale)), fractionDigits);
}

export function addDecimals(left: DecimalString, right: DecimalString): DecimalString {
  const a = parse(left);
  const b = parse(right);
  const scale = Math.max(a.scale, b.scale);
  return format(a.digits * powerOfTen(scale - a.scale) + b.digits * powerOfTen(scale - b.scale), scale);
}

/** Throws RangeError when the difference is negative. */
export function subtractDecimals(left: DecimalString, right: DecimalString): DecimalString {
  const a = parse(left);
  const b = parse(right);
  const scale = Math.max(a.scale, b.scale);
  const difference = a.digits * powerOfTen(scale - a.scale) - b.digits * powerOfTen(scale - b.scale);
  if (difference < 0n) throw new RangeError('the difference is negative');
  return format(difference, scale);
}

/** The difference with a minus sign when it is negative. */
export function signedDifference(left: DecimalString, right: DecimalString): string {
  return compareDecimals(left, right) >= 0
    ? subtractDecimals(left, right)
    : `-${subtractDecimals(right, left)}`;
}

export function truncateDecimal(value: DecimalString, fractionDigits: number): DecimalString {
  const { digits, scale } = parse(value);
  if (scale <= fractionDigits) return value;
  return format(digits / powerOfTen(scale - fractionDigits), fractionDigits);
}

/** The same for a value that may be negative: towards zero, which has no sign. */
export function truncateSigned(value: string, fractionDigits: number): string {
  if (!value.startsWith('-')) return truncateDecimal(value as DecimalString, fractionDigits);
  const cut = truncateDecimal(value.slice(1) as DecimalString, fractionDigits);
  return cut === '0' ? cut : `-${cut}`;
}

/** Returns -1, 0 or 1 when `left` is less than, equal to or greater than `right`. */
export function compareDecimals(left: DecimalString, right: DecimalString): -1 | 0 | 1 {
  if (left === right) return 0;
  // Canonical text compares as text: by the length of the integer part, then digit by digit, a shorter fraction first.
  const leftWhole = wholeLength(left);
  const rightWhole = wholeLength(right);
  if (leftWhole !== rightWhole) return leftWhole < rightWhole ? -1 : 1;
  return left < right ? -1 : 1;
}

function wholeLength(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? text.length : point;
}

/** Converts a raw integer amount (lamports, base units), e.g. 1_500_000_000n with 9 decimals → `1.5`. */
export function rawToDecimal(raw: bigint, decimals: number): DecimalString {
  if (raw < 0n) throw new RangeError('a raw amount is not negative');
  return format(raw, decimals);
}

/** Converts a decimal to a raw integer amount; null when it has more fractional digits than `decimals`. */
export function decimalToRaw(value: DecimalString, decimals: number): bigint | null {
  const { digits, scale } = parse(value);
  return scale > decimals ? null : digits * powerOfTen(decimals - scale);
}

interface Parsed {
  digits: bigint;
  /** Fractional digits: the value is digits / 10^scale. */
  scale: number;
}

function parse(text: string): Parsed {
  const point = text.indexOf('.');
  if (point === -1) return { digits: BigInt(text), scale: 0 };
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

function format(digits: bigint, scale: number): DecimalString {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  let end = text.length;
  while (end > whole.length && text[end - 1] === '0') end -= 1;
  const fraction = text.slice(whole.length, end);
  return (fraction === '' ? whole : `${whole}.${fraction}`) as DecimalString;
}

/**
 * Up to the largest exponents of prices and raw amounts; computing a power anew costs more than the
 * arithmetic that uses it.
 */
const POWERS_OF_TEN = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}
