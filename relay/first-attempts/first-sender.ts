import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Logger } from '../../src/shared/log.ts';
import { Wakeup } from '../../src/shared/loop.ts';
import { RunningWork } from '../../src/shared/running-work.ts';
import { timedId } from '../../src/shared/timed-id.ts';
import type { Attempts } from '../attempt/attempts.ts';
import type { BehindEndpoints } from '../endpoints/behind-endpoints.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';
import type { Audience } from '../model/event.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { Written } from '../results/endpoint-consequences.ts';
import type { RecordingQueue } from '../results/recording-queue.ts';
import type { Counters } from '../telemetry/counters.ts';
import { type FirstAttempt, HeldEvent, type LeasedEvent } from './held-event.ts';
import { HeldEvents } from './held-events.ts';
import { Intake } from './intake.ts';
import type { Start } from './lane.ts';
import { Lanes } from './lanes.ts';
import { type NewRow, writeDeliveries } from './write-deliveries.ts';
import { WriteQueue } from './write-queue.ts';

export interface FirstSenderDependencies {
  sql: Database;
  outbox: Outbox;
  settings: RelaySettings;
  slots: Slots;
  cache: EndpointCache;
  behind: BehindEndpoints;
  attempts: Attempts;
  clock: Clock;
  recording: RecordingQueue;
  counters: Counters;
  limitOf(endpointId: string): number;
  /** Whether this relay may start attempts now (Membership). */
  isLive(nowMs: number): boolean;
  /** Called when rows wait for a claim. */
  onPending(): void;
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Sends events that this relay has leased, each delivery before it has a row. A first attempt that ends soon
 * is written together with its delivery. A slow one gets a row while it is in flight: listings show it then,
 * and it has a lease of its own. If this process dies before that, the event's lease ends and another relay
 * sends the event again, under the same `webhook-id`. `send`, `#place` and `#complete` are the life of an
 * event, `#deliver` is that of a delivery.
 */
export class FirstSender {
  /** Woken when events are held, or a loop waits for room. */
  readonly hasEvents = new Wakeup();
  readonly #dependencies: FirstSenderDependencies;
  readonly #held: HeldEvents;
  readonly #intake: Intake;
  readonly #lanes: Lanes;
  readonly #writes: WriteQueue;
  /** Attempts in flight without a row, in the order of their start. */
  readonly #rowless = new Set<FirstAttempt>();
  /** Deliveries that are not written yet. */
  readonly #open = new RunningWork();
  #isStopping = false;

