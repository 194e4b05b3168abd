import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';

export interface RetryAdvice {
  /** For the badge. */
  label: string;
  /** Colour of the badge. */
  tone: 'no' | 'wait' | 'care';
  advice: string;
}

const no: RetryAdvice = {
  label: 'do not retry',
  tone: 'no',
  advice: 'Sending the same request again gives the same result. Change the request first.',
};
const afterPause: RetryAdvice = {
  label: 'retry after Retry-After',
  tone: 'wait',
  advice: 'Send the same request again after the number of seconds in `Retry-After`.',
};
const backOff: RetryAdvice = {
  label: 'retry with backoff',
  tone: 'wait',
  advice: 'Retry with exponentially growing pauses and jitter, never sooner than `Retry-After` says.',
};
const carefully: RetryAdvice = {
  label: 'retry with care',
  tone: 'care',
  advice: 'A read may be repeated. A change may be repeated only with the same `Idempotency-Key`.',
};

const lasting: RetryAdvice = {
  label: 'do not retry',
  tone: 'no',
  advice: 'Time alone does not change this: `Retry-After` is an hour.',
};

const byReason: RetryAdvice = {
  label: 'retry by context.retry',
  tone: 'care',
  advice:
    'Follow `context.retry`: `no`: the same request would be refused again. `repeat`: send it again. `quote_again`: take a new quote first, and decide by it. No response was stored, so the same `Idempotency-Key` may be used.',
};

/** Conflicts that time solves or may solve, and the 503s that it does not. */
const exceptions: Partial<Record<ProblemCode, RetryAdvice>> = {
  idempotency_request_in_progress: afterPause,
  swap_refused: byReason,
  launches_unavailable: lasting,
  images_unavailable: lasting,
};

/** Advises whether a client should send the request again (contract/errors#retry). */
export function retryAdvice(code: ProblemCode): RetryAdvice {
  const { status } = problemTable[code];
  const exception = exceptions[code];
  if (exception !== undefined) return exception;
  if (status === 429) return afterPause;
  if (status === 500) return carefully;
  return status > 500 ? backOff : no;
}
