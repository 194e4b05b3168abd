import type { Database } from '../../src/db/client.ts';
import { BoundedMap } from '../../src/shared/bounded-map.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import type { Tracing } from '../../src/shared/tracing/tracing.ts';
import type { EventBodies } from '../dispatch/event-bodies.ts';
import type { FirstSender } from '../first-attempts/first-sender.ts';
import type { EventLeases, Leased } from '../first-attempts/lease-events.ts';
import type { Audience } from '../model/event.ts';
import type { Counters } from '../telemetry/counters.ts';
import { type FanOutPath, traceFanOut } from '../telemetry/spans.ts';
import { fanOutEvents } from './fan-out-events.ts';

export interface FanOutDependencies {
  sql: Database;
  bodies: EventBodies;
  leases: EventLeases;
  /** Without it, and while it is not ready, events get rows that wait for a claim. */
  sender?: FirstSender | undefined;
  /** Called when delivery rows wait for a claim. */
  onPending(): void;
  counters: Counters;
  /** The fast path takes events younger than this, the reconciler older ones. */
  fastPathMs: number;
  /** The clock that the ids of events come from. */
  clock: Clock;
  tracing: Tracing | undefined;
}

interface Begun {
  /** Number of rows of the events that were not sent directly. */
  rows: Promise<number>;
  /** Resolves when every event is marked or left to its lease. */
  done: Promise<unknown>;
}

/** Most events of one query. */
const COMMITTED_MAX = 100;
const MISSED_MAX = 500;
/** Events remembered as done, whose messages need no query; at least half as many. */
const RECENT_MAX = 20_000;

/**
 * The fan-outs of this relay, each event once. An event arrives on three paths: the hint of its commit is
 * quick and may be lost, its message from the broker is late and certain, and the reconciler queries for the
 * rest. A later path waits for an earlier one instead of doing the same. Between relays the lease of the
 * event decides.
 */
export class FanOutCoordinator {
  readonly #dependencies: FanOutDependencies;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #recent = new BoundedMap<string, true>(RECENT_MAX);

  constructor(dependencies: FanOutDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when more events may be taken. */
  async room(audience: Audience): Promise<void> {
    await this.#dependencies.sender?.room(audience);
  }

  /**
   * Fans out events that the broker announced; returns when they are marked. Events of another relay are left
   * to it: if it dies, the reconciler finds them.
   */
  async fanOutAnnounced(ids: readonly string[]): Promise<{ deliveries: number; unknownIds: string[] }> {
    const total = { deliveries: 0, unknownIds: [] as string[] };
    let left = [...ids];
    for (;;) {
      left = left.filter((id) => !this.#isRecent(id));
      if (left.length === 0) return total;
      const mine = left.filter((id) => !this.#running.has(id));
      if (mine.length === 0) {
        await Promise.allSettled(left.map((id) => this.#running.get(id)));
        continue;
      }
      const work = this.#sendAnnounced(mine);
      this.#track(mine, work);
      const { deliveries, unknownIds } = await work;
      total.deliveries += deliveries;
      total.unknownIds.push(...unknownIds);
      const settled = new Set(mine);
      left = left.filter((id) => !settled.has(id));
    }
  }

  async #sendAnnounced(ids: readonly string[]): Promise<{ deliveries: number; unknownIds: string[] }> {
    const { unknownIds, ...leased } = await this.#dependencies.leases.takeAnnounced(ids);
    const { rows, done } = await this.#begin(leased, 'message');
    await done;
    return { deliveries: await rows, unknownIds };
  }

  /**
   * The fast path: begins with events that were committed just now, and does not wait until they are marked.
   * Returns the number of rows that wait for a claim, and whether there may be more events.
   */
  async fanOutCommitted(audience: Audience): Promise<{ deliveries: number; more: boolean }> {
    const { leases, fastPathMs, clock } = this.#dependencies;
    await this.room(audience);
    const leased = await leases.takeCommitted(audience, {
      after: firstUuidOf(clock.now().getTime() - fastPathMs),
      limit: COMMITTED_MAX,
      except: [...this.#running.keys()],
    });
    // Again, because another path may have begun during the query.
    const events = leased.events.filter(({ id }) => !this.#running.has(id) && !this.#isRecent(id));
    const more = leased.events.length === COMMITTED_MAX;
    if (events.length === 0) return { deliveries: 0, more: false };
    const begun = this.#begin({ ...leased, events }, 'hint');
    this.#track(
      events.map(({ id }) => id),
      begun.then(({ done }) => done),
    );
    return { deliveries: await (await begun).rows, more };
  }

  /**
   * Fans out events that neither hint nor message brought to any relay, or that a killed relay left, by
   * giving them rows. Every event carries its own mark, so this is exact and costs one query of a partial
   * index. `more`: there may be further events.
   */
  async fanOutMissed(): Promise<{ events: number; deliveries: number; more: boolean }> {
    const { leases, fastPathMs } = this.#dependencies;
    const except = [...this.#running.keys()];
    const leased = await leases.takeMissed(fastPathMs, { limit: MISSED_MAX, except });
    const ids = leased.events.map(({ id }) => id).filter((id) => !this.#running.has(id));
    // Not remembered as done: a crash of the database may have taken back their marks and rows.
    for (const id of ids) this.#recent.delete(id);
    const work = this.#insertRows(ids, 'reconciler');
    this.#track(ids, work);
    const deliveries = await work;
    return { events: ids.length, deliveries, more: leased.events.length === MISSED_MAX };
  }

  /** Resolves when no fan-out is running any more. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Sends events that have no rows, and inserts the rows of the others. */
  async #begin({ events, isStale }: Leased, path: FanOutPath): Promise<Begun> {
    const { bodies, sender, tracing } = this.#dependencies;
    const startedAtMs = performance.now();
    const isDirect = sender?.isReady === true;
    const sent = isDirect ? events.filter(({ hasRows }) => !hasRows) : [];
    const held = isDirect ? await sender.send(sent, isStale) : [];
    traceFanOut(tracing, path)?.(
      sent.map(({ id, stored }) => ({ id, traceparent: stored.traceparent })),
      startedAtMs,
    );
    const rest = isDirect ? events.filter(({ hasRows }) => hasRows) : events;
    for (const { id, stored } of rest) bodies.cache(id, stored);
    const rows = this.#insertRows(
      rest.map(({ id }) => id),
      path,
    );
    const written = held.map(async ({ leased, done }) => {
      if (await done) this.#remember([leased.id]);
    });
    return { rows, done: Promise.all([rows, ...written]) };
  }

  async #insertRows(ids: readonly string[], path: FanOutPath): Promise<number> {
    if (ids.length === 0) return 0;
    const { sql, onPending, counters, clock, tracing } = this.#dependencies;
    const noteRows = (inserted: Readonly<Record<string, number>>) => {
      for (const [id, rows] of Object.entries(inserted)) counters.events.addDeferred(id, rows, clock.now());
      onPending();
    };
    const deliveries = await fanOutEvents(sql, ids, noteRows, traceFanOut(tracing, path));
    this.#remember(ids);
    return deliveries;
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
    for (const id of ids) this.#recent.set(id, true);
  }

  #isRecent(id: string): boolean {
    return this.#recent.get(id) === true;
  }
}
