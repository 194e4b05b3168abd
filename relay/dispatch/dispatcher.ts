import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup } from '../../src/shared/loop.ts';
import type { LoopPulse } from '../../src/shared/loop-pulse.ts';
import { type AttemptDependencies, attempt } from '../attempt/attempt.ts';
import type { FailingEndpoints } from '../maintenance/failing-endpoints.ts';
import type { RecordingQueue } from '../results/recording-queue.ts';
import type { RelaySettings } from '../settings.ts';
import { logAttempt } from '../telemetry/attempt-log.ts';
import type { Counters } from '../telemetry/counters.ts';
import type { Claim, ClaimOptions } from './claim.ts';
import { claimDue } from './claim-deliveries.ts';
import type { Capacity } from './endpoint-limits.ts';
import type { EventBodies, StoredEvent } from './event-bodies.ts';
import { nextDue } from './open-deliveries.ts';
import type { Slots } from './slots.ts';

export interface DispatchDependencies {
  sql: Database;
  settings: RelaySettings;
  perEndpoint: number;
  slots: Slots;
  bodies: EventBodies;
  attempts: AttemptDependencies;
  recording: RecordingQueue;
  failing: FailingEndpoints;
  counters: Counters;
  wakeup: Wakeup;
  /** Whether this relay may start attempts now (Membership). */
  isLive(nowMs: number): boolean;
  /** Called when an attempt has ended and its slot is free. */
  onEnd(endpointId: string): void;
  log: Logger;
}

/** A shorter wait than this is not worth a timer. */
const WAIT_MS_MIN = 10;

export function claimLoop(
  { dispatcher, log }: { dispatcher: Dispatcher; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'claim',
    log,
    signal,
    idleMs: 0,
    step: (stepSignal, pulse) => dispatcher.step(stepSignal, pulse),
  });
}

/** Claims due deliveries and runs their attempts, as far as slots are free. */
export class Dispatcher {
  readonly #dependencies: DispatchDependencies;
  readonly #inFlight = new Set<Promise<void>>();
  #cursor: string | null = null;
  /** Due deliveries could not be claimed: the end of an attempt may free capacity for them. */
  #someBlocked = true;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** One claim. When it returned nothing, waits for a wake-up or until the next delivery is due. */
  async step(signal: AbortSignal, pulse: LoopPulse): Promise<boolean> {
    const { wakeup, settings, slots, isLive } = this.#dependencies;
    const fromStart = this.#cursor === null;
    const hadSlots = slots.free > 0 && isLive(performance.now());
    const claimed = hadSlots ? await this.#claim() : 0;
    if (!hadSlots) this.#someBlocked = true;
    if (claimed > 0 || (!fromStart && hadSlots)) return true;
    const idleMs = hadSlots ? await this.#idleMs() : settings.claimIdleMs;
    await pulse.rest(wakeup.wait(idleMs, signal));
    return true;
  }

  /** Resolves when every attempt in flight is recorded. */
  async finish(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  async #idleMs(): Promise<number> {
    const { sql, settings } = this.#dependencies;
    const { dueMs, someBlocked } = await nextDue(sql);
    this.#someBlocked = someBlocked;
    return Math.max(WAIT_MS_MIN, Math.min(settings.claimIdleMs, Math.ceil(dueMs ?? settings.claimIdleMs)));
  }

  async #claim(): Promise<number> {
    const { sql, slots, bodies } = this.#dependencies;
    const reservation = slots.reserve(performance.now());
    try {
      const { claims, cursor } = await claimDue(sql, this.#cursor, this.#claimOptions(reservation));
      this.#cursor = cursor;
      if (claims.length === 0) return 0;
      this.#someBlocked = true;
      // A failure here leaves the claims to their lease, like a crash.
      const eventOf = await bodies.read(claims.map(({ eventId }) => eventId));
      reservation.release();
      this.#start(claims, eventOf);
      return claims.length;
    } finally {
      reservation.release();
    }
  }

  #claimOptions(capacity: Capacity): ClaimOptions {
    const { settings, perEndpoint, slots } = this.#dependencies;
    const batch = Math.min(settings.claimBatch, slots.free);
    return { perEndpoint, batch, leaseMs: settings.leaseMs, capacity };
  }

  #start(claims: readonly Claim[], eventOf: ReadonlyMap<string, StoredEvent>): void {
    for (const claim of claims) {
      const event = eventOf.get(claim.eventId) ?? { body: new Uint8Array(), traceparent: null };
      const running = this.#run(claim, event).finally(() => this.#inFlight.delete(running));
      this.#inFlight.add(running);
    }
  }

  async #run(claim: Claim, event: StoredEvent): Promise<void> {
    const { slots, attempts, recording, failing, counters, wakeup, onEnd, log } = this.#dependencies;
    const release = slots.take(claim.endpoint.id, performance.now());
    let endMs: number | null = null;
    let isDueAgain = true;
    try {
      const result = await attempt(attempts, claim, event);
      endMs = performance.now();
      const decided = await recording.add(result);
      isDueAgain = result.step.transition === 'failed';
      if (!result.verdict.succeeded) failing.add(claim.endpoint.id, performance.now());
      counters.countAttempt(result, decided);
      logAttempt(log, result, decided);
    } finally {
      release(endMs ?? performance.now());
      onEnd(claim.endpoint.id);
      if (this.#someBlocked || isDueAgain) wakeup.wake();
    }
  }
}
