import type { Database } from '../../src/db/client.ts';
import { followedTypes } from '../../src/shared/events/catalogue.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop } from '../../src/shared/loop.ts';
import {
  filtersOf,
  type MatchedEvent,
  receivesEvent,
  receivesNamed,
} from '../../src/shared/webhooks/receives-event.ts';
import {
  type CachedEndpoint,
  type ChangedEndpoint,
  readChangedEndpoints,
  readEnabledEndpoints,
} from './read-endpoints.ts';

const PAGE_SIZE = 2_000;

/**
 * The enabled endpoints, in memory. `refresh` reads what its own snapshot sees. So the copy has every endpoint whose
 * creation committed before an event, if the event was read before the refresh.
 */
export class EndpointCache {
  readonly #sql: Database;
  readonly #byId = new Map<string, CachedEndpoint>();
  readonly #byAccount = new Groups();
  /** Endpoints without subjects, by each of their event filters. */
  readonly #byFilter = new Groups();
  readonly #bySubject = new Groups();
  /** Pauses that responses ask for, and that the database does not have yet. */
  readonly #unrecorded = new Map<string, { untilMs: number; results: number }>();
  #since: string | null = null;
  /** Resolves when no read has begun or waits; never rejects. */
  #lastRead: Promise<void> = Promise.resolve();
  /** The read that has not begun. */
  #nextRead: Promise<void> | null = null;

  constructor(sql: Database) {
    this.#sql = sql;
  }

  /** The oldest transaction that may have changed an endpoint since the last refresh; null before the first. */
  get since(): string | null {
    return this.#since;
  }

  get isLoaded(): boolean {
    return this.#since !== null;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): CachedEndpoint | undefined {
    return this.#byId.get(id);
  }

  /** Drops endpoints whose rows do not exist. Only a delete by hand leaves no stamp of a change. */
  async dropMissing(ids: readonly string[]): Promise<void> {
    const rows = await this.#sql<
      { id: string }[]
    >`select id from webhook_endpoints where id = any(${[...ids]}::uuid[])`;
    const present = new Set(rows.map(({ id }) => id));
    for (const id of ids) if (!present.has(id)) this.#remove(id);
  }

  /** Allows no attempt before `untilMs`. Call the returned function when the pause is recorded. */
  pause(id: string, untilMs: number): () => void {
    const pause = this.#unrecorded.get(id) ?? { untilMs, results: 0 };
    pause.results += 1;
    pause.untilMs = Math.max(pause.untilMs, untilMs);
    this.#unrecorded.set(id, pause);
    this.#applyUnrecorded(id);
    return () => {
      pause.results -= 1;
      if (pause.results === 0) this.#unrecorded.delete(id);
      const endpoint = this.#byId.get(id);
      if (endpoint !== undefined) endpoint.pauseReadMs = performance.now();
    };
  }

