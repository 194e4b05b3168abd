import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { ratePolicies } from '../../shared/rate-policies.ts';
import type { RateDecision } from './gcra.ts';
import type { RateLimiter } from './rate-limiter.ts';

interface Decisions {
  allowed: number;
  refused: number;
  /** The limiter did not respond: the request failed closed (contract/rate-limits#fail-closed). */
  unavailable: number;
  /** Allowed requests that were given back: authentications that turned out to be no guesses. */
  given_back: number;
}

/** Counts the decisions of a limiter by policy. It runs in every request, hence the plain additions. */
export function countDecisions(limiter: RateLimiter, metrics: ProcessMetrics): RateLimiter {
  const byPolicy = new Map<string, Decisions>();
  const of = (policy: string): Decisions => {
    const known = byPolicy.get(policy);
    if (known !== undefined) return known;
    const created = { allowed: 0, refused: 0, unavailable: 0, given_back: 0 };
    byPolicy.set(policy, created);
    return created;
  };
  for (const policy of Object.keys(ratePolicies)) of(policy);
  metrics.tallies(
    'launchwire_rate_limit_decisions_total',
    'Decisions of the rate limiter by policy; `authentication-failures` counts failed authentications, less those given back',
    ['policy', 'decision'],
    function* () {
      for (const [policy, decisions] of byPolicy) {
        for (const [decision, count] of Object.entries(decisions))
          yield { labels: { policy, decision }, count };
      }
    },
  );

  function count(policy: string, decision: RateDecision): RateDecision {
    if (decision.allowed) of(policy).allowed += 1;
    else of(policy).refused += 1;
    return decision;
  }
  return {
    giveBack(bucket, subject, limit) {
      of(bucket).given_back += 1;
      return limiter.giveBack(bucket, subject, limit);
    },
    take(bucket, subject, limit, cost) {
      const decision = limiter.take(bucket, subject, limit, cost);
      if (!(decision instanceof Promise)) return count(bucket, decision);
      return decision.then(
        (late) => count(bucket, late),
        (error: unknown) => {
          of(bucket).unavailable += 1;
          throw error;
        },
      );
    },
  };
}
