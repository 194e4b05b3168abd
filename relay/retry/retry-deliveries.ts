import type { Database } from '../../src/db/client.ts';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { wakeOnHint } from '../../src/shared/bus/wake-on-hint.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, untilAborted, Wakeup } from '../../src/shared/loop.ts';
import type { LoopPulse } from '../../src/shared/loop-pulse.ts';
import { RunningWork } from '../../src/shared/running-work.ts';
import type { Attempts } from '../attempt/attempts.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { Claim } from '../model/claim.ts';
import { MISSING_EVENT, type StoredEvent } from '../model/event.ts';
import type { RelaySettings } from '../model/settings.ts';
import { tickLoop } from '../model/tick-loop.ts';
import type { RecordingQueue } from '../results/record-attempts.ts';
import { claimDue, returnClaims } from './claim-deliveries.ts';
import { ClaimWindows } from './claim-windows.ts';
import type { EventBodies } from './event-bodies.ts';

export interface DeliveryRetrierDependencies {
  sql: Database;
  settings: RelaySettings;
  slots: Slots;
  cache: EndpointCache;
  bodies: EventBodies;
  attempts: Attempts;
  recording: RecordingQueue;
  wakeup: Wakeup;
  /** Attempts that this relay may have in flight to an endpoint. */
  limitOf(endpointId: string): number;
  /** Whether this relay may start attempts now (Membership). */
  isLive(nowMs: number): boolean;
  /** Called when an attempt has ended and its slot is free. */
  onEnd(endpointId: string, nowMs: number): void;
  log: Logger;
}

/** Claims due deliveries and makes their attempts, as far as there are free slots. */
export class DeliveryRetrier {
  /** Woken when claims begin to wait. */
  readonly hasClaims = new Wakeup();
  readonly #dependencies: DeliveryRetrierDependencies;
  readonly #windows: ClaimWindows;
  readonly #running = new RunningWork();
  #cursor: string | null = null;
  /**
   * Whether the limits of this process allowed no claim at the last step. Then the end of any attempt may allow one.
   */
  #hasNoRoom = true;
  /** Endpoints that the last claim left out, because the limits of this process allowed them no more deliveries. */
  #leftOut: ReadonlySet<string> = new Set();

