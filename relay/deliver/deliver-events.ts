import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { GatheringQueue } from '../../src/shared/gathering-queue.ts';
import type { Logger } from '../../src/shared/log.ts';
import { RunningWork } from '../../src/shared/running-work.ts';
import { timedId } from '../../src/shared/timed-id.ts';
import type { Attempts } from '../attempt/attempts.ts';
import type { EndpointBacklogs } from '../endpoints/endpoint-backlogs.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';
import type { RelaySettings } from '../model/settings.ts';
import { tickLoop } from '../model/tick-loop.ts';
import type { WriteOutcome } from '../results/endpoint-consequences.ts';
import type { RecordingQueue } from '../results/record-attempts.ts';
import type { Counters } from '../telemetry/counters.ts';
import { EndpointQueues, type Start } from './endpoint-queues.ts';
import type { LeasedEvent } from './event-leases.ts';
import { type EventProgress, EventsInProgress, type NewDelivery } from './events-in-progress.ts';
import { createWriteQueue, type NewRow } from './write-deliveries.ts';

export interface EventDelivererDependencies {
  sql: Database;
  outbox: Outbox;
  settings: RelaySettings;
  slots: Slots;
  cache: EndpointCache;
  backlogs: EndpointBacklogs;
  attempts: Attempts;
  clock: Clock;
  recording: RecordingQueue;
  counters: Counters;
  /** Attempts that this relay may have in flight to an endpoint. */
  limitOf(endpointId: string): number;
  /** Whether this relay may start attempts now (Membership). */
  isLive(nowMs: number): boolean;
  /** Called when rows wait for a claim. */
  onPending(): void;
  giveUp: AbortSignal;
  log: Logger;
}

/**
 * Delivers events that this relay has leased (event-leases.ts), and sends each delivery before it has a row. The first
 * methods stand in the order in which an event meets them:
 *
 * - `deliver` receives it: from now on its lease is renewed (events-in-progress.ts).
 * - `#admitEvents` lets it wait while too many deliveries wait.
 * - `#match` makes a delivery for each endpoint in memory that receives it (endpoints/endpoint-cache.ts).
 * - `#send` queues a delivery until its endpoint has a slot (endpoint-queues.ts), and makes its first attempt
 *   (attempt/attempts.ts).
 * - `#write` writes delivery and attempt, in one statement with others (write-deliveries.ts).
 * - `#complete` ends it when its last row is written, most often by the statement that also marked it (mark-events.ts).
 *
 * A slow attempt gets its row while it is in flight (`tick`): listings show it then, and it has a lease of its own. If
 * this process dies before an event has all its rows, the lease of the event ends and another relay delivers the event
 * again, under the same `webhook-id`.
 */
export class EventDeliverer {
  readonly events: EventsInProgress;
  /** New deliveries that wait for a slot. */
  readonly queues: EndpointQueues;
  readonly #dependencies: EventDelivererDependencies;
  readonly #writes: GatheringQueue<NewRow, boolean>;
  /** Deliveries whose attempt is in flight without a row, in the order of their start. */
  readonly #rowless = new Set<NewDelivery>();
  /** Deliveries that are not written yet. */
  readonly #open = new RunningWork();
  #isStopping = false;

