import { BoundedMap } from '../shared/bounded-map.ts';
import type { RateLimit } from '../shared/configuration-values.ts';
import { gcra, type RateDecision } from './gcra.ts';

/** Admits or refuses requests of a subject under a limit. May throw `rate_limit_unavailable`. */
export interface RateLimiter {
  /** `bucket` separates limits that share a subject: reading can never starve submission. */
  take(bucket: string, subject: string, limit: RateLimit): RateDecision | Promise<RateDecision>;
  /** Whether a `take` would be admitted now, without taking. */
  peek(bucket: string, subject: string, limit: RateLimit): boolean | Promise<boolean>;
}

const SUBJECTS_MAX = 200_000;

/**
 * Limits in process memory. Bounded: when full, the subjects used least recently are forgotten, which can only
 * admit more. Each of `processCount` api processes of the machine gets its share of every limit.
 */
export function createMemoryRateLimiter(processCount: number, nowMs: () => number): RateLimiter {
  const arrivals = new BoundedMap<string, number>(SUBJECTS_MAX);
  const decide = (key: string, { limit, windowSeconds }: RateLimit) => {
    const share = Math.max(1, Math.floor(limit / processCount));
    return gcra(arrivals.get(key) ?? 0, nowMs(), share, windowSeconds * 1000);
  };

  return {
    take(bucket, subject, limit) {
      const key = `${bucket} ${subject}`;
      const { decision, arrivalMs } = decide(key, limit);
      arrivals.set(key, arrivalMs);
      return decision;
    },
    peek: (bucket, subject, limit) => decide(`${bucket} ${subject}`, limit).decision.allowed,
  };
}
