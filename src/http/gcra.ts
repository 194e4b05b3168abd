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

/** A millionth of a millisecond absorbs the rounding of repeated additions. */
const ROUNDING_MS = 1e-6;

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
  const currentMs = Math.max(arrivalMs, nowMs);
  const allowed = currentMs + intervalMs - windowMs - nowMs <= ROUNDING_MS;
  const storedMs = allowed ? currentMs + intervalMs : currentMs;
  return { arrivalMs: storedMs, decision: describeDecision(allowed, storedMs - nowMs, limit, windowMs) };
}

/** The decision in a client's terms. @param aheadMs how far the stored arrival time lies in the future. */
export function describeDecision(
  allowed: boolean,
  aheadMs: number,
  limit: number,
  windowMs: number,
): RateDecision {
  const intervalMs = windowMs / limit;
  return {
    allowed,
    limit,
    remaining: Math.max(0, Math.floor((windowMs - aheadMs) / intervalMs + ROUNDING_MS)),
    resetSeconds: Math.ceil(aheadMs / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((aheadMs + intervalMs - windowMs) / 1000)),
  };
}
