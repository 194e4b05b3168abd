import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { HeldEvent } from './held-event.ts';
import { markComplete } from './mark-complete.ts';

/** Events of this relay until each is marked or left to its lease. */
export class HeldEvents {
  readonly #sql: Database;
  readonly #log: Logger;
  readonly #held = new Set<HeldEvent>();
  #unmarked: HeldEvent[] = [];

  constructor(sql: Database, log: Logger) {
    this.#sql = sql;
    this.#log = log;
  }

  get size(): number {
    return this.#held.size;
  }

  ids(): string[] {
    return [...this.#held].map(({ leased }) => leased.id);
  }

  add(event: HeldEvent): void {
    this.#held.add(event);
  }

  /** Prolongs the leases of these events. */
  renew(ids: readonly string[], leaseEndsMs: number): void {
    const renewed = new Set(ids);
    for (const event of this.#held) if (renewed.has(event.leased.id)) event.leaseEndsMs = leaseEndsMs;
  }

  /** All rows of the event are committed. An event that they did not mark waits for `markSome`. */
  complete(event: HeldEvent, isMarked: boolean): void {
    if (!isMarked) {
      this.#unmarked.push(event);
      return;
    }
    this.#held.delete(event);
    event.finish(true);
  }

  /** Marks events without receivers, and events whose last rows were written by several statements. */
  markSome(): void {
    const events = this.#unmarked;
    if (events.length === 0) return;
    this.#unmarked = [];
    const mark = markComplete(this.#sql, events);
    this.#sql`${mark} and ${asynchronousCommit(this.#sql)}`.then(
      () => {
        for (const event of events) this.complete(event, true);
      },
      (err: unknown) => {
        this.#log.error({ err, events: events.length }, 'events.not_marked');
        // The reconciler finds these events when their leases have ended.
        for (const event of events) this.abandon(event);
      },
    );
  }

  /** Leaves an event to the relay that takes it when its lease has ended. */
  abandon(event: HeldEvent): void {
    this.#held.delete(event);
    event.finish(false);
  }

  /** Resolves when every event that is held now is marked or left. */
  async settled(): Promise<void> {
    await Promise.all([...this.#held].map(({ done }) => done));
  }
}