  /**
   * The endpoint was not paused in the database at `sinceMs`, so a pause that was read before has ended. A pause that
   * the database does not have yet stays.
   */
  noteUnpaused(id: string, sinceMs: number): void {
    const endpoint = this.#byId.get(id);
    if (endpoint === undefined || this.#unrecorded.has(id) || endpoint.pauseReadMs >= sinceMs) return;
    endpoint.pausedUntilMs = Math.min(endpoint.pausedUntilMs, sinceMs);
  }

  /**
   * Reads the changes, or everything the first time. One read begins after the other has ended, because an older one that
   * ends later would undo a newer one. Callers that wait for the next read share it.
   */
  refresh(): Promise<void> {
    this.#nextRead ??= this.#lastRead.then(() => {
      this.#nextRead = null;
      return this.#read();
    });
    this.#lastRead = this.#nextRead.catch(() => {});
    return this.#nextRead;
  }

  async #read(): Promise<void> {
    if (this.#since === null) await this.#load();
    const { since, changed } = await readChangedEndpoints(this.#sql, this.#since);
    this.#since = since;
    for (const endpoint of changed) this.#apply(endpoint);
  }

  /** The endpoints that receive the event. */
  receivers(event: MatchedEvent): CachedEndpoint[] {
    const { accountId, onlyEndpointId, subject } = event;
    if (onlyEndpointId !== null) {
      const only = this.#byId.get(onlyEndpointId);
      return only !== undefined && receivesEvent(only, event) ? [only] : [];
    }
    if (accountId !== null)
      return [...this.#byAccount.of(accountId)].filter((endpoint) => receivesEvent(endpoint, event));
    const withSubject = [...this.#bySubject.of(subject)].filter((endpoint) => receivesNamed(endpoint, event));
    return [...this.#withoutSubjects(event), ...withSubject];
  }

  /**
   * Endpoints with one of the filters of a public event that are not younger than the event. For each of 10,000
   * endpoints only the age is compared.
   */
  #withoutSubjects({ type, createdAt }: MatchedEvent): Set<CachedEndpoint> {
    const found = new Set<CachedEndpoint>();
    if (followedTypes.includes(type)) return found;
    for (const filter of filtersOf(type))
      for (const endpoint of this.#byFilter.of(filter))
        if (endpoint.createdAt <= createdAt) found.add(endpoint);
    return found;
  }

  /** Reads every enabled endpoint. Changes from the first page on are found by the next read of changes. */
  async #load(): Promise<void> {
    const { since } = await readChangedEndpoints(this.#sql, null);
    let after: string | null = null;
    do {
      const page: ChangedEndpoint[] = await readEnabledEndpoints(this.#sql, after, PAGE_SIZE);
      for (const endpoint of page) this.#apply(endpoint);
      after = page.length === PAGE_SIZE ? (page.at(-1)?.id ?? null) : null;
    } while (after !== null);
    this.#since = since;
  }

  #apply({ isEnabled, pausedForMs, ...endpoint }: ChangedEndpoint): void {
    this.#remove(endpoint.id);
    if (!isEnabled) return;
    const nowMs = performance.now();
    const pausedUntilMs = nowMs + Math.max(0, pausedForMs ?? 0);
    const cached: CachedEndpoint = { ...endpoint, pausedUntilMs, pauseReadMs: nowMs };
    this.#byId.set(cached.id, cached);
    this.#applyUnrecorded(cached.id);
    this.#byAccount.add(cached.accountId, cached);
    for (const subject of cached.subjects ?? []) this.#bySubject.add(subject, cached);
    if (cached.subjects === null) for (const filter of cached.eventTypes) this.#byFilter.add(filter, cached);
  }

  #applyUnrecorded(id: string): void {
    const endpoint = this.#byId.get(id);
    const untilMs = this.#unrecorded.get(id)?.untilMs ?? 0;
    if (endpoint !== undefined) endpoint.pausedUntilMs = Math.max(endpoint.pausedUntilMs, untilMs);
  }

  #remove(id: string): void {
    const cached = this.#byId.get(id);
    if (cached === undefined) return;
    this.#byId.delete(id);
    this.#byAccount.delete(cached.accountId, cached);
    for (const subject of cached.subjects ?? []) this.#bySubject.delete(subject, cached);
    for (const filter of cached.eventTypes) this.#byFilter.delete(filter, cached);
  }
}

const NONE: ReadonlySet<CachedEndpoint> = new Set();

/** Endpoints by a key. Keys without endpoints take no memory. */
class Groups {
  readonly #groups = new Map<string, Set<CachedEndpoint>>();

  of(key: string): ReadonlySet<CachedEndpoint> {
    return this.#groups.get(key) ?? NONE;
  }

  add(key: string, endpoint: CachedEndpoint): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Set([endpoint]));
    else group.add(endpoint);
  }

  delete(key: string, endpoint: CachedEndpoint): void {
    const group = this.#groups.get(key);
    group?.delete(endpoint);
    if (group?.size === 0) this.#groups.delete(key);
  }
}

const REFRESH_MS = 500;

interface EndpointCacheLoopDependencies {
  cache: EndpointCache;
  /** Whether events are in progress; otherwise the sweep refreshes the cache. */
  hasEvents(): boolean;
  log: Logger;
}

/** Loads the endpoints, and reads changes while events are in progress. */
export function endpointCacheLoop(
  { cache, hasEvents, log }: EndpointCacheLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'endpoint-cache',
    log,
    signal,
    idleMs: REFRESH_MS,
    async step() {
      if (!cache.isLoaded || hasEvents()) await cache.refresh();
      return false;
    },
  });
}
