import type { AttemptReason } from '../../src/shared/webhooks/attempt-reasons.ts';
import type { Verdict } from '../model/attempt-result.ts';
import type { Outcome } from '../model/outcome.ts';

/**
 * Decides whether an attempt succeeded, whether it disables its endpoint, and for how long it pauses the endpoint
 * (contract/delivery#success). `now` turns an HTTP date into a duration.
 */
export function classify(outcome: Outcome, now: Date): Verdict {
  if (outcome.kind === 'unsent') return { ...failure, ...codesOf(outcome.cause), wasSent: false };
  if (outcome.kind === 'failed')
    return { ...failure, ...codesOf(outcome), responseStatus: outcome.status, wasSent: true };
  const { status, retryAfter } = outcome;
  const succeeded = status >= 200 && status <= 299;
  return {
    succeeded,
    errorCode: succeeded ? null : `http_${status}`,
    errorReason: null,
    wasSent: true,
    responseStatus: status,
    gone: status === 410,
    pauseMs: status === 429 || status === 503 ? parseRetryAfterMs(retryAfter, now) : null,
  };
}

const failure = { succeeded: false, responseStatus: null, gone: false, pauseMs: null } as const;

function codesOf({ code, reason }: { code: Verdict['errorCode']; reason: AttemptReason | null }) {
  return { errorCode: code, errorReason: reason };
}

const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000;
/** RFC 9110 section 5.6.7: IMF-fixdate, and the two obsolete forms that every recipient must accept. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * `Retry-After` in milliseconds from `now`, at most 24 h. Null if it is absent, neither a whole number of seconds nor
 * an HTTP date, or not in the future.
 */
export function parseRetryAfterMs(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  let delayMs: number;
  if (/^\d{1,12}$/.test(text)) delayMs = Number(text) * 1000;
  else if (HTTP_DATE.test(text)) delayMs = Date.parse(withZone(text)) - now.getTime();
  else return null;
  return delayMs > 0 ? Math.min(delayMs, RETRY_AFTER_MS_MAX) : null;
}

/** The asctime form names no zone; it means UTC. */
function withZone(date: string): string {
  return date.endsWith('GMT') ? date : `${date} GMT`;
}
