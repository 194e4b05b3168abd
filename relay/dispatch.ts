import type { Database } from '../src/db/client.ts';
import type { Logger } from '../src/shared/log.ts';
import type { Wakeup } from '../src/shared/loop.ts';
import { type AttemptDependencies, attempt } from './attempt.ts';
import { type Claim, claimDue, nextDueMs } from './claim.ts';
import type { Counters } from './counters.ts';
import type { EventBodies } from './event-bodies.ts';
import type { FailingEndpoints } from './failing-endpoints.ts';
import type { Outcome } from './outcome.ts';
import type { AttemptResult } from './record.ts';
import type { Recorder } from './recorder.ts';
import type { RelaySettings } from './settings.ts';
import type { Slots } from './slots.ts';

export interface DispatchDependencies {
  sql: Database;
  settings: RelaySettings;
  perEndpoint: number;
  slots: Slots;
  bodies: EventBodies;
  attempts: AttemptDependencies;
  recorder: Recorder;
  failing: FailingEndpoints;
  counters: Counters;
  wakeup: Wakeup;
  log: Logger;
}

/** A shorter wait than this is not worth a timer. */
const WAIT_MS_MIN = 10;

/** Claims due deliveries and runs their attempts, as far as there are slots. */
export class Dispatcher {
  readonly #dependencies: DispatchDependencies;
  readonly #inFlight = new Set<Promise<void>>();
  #cursor: string | null = null;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** One claim; waits itself, for a wake-up or until the next delivery is due, when there was nothing. */
  async step(signal: AbortSignal): Promise<boolean> {
    const { wakeup, settings, slots } = this.#dependencies;
    const fromStart = this.#cursor === null;
    const claimed = slots.free > 0 ? await this.#claim() : 0;
    if (claimed > 0 || (!fromStart && slots.free > 0)) return true;
    await wakeup.wait(slots.free > 0 ? await this.#idleMs() : settings.claimIdleMs, signal);
    return true;
  }

  /** Resolves when every attempt in flight is recorded. */
  async finish(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  async #idleMs(): Promise<number> {
    const { sql, settings } = this.#dependencies;
    const dueMs = await nextDueMs(sql);
    return Math.max(WAIT_MS_MIN, Math.min(settings.claimIdleMs, Math.ceil(dueMs ?? settings.claimIdleMs)));
  }

  async #claim(): Promise<number> {
    const { sql, settings, perEndpoint, slots, bodies } = this.#dependencies;
    const { claims, cursor } = await claimDue(sql, this.#cursor, {
      perEndpoint,
      batch: Math.min(settings.claimBatch, slots.free),
      leaseMs: settings.leaseMs,
      allotment: slots.allot(performance.now()),
    });
    this.#cursor = cursor;
    if (claims.length === 0) return 0;
    // A failure here leaves the claims to their lease, like a crash.
    const bodyOf = await bodies.read(claims.map(({ eventId }) => eventId));
    for (const claim of claims) {
      const running = this.#run(claim, bodyOf.get(claim.eventId) ?? new Uint8Array()).finally(() =>
        this.#inFlight.delete(running),
      );
      this.#inFlight.add(running);
    }
    return claims.length;
  }

  async #run(claim: Claim, body: Uint8Array): Promise<void> {
    const { slots, attempts, recorder, failing, counters, wakeup } = this.#dependencies;
    const release = slots.take(claim.endpoint.id, performance.now());
    let endMs: number | null = null;
    try {
      const { result, outcome } = await attempt(attempts, claim, body);
      endMs = performance.now();
      const decided = await recorder.add(result);
      if (!result.verdict.succeeded) failing.add(claim.endpoint.id, performance.now());
      counters.countAttempt(result.verdict.errorCode ?? 'succeeded');
      this.#logAttempt(result, outcome, decided);
    } finally {
      release(endMs ?? performance.now());
      wakeup.wake();
    }
  }

  /** The one line per attempt: everything but secrets and bodies. */
  #logAttempt({ claim, verdict, trace, step }: AttemptResult, outcome: Outcome, decided: boolean): void {
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
      detail: outcome.kind === 'failed' ? outcome.detail : null,
      ...timings,
      bodyStartBytes: bodyStart?.byteLength ?? null,
      next: step.transition,
      delayMs: step.transition === 'failed' ? step.delayMs : null,
      decided,
    };
    this.#dependencies.log.info(fields, 'delivery.attempted');
  }
}