  constructor(dependencies: EventDelivererDependencies) {
    this.#dependencies = dependencies;
    const { sql, outbox, settings, slots, cache, backlogs, limitOf, isLive, giveUp, log } = dependencies;
    const canWrite = () => this.#writes.size < settings.slots;
    this.events = new EventsInProgress({
      sql,
      hasRoom: (audience) => this.queues.hasRoom(audience) && canWrite(),
      log,
    });
    this.queues = new EndpointQueues({
      slots,
      cache,
      backlogs,
      limitOf,
      mayStart: () => !this.#isStopping && canWrite() && isLive(performance.now()),
    });
    this.#writes = createWriteQueue({
      sql,
      outbox,
      leaseMs: settings.leaseMs,
      onWritten: (outcome, rows) => this.#noteWritten(outcome, rows),
      onComplete: (progress, isMarked) => this.#complete(progress, isMarked),
      giveUp,
      log,
    });
  }

  /** Whether events may be sent before they have rows; otherwise their deliveries get rows that wait for a claim. */
  get isReady(): boolean {
    const { cache, isLive } = this.#dependencies;
    return !this.#isStopping && cache.isLoaded && isLive(performance.now());
  }

  /**
   * Begins to deliver events. The `done` of each resolves when the event is marked or left to its lease.
   *
   * @param isStale endpoints have changed since the copy in memory was refreshed
   */
  async deliver(events: readonly LeasedEvent[], isStale: boolean): Promise<EventProgress[]> {
    if (events.length === 0) return [];
    if (isStale) await this.#dependencies.cache.refresh();
    const received = this.events.add(events);
    this.#admitEvents();
    return received;
  }

  #admitEvents(): void {
    for (const progress of this.events.admitted()) this.#match(progress);
    this.queues.pump();
  }

  #match(progress: EventProgress): void {
    const { cache, clock } = this.#dependencies;
    const queuedAtMs = performance.now();
    for (const endpoint of cache.receivers(progress.event)) {
      progress.addDelivery();
      const deliveryId = timedId(clock.now());
      const delivery = {
        progress,
        endpointId: endpoint.id,
        deliveryId,
        queuedAtMs,
        startedAtMs: null,
        row: null,
      };
      this.#open.add(this.#send(delivery, endpoint));
    }
    progress.setMatched();
    if (progress.isCompleteWith(0)) this.#complete(progress, false);
  }

  async #send(delivery: NewDelivery, endpoint: CachedEndpoint): Promise<void> {
    const { attempts, clock, counters, onPending } = this.#dependencies;
    const queued = this.queues.enter(delivery, endpoint);
    const exit = queued === null ? 'row' : await queued;
    if (exit === 'row') return await this.#leaveToClaims(delivery);
    if (exit === 'lease-ended') return this.events.abandon(delivery.progress);
    delivery.startedAtMs = exit.startMs;
    this.#rowless.add(delivery);
    const claim = claimOf(delivery, exit, clock.now());
    const ended = await attempts.make(claim, delivery.progress.event.stored, exit.release);
    this.#rowless.delete(delivery);
    this.queues.noteEnd(endpoint.id, ended.tookMs);
    this.queues.wake(endpoint.id, ended.endedAtMs);
    const decided = await attempts.settle(ended, this.#write(delivery, ended.result));
    if (!decided) counters.duplicateAttempts += 1;
    if (ended.result.step.transition === 'failed') onPending();
    this.#admitEvents();
  }

  /** Resolves with whether the result decided its delivery. */
  async #write(delivery: NewDelivery, result: AttemptResult): Promise<boolean> {
    if (delivery.row === null) return await this.#writes.add({ delivery, state: 'answered', result });
    return (await delivery.row) && (await this.#dependencies.recording.add(result));
  }

  /** The delivery gets a row that waits for a claim; younger deliveries to the endpoint wait for it. */
  async #leaveToClaims(delivery: NewDelivery): Promise<void> {
    const { backlogs, clock, counters, onPending } = this.#dependencies;
    counters.events.addDeferred(delivery.progress.event.id, 1, clock.now());
    backlogs.add(delivery.endpointId);
    await this.#writes.add({ delivery, state: 'queued' });
    backlogs.addCommitted(delivery.endpointId);
    onPending();
  }

  #noteWritten({ decidedIds, disabledEndpointIds }: WriteOutcome, rows: readonly NewRow[]): void {
    const { cache, counters, log } = this.#dependencies;
    counters.fannedOutDeliveries += decidedIds.size;
    for (const endpointId of disabledEndpointIds)
      log.warn({ endpointId, reason: 'gone' }, 'endpoint.disabled');
    const refused = rows.filter(({ delivery }) => !decidedIds.has(delivery.deliveryId));
    if (refused.length === 0) return;
    cache.dropMissing(refused.map(({ delivery }) => delivery.endpointId)).catch((err: unknown) => {
      log.warn({ err }, 'endpoints.not_checked');
    });
  }

  /** Every delivery of the event has a row. */
  #complete(progress: EventProgress, isMarked: boolean): void {
    this.events.complete(progress, isMarked);
    // At the end nobody calls `tick`, and the fan-out waits for the event.
    if (this.#isStopping) this.events.markComplete();
  }

  /** Whether `tick` has nothing to do. */
  get isIdle(): boolean {
    return this.events.size === 0 && !this.events.isAwaited;
  }

  /**
   * To be called every 50 ms: writes rows of slow attempts, leaves queues that stand still to the claims, marks events.
   */
  tick(nowMs: number): void {
    const { settings } = this.#dependencies;
    for (const delivery of this.#rowless) {
      if (nowMs - (delivery.startedAtMs ?? nowMs) < settings.quickMs) break;
      this.#rowless.delete(delivery);
      delivery.row = this.#writes.add({ delivery, state: 'sent' });
    }
    // Before the queues, because the rows of a queue that is left to the claims are counted only after this call.
    this.#admitEvents();
    this.queues.tick(nowMs);
    this.events.markComplete();
  }

  /** Starts no more attempts: deliveries that wait get rows. Resolves when every attempt in flight is written. */
  async finish(): Promise<void> {
    this.#isStopping = true;
    this.events.admitAll();
    this.#admitEvents();
    this.queues.leaveAllToClaims();
    while (this.#open.size > 0) {
      this.tick(performance.now());
      await Promise.race([this.#open.ended(), Bun.sleep(this.#dependencies.settings.quickMs)]);
    }
    await this.#writes.drained();
    this.events.markComplete();
    await this.events.settled();
  }
}

function claimOf(delivery: NewDelivery, { endpoint, startMs }: Start, startedAt: Date): Claim {
  const { progress, deliveryId, queuedAtMs } = delivery;
  return {
    deliveryId,
    eventId: progress.event.id,
    eventType: progress.event.type,
    attemptNumber: 1,
    startedAt,
    scheduleIndex: 0,
    queuedMs: Math.round(startMs - queuedAtMs),
    isFromEvent: true,
    endpoint,
  };
}

/** Keeps deliveries and events moving; when the signal aborts, brings them to their end. */
export async function firstAttemptLoop(
  { deliverer, log }: { deliverer: EventDeliverer; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  await tickLoop(
    {
      name: 'first-attempts',
      isIdle: () => deliverer.isIdle,
      hasWork: deliverer.events.hasWork,
      tick: (nowMs) => deliverer.tick(nowMs),
      log,
    },
    signal,
  );
  await deliverer.finish();
}
