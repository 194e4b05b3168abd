import type { AttemptTransition } from '../delivery-transitions.ts';
import type { Verdict } from './classify-outcome.ts';

/** What happens to a delivery after an attempt. */
export type NextStep =
  | { transition: Exclude<AttemptTransition, 'failed'> }
  | { transition: 'failed'; delayMs: number };

/** A pause is made up to this part longer or shorter. */
const JITTER_RATIO = 0.2;

/**
 * The step after an attempt (contract/delivery#retries).
 *
 * @param scheduleIndex attempts before this one since creation or the last replay: 0 for the first
 * @param scheduleMs the pause before each further attempt; there is one attempt more than it has entries
 * @param random from 0 up to, not including, 1: spreads the pause by ±20 %
 */
export function nextStep(
  verdict: Verdict,
  scheduleIndex: number,
  scheduleMs: readonly number[],
  random: number,
): NextStep {
  if (verdict.succeeded) return { transition: 'succeeded' };
  const pauseMs = scheduleMs[scheduleIndex];
  if (verdict.gone || pauseMs === undefined) return { transition: 'exhausted' };
  const spreadMs = Math.round(pauseMs * (1 - JITTER_RATIO + 2 * JITTER_RATIO * random));
  return { transition: 'failed', delayMs: Math.max(spreadMs, verdict.pauseMs ?? 0) };
}
