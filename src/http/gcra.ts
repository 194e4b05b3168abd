/** Outcome of one request against one limit. */
export interface RateDecision {
  allowed: boolean;
  limit: number;
  /** Requests that would be admitted right now. */
  remaining: number;
  /** Seconds until the whole burst is available again, rounded up. */
  resetSeconds: number;
  /** Seconds until one request would be admitted, rounded up; 0 when allowed. */
  retryAfterSeconds: number;
}

/**
 * Generic cell rate algorithm: a token bucket kept as one number, the theoretical arrival time (ITU-T I.371).
 *
 * @param arrivalMs stored theoretical arrival time of the subject; 0 for a new one.
 * @returns the decision and the value to store (unchanged when refused).
 */
export function gcra(
  arrivalMs: number,
  nowMs: number,
  limit: number,
  windowMs: number,
): { decision: RateDecision; arrivalMs: number } {
  const intervalMs = windowMs / limit;
  const nextMs = Math.max(arrivalMs, nowMs) + intervalMs;
  const waitMs = nextMs - windowMs - nowMs;
  // A millionth of a millisecond absorbs the rounding of repeated additions.
  const allowed = waitMs <= 1e-6;
  const storedMs = allowed ? nextMs : Math.max(arrivalMs, nowMs);
  return {
    arrivalMs: storedMs,
    decision: {
      allowed,
      limit,
      remaining: Math.max(0, Math.floor((windowMs - (storedMs - nowMs)) / intervalMs + 1e-6)),
      resetSeconds: Math.ceil((storedMs - nowMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(waitMs / 1000)),
    },
  };
}
