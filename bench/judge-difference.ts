import type { Spread } from './measurement/statistics.ts';

/** Smaller differences are not worth a word, however steady. */
const LEAST_DIFFERENCE = 0.02;
/** One round in so many may point the other way. */
const ROUNDS_PER_EXCEPTION = 8;
/** Of two equal trees, fewer rounds point one way by chance in 12 % of the figures and more. */
const ROUNDS_MIN = 5;

export type Verdict = 'differs' | 'within the noise' | 'too few rounds to say';

/**
 * Whether round-by-round ratios of two trees say that they differ: all rounds but one in eight lie on the same side of
 * 1 and the median is at least 2 % away. Of two equal trees, 5 rounds say so by chance in 6 % of the figures and 9
 * rounds in 4 %.
 */
export function judgeDifference({ median, rounds }: Spread): Verdict {
  if (rounds.length < ROUNDS_MIN) return 'too few rounds to say';
  const above = rounds.filter((ratio) => ratio > 1).length;
  const below = rounds.filter((ratio) => ratio < 1).length;
  const exceptions = Math.floor(rounds.length / ROUNDS_PER_EXCEPTION);
  const isOneSided = Math.max(above, below) >= rounds.length - exceptions;
  return isOneSided && Math.abs(median - 1) >= LEAST_DIFFERENCE ? 'differs' : 'within the noise';
}
