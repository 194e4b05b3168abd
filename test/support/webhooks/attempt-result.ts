import type { AttemptResult } from '../../../relay/model/attempt-result.ts';
import { classify } from '../../../relay/results/classify-outcome.ts';

/** The result of an attempt: a response with this status, and for a failure a retry in a second. */
export function attemptResult(
  {
    deliveryId,
    endpointId,
    attemptNumber,
  }: { deliveryId: string; endpointId: string; attemptNumber: number },
  status: number,
): AttemptResult {
  const endpoint = {
    id: endpointId,
    accountId: 'account',
    url: 'https://x.test',
    sealedSecret: new Uint8Array(),
    sealedPreviousSecret: null,
    previousSecretExpiresAt: null,
  };
  const event = { deliveryId, eventId: deliveryId, eventType: 't', startedAt: new Date() };
  const verdict = classify({ kind: 'responded', status, retryAfter: null }, new Date());
  return {
    claim: { ...event, attemptNumber, scheduleIndex: 0, queuedMs: 0, endpoint },
    verdict,
    errorDetail: null,
    trace: {
      resolvedAddress: null,
      redirectCount: 0,
      hopOrigin: null,
      connectionReused: false,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      totalMs: 1,
      bodyStart: null,
    },
    step: verdict.succeeded ? { transition: 'succeeded' } : { transition: 'failed', delayMs: 1_000 },
    startedAtMs: performance.now(),
    endedAtMs: performance.now(),
  };
}
