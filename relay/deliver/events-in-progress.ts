import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, Wakeup } from '../../src/shared/loop.ts';
import type { Audience } from '../model/event.ts';
import type { EventLeases, LeasedEvent } from './event-leases.ts';
import { markComplete } from './mark-events.ts';

/** How far the deliveries of an event have come. */
export class EventProgress {
  readonly event: LeasedEvent;
  leaseEndsMs: number;
  /** True when all rows and the mark are committed, false when the event is left to its lease. */
  readonly done: Promise<boolean>;
  readonly #resolve: (isDone: boolean) => void;
  #withoutRow = 0;
  readonly #writtenEndpointIds: string[] = [];
  #isMatched = false;

  constructor(event: LeasedEvent) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.event = event;
    this.leaseEndsMs = event.leaseEndsMs;
    this.done = promise;
    this.#resolve = resolve;
  }

  get audience(): Audience {
    return this.event.accountId === null ? 'public' : 'account';
  }

  addDelivery(): void {
    this.#withoutRow += 1;
  }

  /** All deliveries of the event are known. */
  setMatched(): void {
    this.#isMatched = true;
  }

  /** Whether every delivery has a row when `count` more of them have one. */
  isCompleteWith(count: number): boolean {
    return this.#isMatched && this.#withoutRow === count;
  }

  /** The row of a delivery is committed, or the endpoint needs none. */
  countRow(endpointId: string, isWritten: boolean): void {
    this.#withoutRow -= 1;
    if (isWritten) this.#writtenEndpointIds.push(endpointId);
  }

  /** Endpoints whose rows are committed. The statement that marks the event checks that the database has kept them. */
  get writtenEndpointIds(): readonly string[] {
    return this.#writtenEndpointIds;
  }

  finish(isDone: boolean): void {
    this.#resolve(isDone);
  }
}

/** A delivery that has no row yet, and its first attempt. */
export interface NewDelivery {
  progress: EventProgress;
  endpointId: string;
  deliveryId: string;
  /** Monotonic. */
  queuedAtMs: number;
  /** Monotonic; null before the attempt. */
  startedAtMs: number | null;
  /** Its row as an attempt in flight, with whether that was inserted; null while none is being written. */
  row: Promise<boolean> | null;
}

export interface EventsInProgressOptions {
  sql: Database;
  /** Whether more deliveries of the audience may be queued. */
  hasRoom(audience: Audience): boolean;
  log: Logger;
}

/** The events that this relay delivers, each until it is marked or left to its lease. */
export class EventsInProgress {
  /** Woken when events are added, or when a source of events waits for room. */
  readonly hasWork = new Wakeup();
  readonly #options: EventsInProgressOptions;
  readonly #all = new Set<EventProgress>();
  /** Events that wait for room, in order. */
  readonly #notAdmitted: EventProgress[] = [];
  /** Events whose rows are all committed, but not the mark. */
  #unmarked: EventProgress[] = [];
  #sources: (() => void)[] = [];
  #admitsAll = false;

  constructor(options: EventsInProgressOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Whether a source of events waits for room. */
  get isAwaited(): boolean {
    return this.#sources.length > 0;
  }

  /** Resolves when the source may take more events of the audience. */
  async room(audience: Audience): Promise<void> {
    while (!this.#admitsAll && !this.#hasRoom(audience)) {
      this.hasWork.wake();
      await new Promise<void>((resolve) => this.#sources.push(resolve));
    }
  }

  add(events: readonly LeasedEvent[]): EventProgress[] {
    const added = events.map((event) => new EventProgress(event));
    for (const progress of added) this.#all.add(progress);
    this.#notAdmitted.push(...added);
    this.hasWork.wake();
    return added;
  }

  /** Admits the events for which there is room, one after the other: each may use up the room for the next. */
  *admitted(): Generator<EventProgress, void> {
    for (let at = 0; at < this.#notAdmitted.length; ) {
      const progress = this.#notAdmitted[at];
      if (progress === undefined) break;
      if (this.#admitsAll || this.#options.hasRoom(progress.audience)) {
        this.#notAdmitted.splice(at, 1);
        yield progress;
      } else at += 1;
    }
    if (this.isAwaited && (this.#hasRoom('public') || this.#hasRoom('account'))) this.#wakeSources();
  }

  /** From now on there is room for every event. */
  admitAll(): void {
    this.#admitsAll = true;
    this.#wakeSources();
  }

  /** Earlier events of the audience go first. */
  #hasRoom(audience: Audience): boolean {
    return (
      !this.#notAdmitted.some((progress) => progress.audience === audience) && this.#options.hasRoom(audience)
    );
  }

  #wakeSources(): void {
    for (const resolve of this.#sources.splice(0)) resolve();
  }

  ids(): string[] {
    return [...this.#all].map(({ event }) => event.id);
  }

  /** Prolongs the leases of these events. */
  renew(ids: readonly string[], leaseEndsMs: number): void {
    const renewed = new Set(ids);
    for (const progress of this.#all) if (renewed.has(progress.event.id)) progress.leaseEndsMs = leaseEndsMs;
  }

  /** All rows of the event are committed. If the statement of its last rows did not mark it, `markComplete` will. */
  complete(progress: EventProgress, isMarked: boolean): void {
    if (!isMarked) {
      this.#unmarked.push(progress);
      return;
    }
    this.#all.delete(progress);
    progress.finish(true);
  }

  /** Leaves an event to the relay that takes it when its lease has ended. */
  abandon(progress: EventProgress): void {
    this.#all.delete(progress);
    progress.finish(false);
  }

  /** Marks events without endpoints, and events whose last rows were written by several statements. */
  markComplete(): void {
    const { sql, log } = this.#options;
    const events = this.#unmarked;
    if (events.length === 0) return;
    this.#unmarked = [];
    sql`${markComplete(sql, events)} and ${asynchronousCommit(sql)}`.then(
      () => {
        for (const progress of events) this.complete(progress, true);
      },
      (err: unknown) => {
        log.error({ err, events: events.length }, 'events.not_marked');
        // The reconciler finds these events when their leases have ended.
        for (const progress of events) this.abandon(progress);
      },
    );
  }

  /** Resolves when every event that is in progress now is marked or left. */
  async settled(): Promise<void> {
    await Promise.all([...this.#all].map(({ done }) => done));
  }
}

const RENEWALS_PER_LEASE = 4;

interface LeaseLoopDependencies {
  events: EventsInProgress;
  leases: EventLeases;
  eventLeaseMs: number;
  log: Logger;
}

/** Renews the leases of the events in progress, until the signal aborts. */
export function eventLeaseLoop(
  { events, leases, eventLeaseMs, log }: LeaseLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'event-leases',
    log,
    signal,
    idleMs: eventLeaseMs / RENEWALS_PER_LEASE,
    async step() {
      const eventIds = events.ids();
      if (eventIds.length === 0) return false;
      const { ids, leaseEndsMs } = await leases.renew(eventIds);
      events.renew(ids, leaseEndsMs);
      return false;
    },
  });
}