  constructor(dependencies: DeliveryRetrierDependencies) {
    this.#dependencies = dependencies;
    const { slots, cache, limitOf, isLive } = dependencies;
    this.#windows = new ClaimWindows({
      slots,
      limitOf,
      mayStart: () => isLive(performance.now()),
      isPaused: (endpointId) => (cache.get(endpointId)?.pausedUntilMs ?? 0) > performance.now(),
      start: (claim, event, release) => this.#running.add(this.#run(claim, event, release)),
      giveBack: (claims) => this.#running.add(this.#giveBack(claims)),
    });
  }

  /** Whether claimed deliveries of the endpoint wait for a slot. */
  isWaiting(endpointId: string): boolean {
    return this.#windows.has(endpointId);
  }

  /** Claims that wait for a slot. */
  get waiting(): number {
    return this.#windows.size;
  }

  /**
   * Claims one batch. If nothing was due, or nothing could be claimed, waits to be woken. Always true: repeats at once.
   */
  async step(signal: AbortSignal, pulse: LoopPulse): Promise<boolean> {
    const { wakeup, settings } = this.#dependencies;
    const fromStart = this.#cursor === null;
    this.#hasNoRoom = !this.#mayClaim();
    const claimed = this.#hasNoRoom ? 0 : await this.#claim();
    if (claimed > 0 || (!fromStart && !this.#hasNoRoom)) return true;
    await pulse.rest(wakeup.wait(settings.claimIdleMs, signal));
    return true;
  }

  /** To be called every 50 ms while claims wait. */
  tick(nowMs: number): void {
    this.#dependencies.slots.markStalled(nowMs);
    this.#windows.tick(nowMs);
  }

  /** Gives back claims that have not started. Resolves when every attempt in flight is recorded. */
  async finish(): Promise<void> {
    this.#windows.withdrawAll();
    await this.#running.ended();
  }

  #mayClaim(): boolean {
    const { slots, settings, recording, isLive } = this.#dependencies;
    const hasRoom = slots.free > 0 && this.#windows.hasRoom && recording.size < settings.slots;
    return hasRoom && isLive(performance.now());
  }

  async #claim(): Promise<number> {
    const { sql, slots, cache, bodies, settings } = this.#dependencies;
    const claimedAtMs = performance.now();
    slots.markStalled(claimedAtMs);
    const fullEndpointIds = this.#windows.fullEndpointIds();
    this.#leftOut = new Set(fullEndpointIds);
    const { claims, cursor } = await claimDue(sql, this.#cursor, {
      batch: settings.claimBatch,
      leaseMs: settings.leaseMs,
      fullEndpointIds,
      room: (endpointId) => {
        // Called only for endpoints that are not paused in the database.
        cache.noteUnpaused(endpointId, claimedAtMs);
        return this.#windows.room(endpointId);
      },
    });
    this.#cursor = cursor;
    if (claims.length === 0) return 0;
    // If this fails, the claims wait for the end of their lease, as after a crash.
    const eventOf = await bodies.read(claims.map(({ eventId }) => eventId));
    const withEvents = claims.map((claim) => ({ claim, event: eventOf.get(claim.eventId) ?? MISSING_EVENT }));
    this.#windows.add(withEvents, claimedAtMs);
    if (this.#windows.size > 0) this.hasClaims.wake();
    return claims.length;
  }

  async #run(claim: Claim, event: StoredEvent, release: (endMs: number) => void): Promise<void> {
    const { attempts, recording } = this.#dependencies;
    const { id: endpointId } = claim.endpoint;
    const ended = await attempts.make(claim, event, release);
    this.#windows.noteEnd(endpointId, ended.tookMs);
    if (ended.onPauseRecorded !== null) this.#windows.withdraw(endpointId);
    this.#afterEnd(endpointId, ended.endedAtMs);
    await attempts.settle(ended, recording.add(ended.result));
  }

  #afterEnd(endpointId: string, nowMs: number): void {
    const { wakeup, onEnd } = this.#dependencies;
    this.#windows.pump(endpointId);
    onEnd(endpointId, nowMs);
    const hasRoom = this.#hasNoRoom
      ? this.#mayClaim()
      : this.#leftOut.has(endpointId) && this.#windows.room(endpointId) > 0;
    if (hasRoom) wakeup.wake();
  }

  async #giveBack(claims: readonly Claim[]): Promise<void> {
    const { sql, wakeup, log } = this.#dependencies;
    try {
      await returnClaims(sql, claims);
      wakeup.wake();
    } catch (err) {
      log.warn({ err, deliveries: claims.length }, 'claims.not_returned');
    }
  }
}

/** Claims due deliveries until the signal aborts. */
export function claimLoop(
  { retrier, log }: { retrier: DeliveryRetrier; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'claim',
    log,
    signal,
    idleMs: 0,
    step: (stepSignal, pulse) => retrier.step(stepSignal, pulse),
  });
}

/** Gives back claims that have waited for too long, and tries to start the others. */
export function claimWindowLoop(
  { retrier, log }: { retrier: DeliveryRetrier; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const isIdle = () => retrier.waiting === 0;
  const tick = (nowMs: number) => retrier.tick(nowMs);
  return tickLoop({ name: 'claim-windows', isIdle, hasWork: retrier.hasClaims, tick, log }, signal);
}

/**
 * Wakes the claim loop for replays and pings, which the api makes due at once. A lost hint costs at most the idle wait
 * of that loop.
 */
export async function deliveryHintLoop(
  { connection, wakeup }: { connection: NatsConnection; wakeup: Wakeup },
  signal: AbortSignal,
): Promise<void> {
  const unsubscribe = wakeOnHint(connection, hints.deliveries, wakeup);
  await untilAborted(signal);
  unsubscribe();
}
