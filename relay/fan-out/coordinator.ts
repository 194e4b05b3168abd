import type { Database } from '../../src/db/client.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import type { Tracing } from '../../src/shared/tracing/tracing.ts';
import type { EventBodies } from '../dispatch/event-bodies.ts';
import {
  accountBatch,
  type ClaimPage,
  type FanOutEvent,
  type FanOutResult,
  fanOut,
  fanOutBatch,
  markFannedOut,
  publicBatch,
} from './fan-out-events.ts';
import { type FanOutPath, traceFanOut } from '../telemetry/spans.ts';

export interface FanOutDependencies {
  sql: Database;
  bodies: EventBodies;
  claimPage: ClaimPage;
  /** Delivery rows wait for their claim. */
  onDeliveries(): void;
  /** Older events are left to the broker and the reconciler. */
  freshMs: number;
  tracing: Tracing | undefined;
}

/** Events of one look. */
const FRESH_MAX = 100;
const MISSING_MAX = 500;
/** Remembered as done, so that their messages cost no look-up; the events of some seconds. */
const RECENT_MAX = 10_000;

/**
 * The fan-outs of this relay. An event comes here by the hint of its commit, which is quick and may be lost, by its
 * message from the broker, which is late and certain, and by the reconciler's look. Whoever comes second waits for the
 * first instead of making the same rows: two inserts of one row wait for each other's commit, page by page. Between
 * relays the unique key decides.
 */
export class FanOuts {
  readonly #dependencies: FanOutDependencies;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #recent = new Set<string>();

  constructor(dependencies: FanOutDependencies) {
    this.#dependencies = dependencies;
  }

  /** Fans out events that the broker announced; returns when they are marked. */
  async announced(ids: readonly string[]): Promise<FanOutResult> {
    return await this.#once(ids, this.#dependencies.claimPage, 'message');
  }

  /** Fans out what was committed just now; the number of rows made, null when there was nothing. Marks behind it. */
  async fresh(audience: 'public' | 'account'): Promise<number | null> {
    const { sql, bodies, onDeliveries, claimPage, tracing } = this.#dependencies;
    const found = await this.#findFresh(audience);
    // Asked again: another path may have begun while the database answered.
    const events = found.filter(({ id }) => !this.#running.has(id) && !this.#recent.has(id));
    if (events.length === 0) return null;
    const startedAtMs = performance.now();
    for (const { id, body, traceparent } of events) bodies.keep(id, body, traceparent);
    const ids = events.map(({ id }) => id);
    const batch = audience === 'public' ? publicBatch(events) : accountBatch(events);
    const made = fanOutBatch(sql, batch, onDeliveries, claimPage);
    const marked = made.then(() => markFannedOut(sql, ids)).then(() => this.#remember(ids));
    this.#track(ids, marked);
    const deliveries = await made;
    traceFanOut(tracing, 'hint')?.(events, startedAtMs);
    return deliveries;
  }

  /**
   * Fans out events that the broker never brought: lost with its store, published to a stream that is gone, or left
   * half done by a killed relay. Every event carries its own mark, so this is exact and costs one look at a partial
   * index. A full look means there may be more.
   */
  async missing(): Promise<{ events: number; deliveries: number; more: boolean }> {
    const { sql, freshMs } = this.#dependencies;
    const found = await sql<{ id: string }[]>`
      select id from events
      where fanned_out_at is null and created_at < now() - ${freshMs} * interval '1 millisecond'
        and id <> all(${[...this.#running.keys()]}::uuid[])
      order by id limit ${MISSING_MAX}`;
    const ids = found.map(({ id }) => id).filter((id) => !this.#running.has(id));
    // A mark that was lost with the database is made again: what was done then is not relied upon.
    for (const id of ids) this.#recent.delete(id);
    const { deliveries } = await this.#once(ids, undefined, 'reconciler');
    return { events: ids.length, deliveries, more: found.length === MISSING_MAX };
  }

  /** Resolves when nothing is under way any more. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Fans out what nobody here has done or is doing, and waits for what somebody is. */
  async #once(
    ids: readonly string[],
    claimPage: ClaimPage | undefined,
    path: FanOutPath,
  ): Promise<FanOutResult> {
    const { sql, onDeliveries, tracing } = this.#dependencies;
    const total: FanOutResult = { deliveries: 0, unknownIds: [] };
    let left = [...ids];
    for (;;) {
      left = left.filter((id) => !this.#recent.has(id));
      if (left.length === 0) return total;
      const mine = left.filter((id) => !this.#running.has(id));
      if (mine.length === 0) {
        await Promise.allSettled(left.map((id) => this.#running.get(id)));
        continue;
      }
      const work = fanOut(sql, mine, onDeliveries, claimPage, traceFanOut(tracing, path));
      this.#track(mine, work);
      const { deliveries, unknownIds } = await work;
      total.deliveries += deliveries;
      total.unknownIds.push(...unknownIds);
      const unknown = new Set(unknownIds);
      this.#remember(mine.filter((id) => !unknown.has(id)));
      left = left.filter((id) => !unknown.has(id));
    }
  }

  async #findFresh(audience: 'public' | 'account') {
    const { sql, freshMs } = this.#dependencies;
    const ofAudience = audience === 'public' ? sql`account_id is null` : sql`account_id is not null`;
    return await sql<(FanOutEvent & { body: string; traceparent: string | null })[]>`
      select id, type, account_id, body, traceparent from events
      where fanned_out_at is null and ${ofAudience} and id > ${firstUuidOf(Date.now() - freshMs)}::uuid
        and id <> all(${[...this.#running.keys()]}::uuid[])
      order by id limit ${FRESH_MAX}`;
  }

  /** A failure is told to whoever awaits the work itself; here it only ends the entry. */
  #track(ids: readonly string[], work: Promise<unknown>): void {
    const settled = work
      .catch(() => {})
      .finally(() => {
        for (const id of ids) if (this.#running.get(id) === settled) this.#running.delete(id);
      });
    for (const id of ids) this.#running.set(id, settled);
  }

  #remember(ids: readonly string[]): void {
    for (const id of ids) this.#recent.add(id);
    for (const id of this.#recent) {
      if (this.#recent.size <= RECENT_MAX) return;
      this.#recent.delete(id);
    }
  }
}
