import type { Database } from '../../src/db/client.ts';
import { isLockTimeout } from '../../src/db/lock-timeout.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { Wakeup } from '../../src/shared/loop.ts';
import type { LoopPulse } from '../../src/shared/loop-pulse.ts';
import { type AttemptDependencies, attempt } from '../attempt/attempt.ts';
import { type Claim, type ClaimOptions, claimDue, nextDue } from './claim-deliveries.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { EventBodies, StoredEvent } from './event-bodies.ts';
import type { FailingEndpoints } from '../maintenance/failing-endpoints.ts';
import type { FanOutBatch, Page } from '../fan-out/fan-out-events.ts';
import { fanOutClaiming } from '../fan-out/insert-claimed-deliveries.ts';
import type { AttemptResult } from '../results/record-attempts.ts';
import type { Recorder } from '../results/recording-queue.ts';
import type { RelaySettings } from '../settings.ts';
import type { Allotment, Slots } from './slots.ts';

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

/** Rows made while their endpoints are locked: bounds how long nobody else claims for them. */
const CLAIMED_ROWS_MAX = 2_000;
/** A shorter wait than this is not worth a timer. */
const WAIT_MS_MIN = 10;

/** Claims due deliveries and runs their attempts, as far as there are slots. */
export class Dispatcher {
  readonly #dependencies: DispatchDependencies;
  readonly #inFlight = new Set<Promise<void>>();
  #cursor: string | null = null;
  /** The last look at everything found nothing to claim: new deliveries overtake nobody. */
  #caughtUp = false;
  /** Something due could not be claimed, so an attempt that ends may make room for it. */
  #someWait = true;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** One claim; waits itself, for a wake-up or until the next delivery is due, when there was nothing. */
  async step(signal: AbortSignal, pulse: LoopPulse): Promise<boolean> {
    const { wakeup, settings, slots } = this.#dependencies;
    const fromStart = this.#cursor === null;
    const hadSlots = slots.free > 0;
    const claimed = hadSlots ? await this.#claim() : 0;
    if (!hadSlots) this.#someWait = true;
    if (claimed > 0 || !hadSlots) this.#caughtUp = false;
    else if (fromStart && this.#cursor === null) this.#caughtUp = true;
    if (claimed > 0 || (!fromStart && slots.free > 0)) return true;
    const idleMs = slots.free > 0 ? await this.#idleMs() : settings.claimIdleMs;
    await pulse.rest(wakeup.wait(idleMs, signal));
    return true;
  }

  /**
   * Makes the rows of a page of endpoints and starts their attempts at once. Null when there are older deliveries or
   * too few slots: then rows are made without a claim and wait their turn.
   */
  async claimPage(batch: FanOutBatch, after: string | null): Promise<Page | null> {
    const { sql, settings, slots, bodies } = this.#dependencies;
    if (!this.#caughtUp || slots.free < settings.claimBatch) return null;
    const reservation = slots.reserve(performance.now());
    const rowsPerEndpoint = Math.max(1, batch.eventIds.length);
    const pageSize = Math.max(
      1,
      Math.min(settings.claimBatch, Math.floor(CLAIMED_ROWS_MAX / rowsPerEndpoint)),
    );
    try {
      const [page, eventOf] = await Promise.all([
        fanOutClaiming(sql, batch, after, pageSize, this.#claimOptions(reservation)),
        bodies.read(batch.eventIds),
      ]);
      reservation.release();
      this.#start(page.claims, eventOf);
      return page;
    } catch (error) {
      if (isLockTimeout(error)) return null;
      throw error;
    } finally {
      reservation.release();
    }
  }

  /** Resolves when every attempt in flight is recorded. */
  async finish(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  async #idleMs(): Promise<number> {
    const { sql, settings } = this.#dependencies;
    const { dueMs, someWait } = await nextDue(sql);
    this.#someWait = someWait;
    return Math.max(WAIT_MS_MIN, Math.min(settings.claimIdleMs, Math.ceil(dueMs ?? settings.claimIdleMs)));
  }

  async #claim(): Promise<number> {
    const { sql, slots, bodies } = this.#dependencies;
    const reservation = slots.reserve(performance.now());
    try {
      const { claims, cursor } = await claimDue(sql, this.#cursor, this.#claimOptions(reservation));
      this.#cursor = cursor;
      if (claims.length === 0) return 0;
      this.#someWait = true;
      // A failure here leaves the claims to their lease, like a crash.
      const eventOf = await bodies.read(claims.map(({ eventId }) => eventId));
      reservation.release();
      this.#start(claims, eventOf);
      return claims.length;
    } finally {
      reservation.release();
    }
  }

  #claimOptions(allotment: Allotment): ClaimOptions {
    const { settings, perEndpoint, slots } = this.#dependencies;
    const batch = Math.min(settings.claimBatch, slots.free);
    return { perEndpoint, batch, leaseMs: settings.leaseMs, allotment };
  }

  #start(claims: readonly Claim[], eventOf: ReadonlyMap<string, StoredEvent>): void {
    for (const claim of claims) {
      const event = eventOf.get(claim.eventId) ?? { body: new Uint8Array(), traceparent: null };
      const running = this.#run(claim, event).finally(() => this.#inFlight.delete(running));
      this.#inFlight.add(running);
    }
  }

  async #run(claim: Claim, event: StoredEvent): Promise<void> {
    const { slots, attempts, recorder, failing, counters, wakeup } = this.#dependencies;
    const release = slots.take(claim.endpoint.id, performance.now());
    let endMs: number | null = null;
    let isDueAgain = true;
    try {
      const result = await attempt(attempts, claim, event);
      endMs = performance.now();
      const decided = await recorder.add(result);
      isDueAgain = result.step.transition === 'failed';
      if (!result.verdict.succeeded) failing.add(claim.endpoint.id, performance.now());
      counters.countAttempt(result, decided);
      this.#logAttempt(result, decided);
    } finally {
      release(endMs ?? performance.now());
      if (this.#someWait || isDueAgain) wakeup.wake();
    }
  }

  /** The one line per attempt: everything but secrets and bodies. */
  #logAttempt({ claim, verdict, errorDetail, trace, step }: AttemptResult, decided: boolean): void {
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
    this.#dependencies.log.info(fields, 'delivery.attempted');
  }
}
