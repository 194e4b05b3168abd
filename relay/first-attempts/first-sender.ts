import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { Logger } from '../../src/shared/log.ts';
import { timedId } from '../../src/shared/timed-id.ts';
import { type AttemptDependencies, attempt } from '../attempt/attempt.ts';
import type { BehindEndpoints } from '../endpoints/behind-endpoints.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { FailingEndpoints } from '../endpoints/failing-endpoints.ts';
import { notePause } from '../endpoints/note-pause.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';
import type { Audience } from '../model/event.ts';
import type { RelaySettings } from '../model/settings.ts';
import type { RecordingQueue } from '../results/recording-queue.ts';
import { logAttempt } from '../telemetry/attempt-log.ts';
import type { Counters } from '../telemetry/counters.ts';
import { type FirstAttempt, HeldEvent, type LeasedEvent } from './held-event.ts';
import { HeldEvents } from './held-events.ts';
import { Intake } from './intake.ts';
import { Lanes } from './lanes.ts';
import { type NewRow, type WrittenRows, writeDeliveries } from './write-deliveries.ts';
import { WriteQueue } from './write-queue.ts';

export interface FirstSenderDependencies {
  sql: Database;
  outbox: Outbox;
  settings: RelaySettings;
  slots: Slots;
  cache: EndpointCache;
  behind: BehindEndpoints;
  attempts: AttemptDependencies;
  clock: Clock;
  recording: RecordingQueue;
  failing: FailingEndpoints;
  counters: Counters;
  limitOf(endpointId: string): number;
  /** Whether this relay may start attempts now (Membership). */
  isLive(nowMs: number): boolean;
  /** Events have come. */
  onHeld(): void;
  /** Rows wait for a claim. */
  onPending(): void;
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Sends events that this relay has leased, each delivery before it has a row. A first attempt that ends soon is written
 * together with its delivery; a slow one gets a row as one in flight, so that listing shows it and its own lease protects it. If
 * this process dies before that, the event's lease ends and another relay sends again, under the same `webhook-id`.
 */
export class FirstSender {
  readonly #dependencies: FirstSenderDependencies;
  readonly #lanes: Lanes;
  readonly #writes: WriteQueue;
  readonly #held: HeldEvents;
  readonly #intake: Intake;
  /** In flight without a row, in the order of their start. */
  readonly #rowless = new Set<FirstAttempt>();
  readonly #inFlight = new Set<Promise<void>>();
  #isStopping = false;

