import { SwapRefusal } from './swap-refusal.ts';

/** 1 as Q64.64, the format of square-root prices and of the bases of powers. */
export const ONE_Q64 = 1n << 64n;
export const U64_MAX = ONE_Q64 - 1n;
export const U128_MAX = (1n << 128n) - 1n;
/** Basis points in a whole. */
export const BASIS_POINTS = 10_000n;

/** The quotient rounded up. Both arguments are non-negative. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** Returns the value if it fits the program's 64 bits. Otherwise the program refuses the swap. */
export function asU64(value: bigint): bigint {
  if (value < 0n || value > U64_MAX) throw new SwapRefusal('MathOverflow');
  return value;
}

/** The largest integer whose square is at most `value`. `value` is non-negative. */
export function integerSquareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  // Newton's method from above: it starts at a power of two that is at least the root.
  let root = 1n << BigInt((value.toString(16).length * 4 + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Exponents with more bits than this are refused. Periods fit 16 bits. */
const EXPONENT_BITS = 19;

/**
 * Raises a Q64.64 of at most 1 to a whole exponent, by squaring. Each product loses its bits below 2^-64. A
 * base of exactly 1 is replaced by its reciprocal, one unit below 1, and the result is inverted.
 */
export function powerQ64(base: bigint, exponent: number): bigint {
  if (exponent === 0) return ONE_Q64;
  const isInverted = base >= ONE_Q64;
  let square = isInverted ? U128_MAX / base : base;
  let result = ONE_Q64;
  for (let bit = 0; bit < EXPONENT_BITS && exponent >> bit !== 0; bit += 1) {
    if (((exponent >> bit) & 1) === 1) result = (result * square) >> 64n;
    square = (square * square) >> 64n;
  }
  if (result === 0n) throw new SwapRefusal('MathOverflow');
  return isInverted ? U128_MAX / result : result;
}
