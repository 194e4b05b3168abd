import type { Spread } from './measurement/statistics.ts';

/** Smaller differences are not reported, however consistent. */
const LEAST_DIFFERENCE = 0.02;
/** One round in this many may point the other way. */
const ROUNDS_PER_EXCEPTION = 8;
/** With fewer rounds, 12 % or more of the figures of two equal trees point one way by chance. */
const ROUNDS_MIN = 5;

export type Verdict = 'differs' | 'within the noise' | 'too few rounds to say';

/**
 * Whether round-by-round ratios show that two trees differ: all rounds but one in eight lie on the same side of 1 and
 * the median is at least 2 % away. For two equal trees that happens by chance in 6 % of the figures with 5 rounds and
 * in 4 % with 9.
 */
export function judgeDifference({ median, rounds }: Spread): Verdict {
  if (rounds.length < ROUNDS_MIN) return 'too few rounds to say';
  const above = rounds.filter((ratio) => ratio > 1).length;
  const below = rounds.filter((ratio) => ratio < 1).length;
  const exceptions = Math.floor(rounds.length / ROUNDS_PER_EXCEPTION);
  const isOneSided = Math.max(above, below) >= rounds.length - exceptions;
  return isOneSided && Math.abs(median - 1) >= LEAST_DIFFERENCE ? 'differs' : 'within the noise';
}
