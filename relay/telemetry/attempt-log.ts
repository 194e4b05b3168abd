import type { Logger } from '../../src/shared/log.ts';
import type { AttemptResult } from '../model/attempt-result.ts';

/** Logs an attempt in one line, without secrets and bodies. `decided`: the attempt decided its delivery. */
export function logAttempt(
  log: Logger,
  { claim, verdict, errorDetail, trace, step }: AttemptResult,
  decided: boolean,
): void {
  const { bodyStart, ...timings } = trace;
  const fields = {
    deliveryId: claim.deliveryId,
    endpointId: claim.endpoint.id,
    eventId: claim.eventId,
    eventType: claim.eventType,
    attemptNumber: claim.attemptNumber,
    scheduleIndex: claim.scheduleIndex,
    queuedMs: claim.queuedMs,
    ...verdict,
    errorDetail,
    ...timings,
    bodyStartBytes: bodyStart?.byteLength ?? null,
    next: step.transition,
    delayMs: step.transition === 'failed' ? step.delayMs : null,
    decided,
  };
  log.info(fields, 'delivery.attempted');
}
