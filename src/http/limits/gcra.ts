/** The outcome of one request against one limit. A request may cost more than one. */
export interface RateDecision {
  allowed: boolean;
  limit: number;
  windowSeconds: number;
  /** Requests that would be admitted right now. */
  remaining: number;
  /** Seconds until the whole burst is available again, rounded up. */
  resetSeconds: number;
  /** Seconds until one request more than `remaining` would be admitted, rounded up; 0 when the whole burst is available. */
  nextSeconds: number;
  /** Seconds until the same request would be admitted, rounded up; 0 when allowed. */
  retryAfterSeconds: number;
}

/** A millionth of a millisecond absorbs the rounding of repeated additions. */
const ROUNDING_MS = 1e-6;

/**
 * Generic cell rate algorithm: a token bucket kept as one number, the theoretical arrival time (ITU-T I.371).
 *
 * @param arrivalMs stored theoretical arrival time of the subject; 0 for a new one
 * @param cost number of requests to count; more than the limit counts as the limit
 * @returns the decision and the value to store (unchanged when refused)
 */
export function gcra(
  arrivalMs: number,
  nowMs: number,
  limit: number,
  windowMs: number,
  cost = 1,
): { decision: RateDecision; arrivalMs: number } {
  const takenMs = (windowMs / limit) * Math.min(cost, limit);
  const currentMs = Math.max(arrivalMs, nowMs);
  const allowed = currentMs + takenMs - windowMs - nowMs <= ROUNDING_MS;
  const storedMs = allowed ? currentMs + takenMs : currentMs;
  const decision = describeDecision(allowed, storedMs - nowMs, limit, windowMs, cost);
  return { arrivalMs: storedMs, decision };
}

/**
 * Expresses the decision in a client's terms.
 * @param aheadMs how far the stored arrival time lies in the future
 */
export function describeDecision(
  allowed: boolean,
  aheadMs: number,
  limit: number,
  windowMs: number,
  cost = 1,
): RateDecision {
  const intervalMs = windowMs / limit;
  const unused = Math.max(0, Math.floor((windowMs - aheadMs) / intervalMs + ROUNDING_MS));
  // However `unused` is rounded, what was just refused does not remain.
  const remaining = allowed ? unused : Math.min(unused, Math.min(cost, limit) - 1);
  const secondsUntil = (count: number) =>
    Math.ceil((aheadMs + intervalMs * Math.min(count, limit) - windowMs - ROUNDING_MS) / 1000);
  return {
    allowed,
    limit,
    windowSeconds: windowMs / 1000,
    remaining,
    resetSeconds: Math.ceil(aheadMs / 1000),
    nextSeconds: Math.max(0, secondsUntil(remaining + 1)),
    retryAfterSeconds: allowed ? 0 : Math.max(1, secondsUntil(cost)),
  };
}
