import type { NextStep, Verdict } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';

/** A pause gets longer or shorter by up to this fraction. */
const JITTER_RATIO = 0.2;
/** Longest pause of a delivery that cannot be signed. The operator may correct the mistake at any time. */
const UNSIGNED_PAUSE_MS_MAX = 30 * 60_000;
/** After 30 days of such pauses the delivery ends, because its key may be lost for ever. */
const UNSIGNED_ATTEMPTS_MAX = 1_440;

/**
 * The step after an attempt (contract/delivery#retries).
 *
 * @param claim its `scheduleIndex` is the number of attempts before this one, since creation or the last replay
 * @param scheduleMs the pause before each further attempt; there is one attempt more than it has entries
 * @param random from 0 up to, not including, 1: spreads the pause by ±20 %
 */
export function nextStep(
  verdict: Verdict,
  { scheduleIndex, attemptNumber }: Pick<Claim, 'scheduleIndex' | 'attemptNumber'>,
  scheduleMs: readonly number[],
  random: number,
): NextStep {
  if (verdict.succeeded) return { transition: 'succeeded' };
  const pauseMs = usesSchedule(verdict)
    ? scheduleMs[scheduleIndex]
    : unsignedPauseMs(attemptNumber, scheduleMs);
  if (verdict.gone || pauseMs === undefined) return { transition: 'exhausted' };
  const spreadMs = Math.round(pauseMs * (1 - JITTER_RATIO + 2 * JITTER_RATIO * random));
  return { transition: 'failed', delayMs: Math.max(spreadMs, verdict.pauseMs ?? 0) };
}

/** Whether the schedule counts an attempt. It does not count unsigned ones (contract/delivery#unsigned). */
export function usesSchedule({ errorCode }: Verdict): boolean {
  return errorCode !== 'signing_failed';
}

function unsignedPauseMs(attemptNumber: number, scheduleMs: readonly number[]): number | undefined {
  if (attemptNumber >= UNSIGNED_ATTEMPTS_MAX) return undefined;
  return Math.min(UNSIGNED_PAUSE_MS_MAX, scheduleMs[attemptNumber - 1] ?? UNSIGNED_PAUSE_MS_MAX);
}
