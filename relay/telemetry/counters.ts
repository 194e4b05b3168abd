import { uuidTime } from '../../src/shared/first-uuid.ts';
import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import { Durations } from '../../src/shared/metrics/durations.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';
import { transitions } from '../model/delivery-transitions.ts';
import type { AttemptTrace } from '../model/outcome.ts';

/**
 * Statuses with a label of their own in the metrics. Others are `http_4xx` etc., because a subscriber may return any.
 */
const USUAL_STATUSES: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 408, 410, 413, 429, 500, 502, 503, 504,
]);

/** Counts since the start, which are logged once a minute and at the end, and shown by `/metrics`. */
export class Counters {
  messages = 0;
  poisonMessages = 0;
  fannedOutDeliveries = 0;
  expiredLeases = 0;
  inactiveDeliveries = 0;
  /** First attempts at deliveries that another relay wrote. The subscriber may have received them twice. */
  duplicateAttempts = 0;
  /** Events that a relay had leased and did not finish, because it was killed or cut off. */
  unfinishedEvents = 0;
  repairedEvents = 0;
  repairedDeliveries = 0;
  /** Consumer sessions that broke, because streams or consumers were lost or the broker was unavailable. */
  endedSessions = 0;
  /** Finished attempts by error code, or `succeeded`. */
  readonly attempts: Record<string, number> = {};
  // Private, because log lines have the public fields. The codes of alerts begin at zero, so that the first occurrence
  // is an increase.
  readonly #attemptClasses: Record<string, number> = { succeeded: 0, signing_failed: 0 };
  readonly #deliveries: Record<string, number> = { succeeded: 0, retrying: 0, dead_letter: 0 };
  readonly #phases = new PhaseDurations();
  readonly #events = new EventDurations();

  /** `attempts` with a bounded set of codes. */
  get attemptClasses(): Readonly<Record<string, number>> {
    return this.#attemptClasses;
  }

  /** Results that decided their delivery, by its next status. */
  get deliveries(): Readonly<Record<string, number>> {
    return this.#deliveries;
  }

  get phases(): PhaseDurations {
    return this.#phases;
  }

  get events(): EventDurations {
    return this.#events;
  }

  /** @param decided false if the result came too late to decide its delivery */
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

const PHASE_BOUNDS_MS = [
  1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 120_000, 600_000,
];
const PHASES = ['queued', 'dns', 'connect', 'tls', 'first_byte', 'total'] as const;

/** How long the phases of attempts took. A phase that was not reached does not count. */
class PhaseDurations {
  readonly durations = new Durations(
    {
      name: 'launchwire_relay_attempt_phase_seconds',
      help: 'Phases of attempts: queued (due until claimed), dns, connect, tls, first_byte, total (all but queued)',
      label: 'phase',
      boundsMs: PHASE_BOUNDS_MS,
    },
    PHASES,
  );

  add(queuedMs: number, { dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: AttemptTrace): void {
    const phases: Record<(typeof PHASES)[number], number | null> = {
      queued: Math.max(0, queuedMs),
      dns: dnsMs,
      connect: connectMs,
      tls: tlsMs,
      first_byte: firstByteMs,
      total: totalMs,
    };
    for (const phase of PHASES) {
      const ms = phases[phase];
      if (ms !== null) this.durations.observe(phase, ms);
    }
  }
}

const EVENT_BOUNDS_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000];

/**
 * How long events took to their subscribers, by the outcome of the first attempt. If a delivery has to wait for a
 * claim, because its endpoint or the relays have a backlog, the time to its row counts as `deferred`, and its attempts
 * do not count, because their time depends on the subscriber.
 */
class EventDurations {
  readonly durations = new Durations(
    {
      name: 'launchwire_relay_event_delivery_seconds',
      help: 'Time from the recording of an event to the end of its first attempt, by outcome, or to its row where it is deferred',
      label: 'outcome',
      boundsMs: EVENT_BOUNDS_MS,
    },
    ['succeeded', 'failed', 'deferred'],
  );

  add({ eventId, startedAt }: Claim, succeeded: boolean, tookMs: number): void {
    const ms = startedAt.getTime() + tookMs - uuidTime(eventId).getTime();
    this.durations.observe(succeeded ? 'succeeded' : 'failed', Math.max(0, ms));
  }

  /** Deliveries of an event got rows that wait for a claim. */
  addDeferred(eventId: string, deliveries: number, now: Date): void {
    const ms = now.getTime() - uuidTime(eventId).getTime();
    this.durations.observe('deferred', Math.max(0, ms), deliveries);
  }
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
