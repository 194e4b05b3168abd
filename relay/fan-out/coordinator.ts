import type { Database } from '../../src/db/client.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import type { Tracing } from '../../src/shared/tracing/tracing.ts';
import type { EventBodies } from '../dispatch/event-bodies.ts';
import { type FanOutPath, traceFanOut } from '../telemetry/spans.ts';
import { accountBatch, type FanOutEvent, publicBatch } from './event-batch.ts';
import { type FanOutResult, fanOutEvents, insertDeliveries, markFannedOut } from './fan-out-events.ts';
import type { InsertClaimed } from './inserted-page.ts';

/** Public events, or events that are addressed to one account. */
export type Audience = 'public' | 'account';

export interface FanOutDependencies {
  sql: Database;
  bodies: EventBodies;
  insertClaimed: InsertClaimed;
  /** Called when delivery rows wait for a claim. */
  onPending(): void;
  /** The fast path takes younger events, the reconciler older ones. */
  fastPathMs: number;
  tracing: Tracing | undefined;
}

/** Events of one query. */
const COMMITTED_MAX = 100;
const MISSED_MAX = 500;
/** Remembered as done, so that their messages need no query; the events of a few seconds. */
const RECENT_MAX = 10_000;

/**
 * The fan-outs of this relay, each event once. An event arrives on three paths: the hint of its commit, which is quick
 * and may be lost; its message from the broker, which is late and certain; and the reconciler's query. The second path
 * waits for the first instead of inserting the same rows: two inserts of one row wait for each other's commit, page by
 * page. Between relays the unique key decides.
 */
export class FanOutCoordinator {
  readonly #dependencies: FanOutDependencies;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #recent = new Set<string>();

  constructor(dependencies: FanOutDependencies) {
    this.#dependencies = dependencies;
  }

  /** Fans out events that the broker announced; returns when they are marked. */
  async fanOutAnnounced(ids: readonly string[]): Promise<FanOutResult> {
    return await this.#once(ids, this.#dependencies.insertClaimed, 'message');
  }

  /**
   * The fast path: fans out events that were committed just now. Returns the number of rows inserted, null when there
   * was no event; the events are marked afterwards, without waiting.
   */
  async fanOutCommitted(audience: Audience): Promise<number | null> {
    const { sql, bodies, onPending, insertClaimed, tracing } = this.#dependencies;
    const found = await this.#findCommitted(audience);
    // Checked again: another path may have begun while the query ran.
    const events = found.filter(({ id }) => !this.#running.has(id) && !this.#recent.has(id));
    if (events.length === 0) return null;
    const startedAtMs = performance.now();
    for (const { id, body, traceparent } of events) bodies.cache(id, body, traceparent);
    const ids = events.map(({ id }) => id);
    const batch = audience === 'public' ? publicBatch(events) : accountBatch(events);
    const inserted = insertDeliveries(sql, batch, onPending, insertClaimed);
    const marked = inserted.then(() => markFannedOut(sql, ids)).then(() => this.#remember(ids));
    this.#track(ids, marked);
    const deliveries = await inserted;
    traceFanOut(tracing, 'hint')?.(events, startedAtMs);
    return deliveries;
  }

  /**
   * Fans out events that the broker never brought: lost with its store, published to a stream that is gone, or left
   * half done by a killed relay. Every event carries its own mark, so this is exact and costs one query of a partial
   * index. `more` when there may be further ones.
   */
  async fanOutMissed(): Promise<{ events: number; deliveries: number; more: boolean }> {
    const { sql, fastPathMs } = this.#dependencies;
    const found = await sql<{ id: string }[]>`
      select id from events
      where fanned_out_at is null and created_at < now() - ${fastPathMs} * interval '1 millisecond'
        and id <> all(${[...this.#running.keys()]}::uuid[])
      order by id limit ${MISSED_MAX}`;
    const ids = found.map(({ id }) => id).filter((id) => !this.#running.has(id));
    // A mark that was lost with the database is made again: the rows inserted before it may be lost as well.
    for (const id of ids) this.#recent.delete(id);
    const { deliveries } = await this.#once(ids, undefined, 'reconciler');
    return { events: ids.length, deliveries, more: found.length === MISSED_MAX };
  }

  /** Resolves when no fan-out is running any more. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Fans out the events that no path here has done or is doing, and waits for those that another path is doing. */
  async #once(
    ids: readonly string[],
    insertClaimed: InsertClaimed | undefined,
    path: FanOutPath,
  ): Promise<FanOutResult> {
    const { sql, onPending, tracing } = this.#dependencies;
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
      const work = fanOutEvents(sql, mine, onPending, insertClaimed, traceFanOut(tracing, path));
      this.#track(mine, work);
      const { deliveries, unknownIds } = await work;
      total.deliveries += deliveries;
      total.unknownIds.push(...unknownIds);
      const unknown = new Set(unknownIds);
      this.#remember(mine.filter((id) => !unknown.has(id)));
      left = left.filter((id) => !unknown.has(id));
    }
  }

  async #findCommitted(audience: Audience) {
    const { sql, fastPathMs } = this.#dependencies;
    const ofAudience = audience === 'public' ? sql`account_id is null` : sql`account_id is not null`;
    return await sql<(FanOutEvent & { body: string; traceparent: string | null })[]>`
      select id, type, account_id, body, traceparent from events
      where fanned_out_at is null and ${ofAudience} and id > ${firstUuidOf(Date.now() - fastPathMs)}::uuid
        and id <> all(${[...this.#running.keys()]}::uuid[])
      order by id limit ${COMMITTED_MAX}`;
  }

  /** A failure rejects the promise that the caller awaits; here it only ends the entry. */
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