  constructor(dependencies: FirstSenderDependencies) {
    this.#dependencies = dependencies;
    const { sql, outbox, settings, slots, cache, behind, limitOf, isLive, giveUp, log } = dependencies;
    const canWrite = () => this.#writes.size < settings.slots;
    this.#held = new HeldEvents(sql, log);
    this.#intake = new Intake((audience) => this.#lanes.hasRoom(audience) && canWrite());
    this.#lanes = new Lanes({
      slots,
      cache,
      behind,
      limitOf,
      mayStart: () => !this.#isStopping && canWrite() && isLive(performance.now()),
    });
    this.#writes = new WriteQueue({
      write: (rows, done) => writeDeliveries(sql, outbox, rows, { leaseMs: settings.leaseMs, done }),
      onWritten: (written, rows) => this.#noteWritten(written, rows),
      onComplete: (event, isMarked) => this.#complete(event, isMarked),
      giveUp,
      log,
    });
  }

  /** Events whose rows are not all written. */
  get held(): number {
    return this.#held.size;
  }

  /** Whether `tick` has nothing to do. */
  get isIdle(): boolean {
    return this.#held.size === 0 && !this.#intake.isAwaited;
  }

  /** First attempts that wait for a slot. */
  get queued(): number {
    return this.#lanes.queued;
  }

  /** Whether events may be sent before they have rows; otherwise their deliveries get rows that wait for a claim. */
  get isReady(): boolean {
    const { cache, isLive } = this.#dependencies;
    return !this.#isStopping && cache.isLoaded && isLive(performance.now());
  }

  /** Resolves when more events may be taken. */
  async room(audience: Audience): Promise<void> {
    const room = this.#intake.room(audience);
    if (this.#intake.isAwaited) this.hasEvents.wake();
    await room;
  }

  /**
   * Begins to send events. Each `done` of those returned resolves when the event is written.
   *
   * @param isStale endpoints have changed since the copy in memory was refreshed
   */
  async send(leased: readonly LeasedEvent[], isStale: boolean): Promise<HeldEvent[]> {
    if (leased.length === 0) return [];
    if (isStale) await this.#dependencies.cache.refresh();
    const events = leased.map((each) => new HeldEvent(each));
    for (const event of events) this.#held.add(event);
    this.#intake.add(events);
    this.hasEvents.wake();
    this.#placeAdmitted();
    return events;
  }

  #placeAdmitted(): void {
    for (const event of this.#intake.admitted()) this.#place(event);
    this.#lanes.pump();
  }

  #place(event: HeldEvent): void {
    const { cache, clock } = this.#dependencies;
    const queuedAtMs = performance.now();
    for (const endpoint of cache.receivers(event.leased)) {
      event.addDelivery();
      const deliveryId = timedId(clock.now());
      const first = { event, endpointId: endpoint.id, deliveryId, queuedAtMs, startedAtMs: null, row: null };
      this.#open.add(this.#deliver(first, endpoint));
    }
    event.setPlaced();
    if (event.isCompleteWith(0)) this.#complete(event, false);
  }

  /** A delivery from its match to its row: waits for its turn, makes the first attempt and writes both. */
  async #deliver(first: FirstAttempt, endpoint: CachedEndpoint): Promise<void> {
    const { attempts, clock, counters, onPending } = this.#dependencies;
    const wait = this.#lanes.turn(first, endpoint);
    const turn = wait === null ? 'row' : await wait;
    if (turn === 'row') return await this.#leaveToClaims(first);
    if (turn === 'lease-over') return this.#held.abandon(first.event);
    first.startedAtMs = turn.startMs;
    this.#rowless.add(first);
    const claim = claimOf(first, turn, clock.now());
    const ended = await attempts.make(claim, first.event.leased.stored, turn.release);
    this.#rowless.delete(first);
    this.#lanes.noteEnd(endpoint.id, ended.tookMs);
    this.#lanes.wake(endpoint.id, ended.endedAtMs);
    const decided = await attempts.settle(ended, this.#write(first, ended.result));
    if (!decided) counters.duplicateAttempts += 1;
    if (ended.result.step.transition === 'failed') onPending();
    this.#placeAdmitted();
  }

  /** The delivery gets a row that waits for a claim; younger deliveries of the endpoint wait for it. */
  async #leaveToClaims(first: FirstAttempt): Promise<void> {
    const { behind, clock, counters, onPending } = this.#dependencies;
    counters.events.addDeferred(first.event.leased.id, 1, clock.now());
    behind.add(first.endpointId);
    await this.#writes.add({ first, state: 'queued' });
    behind.addCommitted(first.endpointId);
    onPending();
  }

  /** Resolves with whether the result decided its delivery. */
  async #write(first: FirstAttempt, result: AttemptResult): Promise<boolean> {
    if (first.row === null) return await this.#writes.add({ first, state: 'answered', result });
    return (await first.row) && (await this.#dependencies.recording.add(result));
  }

  #noteWritten({ decidedIds, disabledEndpointIds }: Written, rows: readonly NewRow[]): void {
    const { cache, counters, log } = this.#dependencies;
    counters.fannedOutDeliveries += decidedIds.size;
    for (const endpointId of disabledEndpointIds)
      log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
    const refused = rows.filter(({ first }) => !decidedIds.has(first.deliveryId));
    if (refused.length === 0) return;
    cache.dropMissing(refused.map(({ first }) => first.endpointId)).catch((err: unknown) => {
      log.warn({ err }, 'endpoints.not_checked');
    });
  }

  /** Every delivery of the event has a row. */
  #complete(event: HeldEvent, isMarked: boolean): void {
    this.#held.complete(event, isMarked);
    // At the end nobody calls `tick`, and the fan-out waits for the event.
    if (this.#isStopping) this.#held.markSome();
  }

  /** A later attempt to the endpoint has ended. */
  wake(endpointId: string, nowMs: number): void {
    this.#lanes.wake(endpointId, nowMs);
  }

  heldIds(): string[] {
    return this.#held.ids();
  }

  /** Prolongs the leases of these events. */
  renew(ids: readonly string[], leaseEndsMs: number): void {
    this.#held.renew(ids, leaseEndsMs);
  }

  /** To be called every 50 ms: writes rows of slow attempts, gives up lanes that stand still, marks events. */
  tick(nowMs: number): void {
    const { settings } = this.#dependencies;
    for (const first of this.#rowless) {
      if (nowMs - (first.startedAtMs ?? nowMs) < settings.quickMs) break;
      this.#rowless.delete(first);
      first.row = this.#writes.add({ first, state: 'sent' });
    }
    // Before the lanes: rows of a lane that is given up are counted only after this call.
    this.#placeAdmitted();
    this.#lanes.tick(nowMs);
    this.#held.markSome();
  }

  /** Starts no more attempts: deliveries that wait get rows. Resolves when every attempt in flight is written. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    this.#intake.open();
    this.#placeAdmitted();
    this.#lanes.giveUpAll();
    while (this.#open.size > 0) {
      this.tick(performance.now());
      await Promise.race([this.#open.ended(), Bun.sleep(this.#dependencies.settings.quickMs)]);
    }
    await this.#writes.drained();
    this.#held.markSome();
    await this.#held.settled();
  }
}

function claimOf(first: FirstAttempt, { endpoint, startMs }: Start, startedAt: Date): Claim {
  const { event, deliveryId, queuedAtMs } = first;
  return {
    deliveryId,
    eventId: event.leased.id,
    eventType: event.leased.type,
    attemptNumber: 1,
    startedAt,
    scheduleIndex: 0,
    queuedMs: Math.round(startMs - queuedAtMs),
    isFromEvent: true,
    endpoint,
  };
}
