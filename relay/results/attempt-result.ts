import type { AttemptTrace } from '../attempt/outcome.ts';
import type { Claim } from '../dispatch/claim.ts';
import type { Verdict } from './classify-outcome.ts';
import type { NextStep } from './retry-schedule.ts';

/** A finished attempt. */
export interface AttemptResult {
  claim: Claim;
  verdict: Verdict;
  /** Why it failed, in words (`storableDetail`); null when the status is the whole cause. */
  errorDetail: string | null;
  trace: AttemptTrace;
  step: NextStep;
  /** Monotonic. */
  startedAtMs: number;
  /** Monotonic, and no earlier. */
  endedAtMs: number;
}
