import type { Database } from '../../src/db/client.ts';
import { BoundedMap } from '../../src/shared/bounded-map.ts';
import type { Clock } from '../../src/shared/clock.ts';
import { firstUuidOf } from '../../src/shared/first-uuid.ts';
import type { Tracing } from '../../src/shared/tracing/tracing.ts';
import type { EventDeliverer } from '../deliver/deliver-events.ts';
import type { EventLeases, LeaseResult } from '../deliver/event-leases.ts';
import type { Audience } from '../model/event.ts';
import type { EventBodies } from '../retry/event-bodies.ts';
import type { Counters } from '../telemetry/counters.ts';
import { type FanOutPath, traceFanOut } from '../telemetry/spans.ts';
import { fanOutEvents } from './fan-out-events.ts';

export interface FanOutDependencies {
  sql: Database;
  bodies: EventBodies;
  leases: EventLeases;
  /** If unset, and while it is not ready, events get rows that wait for a claim. */
  deliverer?: EventDeliverer | undefined;
  /** Called when delivery rows wait for a claim. */
  onPending(): void;
  counters: Counters;
  /** The fast path takes events younger than this; the reconciler takes older ones. */
  fastPathMs: number;
  /** The clock of the ids of events. */
  clock: Clock;
  tracing: Tracing | undefined;
}

interface FanOut {
  /** The number of rows of events that were not sent directly. */
  rows: Promise<number>;
  /** Resolves when every event is marked or left to its lease. */
  done: Promise<unknown>;
}

/** Most events of one query. */
const COMMITTED_MAX = 100;
const MISSED_MAX = 500;
/** Most events that are remembered as done, whose messages need no query. At least half of them are kept. */
const RECENT_MAX = 20_000;

/**
 * Fans each event out once. An event arrives on three paths: the hint of its commit is quick but may be lost, its
 * message from the broker is late but certain, and the reconciler queries for the rest. A later path waits for an
 * earlier one instead of doing the same. Between relays the lease of the event decides.
 */
export class FanOutCoordinator {
  readonly #dependencies: FanOutDependencies;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #recent = new BoundedMap<string, true>(RECENT_MAX);

  constructor(dependencies: FanOutDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when more events of the audience may be taken. */
  async room(audience: Audience): Promise<void> {
    await this.#dependencies.deliverer?.events.room(audience);
  }

  /**
   * Fans out events that the broker announced, and returns when they are marked. Events that another relay has leased
   * are left to it. If it dies, the reconciler finds them.
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
   * Begins to fan out events that were committed just now, and does not wait until they are marked. Returns the number
   * of rows that wait for a claim, and whether there may be more events.
   */
  async fanOutCommitted(audience: Audience): Promise<{ deliveries: number; more: boolean }> {
    const { leases, fastPathMs, clock } = this.#dependencies;
    await this.room(audience);
    const leased = await leases.takeCommitted(audience, {
      after: firstUuidOf(clock.now().getTime() - fastPathMs),
      limit: COMMITTED_MAX,
      except: [...this.#running.keys()],
    });
    // Checked again, because another path may have begun during the query.
    const events = leased.events.filter(({ id }) => !this.#running.has(id) && !this.#isRecent(id));
    const more = leased.events.length === COMMITTED_MAX;
    if (events.length === 0) return { deliveries: 0, more: false };
    const fanOut = this.#begin({ ...leased, events }, 'hint');
    this.#track(
      events.map(({ id }) => id),
      fanOut.then(({ done }) => done),
    );
    return { deliveries: await (await fanOut).rows, more };
  }

  /**
   * Inserts rows for events that neither hint nor message brought to any relay, or that a killed relay left. Every
   * open event has a row of its own, so this is exact and costs one look at those. `more`: there may be further events.
   */
  async fanOutMissed(): Promise<{ events: number; deliveries: number; more: boolean }> {
    const { leases, fastPathMs } = this.#dependencies;
    const except = [...this.#running.keys()];
    const leased = await leases.takeMissed(fastPathMs, { limit: MISSED_MAX, except });
    const ids = leased.events.map(({ id }) => id).filter((id) => !this.#running.has(id));
    // Forgotten as done, because a crash of the database may have taken back their marks and rows.
    for (const id of ids) this.#recent.delete(id);
    const work = this.#insertRows(ids, 'reconciler');
    this.#track(ids, work);
    const deliveries = await work;
    return { events: ids.length, deliveries, more: leased.events.length === MISSED_MAX };
  }

  /** Resolves when every fan-out has ended. */
  async finish(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Sends events that have no rows before they get rows, and inserts the rows of the others. */
  async #begin({ events, isStale }: LeaseResult, path: FanOutPath): Promise<FanOut> {
    const { bodies, deliverer, tracing } = this.#dependencies;
    const startedAtMs = performance.now();
    const isDirect = deliverer?.isReady === true;
    const direct = isDirect ? events.filter(({ hasRows }) => !hasRows) : [];
    const inProgress = isDirect ? await deliverer.deliver(direct, isStale) : [];
    traceFanOut(tracing, path)?.(
      direct.map(({ id, stored }) => ({ id, traceparent: stored.traceparent })),
      startedAtMs,
    );
    const rest = isDirect ? events.filter(({ hasRows }) => hasRows) : events;
    for (const { id, stored } of rest) bodies.cache(id, stored);
    const rows = this.#insertRows(
      rest.map(({ id }) => id),
      path,
    );
    const marked = inProgress.map(async ({ event, done }) => {
      if (await done) this.#remember([event.id]);
    });
    return { rows, done: Promise.all([rows, ...marked]) };
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

  /** The caller awaits the work and meets its failure. Here a failure only ends the entry. */
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
