import { BoundedMap } from '../../shared/bounded-map.ts';
import type { RateLimit } from '../../shared/rate-policies.ts';
import { gcra, type RateDecision } from './gcra.ts';

/** Admits or refuses requests of a subject under a limit. May throw `rate_limit_unavailable`. */
export interface RateLimiter {
  /**
   * `bucket` separates limits that share a subject: reading can never starve submission. A request that costs
   * several is admitted whole or not at all; a cost beyond the limit counts as the limit.
   */
  take(
    bucket: string,
    subject: string,
    limit: RateLimit,
    cost?: number,
  ): RateDecision | Promise<RateDecision>;
  /** Undoes one admitted `take`. */
  giveBack(bucket: string, subject: string, limit: RateLimit): void | Promise<void>;
}

const SUBJECTS_MAX = 200_000;

/**
 * Limits in process memory. Bounded: when full, it forgets the least recently used subjects, which can only
 * admit more. Each of `processCount` api processes of the machine gets its share of every limit.
 */
export function createMemoryRateLimiter(processCount: number, nowMs: () => number): RateLimiter {
  const arrivals = new BoundedMap<string, number>(SUBJECTS_MAX);
  const shareOf = (limit: number) => Math.max(1, Math.floor(limit / processCount));

  return {
    take(bucket, subject, { limit, windowSeconds }, cost) {
      const key = `${bucket} ${subject}`;
      const { decision, arrivalMs } = gcra(
        arrivals.get(key) ?? 0,
        nowMs(),
        shareOf(limit),
        windowSeconds * 1000,
        cost,
      );
      arrivals.set(key, arrivalMs);
      return decision;
    },
    giveBack(bucket, subject, { limit, windowSeconds }) {
      const key = `${bucket} ${subject}`;
      const arrivalMs = arrivals.get(key);
      if (arrivalMs !== undefined) arrivals.set(key, arrivalMs - (windowSeconds * 1000) / shareOf(limit));
    },
  };
}