  constructor(dependencies: FirstSenderDependencies) {
    this.#dependencies = dependencies;
    const { sql, outbox, settings, slots, cache, behind, limitOf, isLive, giveUp, log } = dependencies;
    this.#held = new HeldEvents(sql, log);
    this.#intake = new Intake({
      hasRoom: (audience) => this.#lanes.hasRoom(audience) && this.#writes.size < settings.slots,
      place: (event) => this.#place(event),
    });
    this.#writes = new WriteQueue({
      write: (rows, doneEventIds) =>
        writeDeliveries(sql, outbox, rows, { leaseMs: settings.leaseMs, doneEventIds }),
      onWritten: (written, rows) => this.#onWritten(written, rows),
      onComplete: (event, isMarked) => this.#complete(event, isMarked),
      giveUp,
      log,
    });
    this.#lanes = new Lanes({
      slots,
      cache,
      behind,
      limitOf,
      mayStart: () => !this.#isStopping && this.#writes.size < settings.slots && isLive(performance.now()),
      start: (first, endpoint, release) => this.#start(first, endpoint, release),
      toRows: (firsts) => this.#toRows(firsts),
      drop: ({ event }) => this.#held.abandon(event),
    });
  }

  /** Events whose rows are not all written. */
  get held(): number {
    return this.#held.size;
  }

  /** Whether there is nothing that `tick` could move. */
  get isIdle(): boolean {
    return this.#held.size === 0 && !this.#intake.isAwaited;
  }

  /** First attempts that wait for a slot. */
  get queued(): number {
    return this.#lanes.queued;
  }

  /** Whether events may be sent before they have rows; otherwise they are to get rows that wait for a claim. */
  get isReady(): boolean {
    const { cache, isLive } = this.#dependencies;
    return !this.#isStopping && cache.isLoaded && isLive(performance.now());
  }

  /** Resolves when more events may be taken. */
  async room(audience: Audience): Promise<void> {
    const room = this.#intake.room(audience);
    if (this.#intake.isAwaited) this.#dependencies.onHeld();
    await room;
  }

  /** Sends events. Each `done` of those returned resolves when the event is written. */
  hold(leased: readonly LeasedEvent[]): HeldEvent[] {
    const events = leased.map((each) => new HeldEvent(each));
    for (const event of events) this.#held.add(event);
    this.#intake.add(events);
    this.#dependencies.onHeld();
    this.#placeSome();
    return events;
  }

  /** An attempt to the endpoint has ended that was not a first one. */
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

  /** Call it some times a second while events are held. */
  tick(nowMs: number): void {
    const { settings } = this.#dependencies;
    for (const first of this.#rowless) {
      if (nowMs - (first.startedAtMs ?? nowMs) < settings.quickMs) break;
      this.#rowless.delete(first);
      first.row = this.#writes.add({ first, state: 'sent' });
    }
    this.#lanes.tick(nowMs);
    this.#placeSome();
    this.#held.markSome();
  }

  /** Starts nothing more: what waits gets rows. Resolves when every attempt in flight is written. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    this.#intake.open();
    this.#lanes.giveUpAll();
    while (this.#inFlight.size > 0) {
      this.tick(performance.now());
      await Promise.race([Promise.all(this.#inFlight), Bun.sleep(this.#dependencies.settings.quickMs)]);
    }
    await this.#writes.drained();
    this.#held.markSome();
    await this.#held.settled();
  }

  #placeSome(): void {
    this.#intake.placeSome();
    this.#lanes.pump();
  }

  #place(event: HeldEvent): void {
    const queuedAtMs = performance.now();
    for (const endpoint of this.#dependencies.cache.receivers(event.leased)) {
      event.addDelivery();
      const deliveryId = timedId(this.#dependencies.clock.now());
      const first = { event, endpointId: endpoint.id, deliveryId, queuedAtMs, startedAtMs: null, row: null };
      this.#lanes.place(first, endpoint);
    }
    event.setPlaced();
    if (event.isCompleteWith(0)) this.#complete(event, false);
  }

  #start(first: FirstAttempt, endpoint: CachedEndpoint, release: (endMs: number) => void): void {
    this.#rowless.add(first);
    const running = this.#run(first, endpoint, release).finally(() => this.#inFlight.delete(running));
    this.#inFlight.add(running);
  }

  async #run(first: FirstAttempt, endpoint: CachedEndpoint, release: (endMs: number) => void): Promise<void> {
    const { attempts, clock } = this.#dependencies;
    const startedAtMs = performance.now();
    const result = await attempt(
      attempts,
      claimOf(first, endpoint, startedAtMs, clock.now()),
      first.event.leased.stored,
    );
    const endMs = performance.now();
    release(endMs);
    this.#rowless.delete(first);
    this.#lanes.noteEnd(endpoint.id, endMs - startedAtMs);
    this.#lanes.wake(endpoint.id, endMs);
    const pauseRecorded = notePause(this.#dependencies.cache, result, endMs);
    this.#note(result, await this.#write(first, result).finally(() => pauseRecorded?.()));
    this.#placeSome();
  }

  /** Whether the result decided its delivery. */
  async #write(first: FirstAttempt, result: AttemptResult): Promise<boolean> {
    if (first.row === null) return await this.#writes.add({ first, state: 'answered', result });
    return (await first.row) && (await this.#dependencies.recording.add(result));
  }

  #note(result: AttemptResult, decided: boolean): void {
    const { counters, failing, onPending, log } = this.#dependencies;
    if (!result.verdict.succeeded && result.verdict.wasSent)
      failing.add(result.claim.endpoint.id, performance.now());
    if (result.step.transition === 'failed') onPending();
    if (!decided) counters.duplicateAttempts += 1;
    counters.countAttempt(result, decided);
    logAttempt(log, result, decided);
  }

  #toRows(firsts: readonly FirstAttempt[]): void {
    const { behind, onPending } = this.#dependencies;
    for (const first of firsts) {
      behind.add(first.endpointId);
      void this.#writes.add({ first, state: 'queued' }).then(() => {
        behind.addCommitted(first.endpointId);
        onPending();
      });
    }
  }

  #onWritten({ insertedIds, disabledEndpointIds }: WrittenRows, rows: readonly NewRow[]): void {
    const { cache, counters, log } = this.#dependencies;
    counters.fannedOutDeliveries += insertedIds.size;
    for (const endpointId of disabledEndpointIds)
      log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
    const refused = rows.filter(({ first }) => !insertedIds.has(first.deliveryId));
    if (refused.length === 0) return;
    cache.dropMissing(refused.map(({ first }) => first.endpointId)).catch((err: unknown) => {
      log.warn({ err }, 'endpoints.not_checked');
    });
  }

  #complete(event: HeldEvent, isMarked: boolean): void {
    this.#held.complete(event, isMarked);
    // Nobody calls `tick` any more, and whoever brought the event waits for it.
    if (this.#isStopping) this.#held.markSome();
  }
}

function claimOf(first: FirstAttempt, endpoint: CachedEndpoint, nowMs: number, startedAt: Date): Claim {
  const { event, deliveryId, queuedAtMs } = first;
  return {
    deliveryId,
    eventId: event.leased.id,
    eventType: event.leased.type,
    attemptNumber: 1,
    startedAt,
    scheduleIndex: 0,
    queuedMs: Math.round(nowMs - queuedAtMs),
    endpoint,
  };
}
