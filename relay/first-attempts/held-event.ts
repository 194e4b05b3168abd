import type { MatchedEvent } from '../../src/shared/webhooks/receives-event.ts';
import type { StoredEvent } from '../model/event.ts';

export interface LeasedEvent extends MatchedEvent {
  id: string;
  stored: StoredEvent;
  /** Monotonic. Unless the lease is renewed, other relays may take the event from then on. */
  leaseEndsMs: number;
}

/** An event that this relay sends before its delivery rows exist. */
export class HeldEvent {
  readonly leased: LeasedEvent;
  leaseEndsMs: number;
  /** True when all rows and the mark are committed, false when the event is left to its lease. */
  readonly done: Promise<boolean>;
  readonly #resolve: (isDone: boolean) => void;
  /** Deliveries without a row. */
  #open = 0;
  readonly #writtenEndpointIds: string[] = [];
  #isPlaced = false;

  constructor(leased: LeasedEvent) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.leased = leased;
    this.leaseEndsMs = leased.leaseEndsMs;
    this.done = promise;
    this.#resolve = resolve;
  }

  get open(): number {
    return this.#open;
  }

  /** Whether every delivery has a row when `count` more have one. */
  isCompleteWith(count: number): boolean {
    return this.#isPlaced && this.#open === count;
  }

  addDelivery(): void {
    this.#open += 1;
  }

  /** All deliveries of the event are known. */
  setPlaced(): void {
    this.#isPlaced = true;
  }

  /**
   * Endpoints whose rows are committed, but perhaps not on disk yet. Whoever marks the event checks that they are still
   * there: the database may have crashed since.
   */
  get writtenEndpointIds(): readonly string[] {
    return this.#writtenEndpointIds;
  }

  /** The row of a delivery is committed, or the endpoint needs none. */
  countRow(endpointId: string, isWritten: boolean): void {
    this.#open -= 1;
    if (isWritten) this.#writtenEndpointIds.push(endpointId);
  }

  finish(isDone: boolean): void {
    this.#resolve(isDone);
  }
}

/** A delivery that has no row yet, and its first attempt. */
export interface FirstAttempt {
  event: HeldEvent;
  endpointId: string;
  deliveryId: string;
  /** Monotonic. */
  queuedAtMs: number;
  startedAtMs: number | null;
  /** Its row as an attempt in flight, with whether that was inserted; null while none is being written. */
  row: Promise<boolean> | null;
}
