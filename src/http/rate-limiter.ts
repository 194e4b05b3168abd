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
  // A Map iterates in insertion order; re-inserting on use makes its front the least recently used.
  const arrivals = new Map<string, number>();

  return {
    take(bucket, subject, { limit, windowSeconds }) {
      const key = `${bucket} ${subject}`;
      const share = Math.max(1, Math.floor(limit / processCount));
      const { decision, arrivalMs } = gcra(arrivals.get(key) ?? 0, nowMs(), share, windowSeconds * 1000);
      arrivals.delete(key);
      arrivals.set(key, arrivalMs);
      if (arrivals.size > SUBJECTS_MAX) forgetOldest(arrivals);
      return decision;
    },
    peek(bucket, subject, { limit, windowSeconds }) {
      const share = Math.max(1, Math.floor(limit / processCount));
      return gcra(arrivals.get(`${bucket} ${subject}`) ?? 0, nowMs(), share, windowSeconds * 1000).decision
        .allowed;
    },
  };
}

function forgetOldest(arrivals: Map<string, number>): void {
  for (const key of arrivals.keys()) {
    arrivals.delete(key);
    if (arrivals.size <= SUBJECTS_MAX) return;
  }
}
