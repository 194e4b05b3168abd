/**
 * The rule of a failing endpoint (contract/delivery#failing-endpoints): one whose every attempt fails is announced, and
 * later disabled. `maintenance/judge-failing.ts` applies it, `endpoints/failing-candidates.ts` says which endpoints are
 * worth checking, and `results/endpoint-health.ts` keeps `failing_since`.
 */
export const failingRule = {
  /**
   * Longer than a restart or a deployment of a receiver takes. The fourth attempt reaches it, 28 to 42 minutes after
   * the first; the fifth is two hours later.
   */
  announcedAfterMinutes: 20,
  disabledAfterDays: 5,
} as const;
