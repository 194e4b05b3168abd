import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { transitions } from '../model/delivery-transitions.ts';
import { EventDurations } from './event-durations.ts';
import { PhaseDurations } from './phase-durations.ts';

/** Statuses with a label of their own in the metrics; others are `http_4xx` etc., since a subscriber may return any. */
const USUAL_STATUSES: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 408, 410, 413, 429, 500, 502, 503, 504,
]);

/** What happened since the start; logged once a minute and at the end, and shown by `/metrics`. */
export class Counters {
  messages = 0;
  poisonMessages = 0;
  fannedOutDeliveries = 0;
  expiredLeases = 0;
  inactiveDeliveries = 0;
  /** First attempts at deliveries that another relay wrote: the subscriber may have received them twice. */
  duplicateAttempts = 0;
  /** Events that a relay held and did not finish, because it was killed or cut off. */
  unfinishedEvents = 0;
  repairedEvents = 0;
  repairedDeliveries = 0;
  /** Consumer sessions that broke: streams or consumers were lost, or the broker was unavailable. */
  endedSessions = 0;
  /** Finished attempts by error code, or `succeeded`. */
  readonly attempts: Record<string, number> = {};
  // Private: log lines take the public fields. From zero, so that an alert sees the first one as an increase.
  readonly #attemptClasses: Record<string, number> = { succeeded: 0, signing_failed: 0 };
  readonly #deliveries: Record<string, number> = { succeeded: 0, retrying: 0, dead_letter: 0 };
  readonly #phases = new PhaseDurations();
  readonly #events = new EventDurations();

  /** As `attempts`, but with a bounded set of codes. */
  get attemptClasses(): Readonly<Record<string, number>> {
    return this.#attemptClasses;
  }

  /** Results that decided their delivery, by the status it got. */
  get deliveries(): Readonly<Record<string, number>> {
    return this.#deliveries;
  }

  get phases(): PhaseDurations {
    return this.#phases;
  }

  get events(): EventDurations {
    return this.#events;
  }

  /** @param decided false when the result came too late to decide its delivery. */
  countAttempt({ claim, verdict, trace, step }: AttemptResult, decided: boolean): void {
    increment(this.attempts, verdict.errorCode ?? 'succeeded');
    increment(this.#attemptClasses, classOf(verdict));
    if (decided) increment(this.#deliveries, transitions[step.transition].to);
    this.#phases.add(claim.queuedMs, trace);
    if (claim.isFromEvent) this.#events.add(claim, verdict.succeeded, trace.totalMs);
  }
}

function classOf({ errorCode, responseStatus }: AttemptResult['verdict']): string {
  if (errorCode === null) return 'succeeded';
  if (!errorCode.startsWith('http_') || responseStatus === null || USUAL_STATUSES.has(responseStatus))
    return errorCode;
  return `http_${Math.floor(responseStatus / 100)}xx`;
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const STATUS_MS = 60_000;

/** Logs the counters once a minute. */
export async function statusLoop(
  { counters, inFlight, log }: { counters: Counters; inFlight(): number; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(STATUS_MS, signal);
    log.info({ inFlight: inFlight(), ...counters }, 'relay.status');
  }
}
