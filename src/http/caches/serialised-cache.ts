import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Gate } from '../../shared/gate.ts';
import { Problem } from '../../shared/problem.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { serialise } from '../responses/conditional-reads.ts';
import type { SerialisedReply } from '../route.ts';
import { CacheLoads } from './cache-loads.ts';
import { type CacheReader, type Freshness, placeOf } from './cache-reader.ts';
import { type CacheReplica, fromPrimary, type ReplicaLoad, ReplicaLoads } from './replica-loads.ts';

/** The outcome of a load. */
interface Entry<Body> {
  outcome: Outcome<Body>;
  /** Its state was current then, as far as this process knew. */
  currentAtMs: number;
  /** It may lack a known change of its key. */
  isStale: boolean;
  /** Changes of all keys that were known then: after another one, it may lack that. */
  changesOfAll: number;
}

/** Null: the load found nothing under this key. */
type Outcome<Body> = { reply: SerialisedReply<Body> | null } | { failure: unknown };

export interface SerialisedCacheOptions {
  /**
   * No entry is served longer than this: it bounds the damage of a lost hint, and how long a change that is known may
   * be missing.
   */
  maxAgeMs: number;
  /** Stale bytes are served no longer than this: the `max-age` of the operations, where that is less. Default: `maxAgeMs`. */
  staleMaxMs?: number;
  entriesMax: number;
  nowMs: () => number;
  /** Every load passes through it, so that no cache raises the number of concurrent loads. */
  gate: Gate;
  /** A failed load is not repeated within `maxAgeMs` either: for loads that cost much before they fail. */
  keepsFailures?: boolean;
  /** Serves loads of `requireReplicated`, and its metrics count where they went. */
  replica?: CacheReplica | undefined;
}

/** So often may a hint of all keys make them stale: lists change with every token, 400 times a second on a busy day. */
const ALL_STALE_EVERY_MS = 200;

/**
 * Public reads as bytes with their ETag, serialised once per change. One load of a key runs at a time. A known change
 * makes bytes stale: they are served while one reload runs, within their age, to readers that grant it. Nothing and
 * failures are never served stale. A full cache drops its least recently used entries.
 */
export class SerialisedCache<Body = unknown> {
  readonly #entries: BoundedMap<string, Entry<Body>>;
  readonly #loads = new CacheLoads<SerialisedReply<Body> | null>();
  readonly #options: SerialisedCacheOptions;
  /** Absent without a replica. */
  readonly #replicaLoads: ReplicaLoads<Body> | undefined;
  #changesOfAll = 0;
  /** The first hint for all keys that has had no effect yet, and when it may have one. */
  #expiredAtMs: number | null = null;
  #expiryDueAtMs = Number.NEGATIVE_INFINITY;
  /** Reads, for the metrics. */
  reads = 0;
  /** Reads that got bytes without a known change that they lack. */
  hits = 0;
  /** Reads that got stale bytes. */
  staleHits = 0;
  /** Loads that began, also those that nobody waited for, and those that failed. */
  loads = 0;
  failedLoads = 0;

  constructor(options: SerialisedCacheOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.entriesMax);
    this.#replicaLoads = options.replica && new ReplicaLoads(options.replica, options);
  }

  /**
   * Returns the bytes under `key`; `load` returns the body, or null when there is nothing. A load takes a place of
   * the client that begins it. Throws a kept failure.
   */
  get(
    reader: CacheReader,
    key: string,
    load: () => Promise<Body | null>,
  ): SerialisedReply<Body> | null | Promise<SerialisedReply<Body> | null> {
    return this.#reply(reader, key, { load, replicaLoads: undefined });
  }

  /** As `get`, but throws the problem `missing` for null. Returns no promise when the bytes are cached. */
  require(
    reader: CacheReader,
    key: string,
    load: () => Promise<Body | null>,
    missing: ProblemCode,
  ): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
    return requireFound(this.#reply(reader, key, { load, replicaLoads: undefined }), missing);
  }

  /**
   * As `require`, but `load` may be given a replica: one that is at most half as old as an entry may be, and
   * has every change of this key that was dropped or loaded before. An entry is as old as its replica was, so
   * none is served longer than `maxAgeMs` after its state was current.
   */
  requireReplicated(
    reader: CacheReader,
    key: string,
    load: ReplicaLoad<Body>,
    missing: ProblemCode,
  ): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
    return requireFound(this.#reply(reader, key, { load, replicaLoads: this.#replicaLoads }), missing);
  }

  /** The data of one key changed. */
  drop(key: string): void {
    this.#replicaLoads?.note(key);
    this.#loads.overtake(key, this.#options.nowMs());
    const entry = this.#entries.peek(key);
    if (entry !== undefined) entry.isStale = true;
  }

  /** The data of any key may have changed. */
  dropAll(): void {
    const nowMs = this.#options.nowMs();
    this.#replicaLoads?.noteAll();
    this.#makeAllStale(nowMs);
  }

  /**
   * As `dropAll`, but a few times a second at most, and what is loaded next may come from a replica that lacks the last
   * changes.
   */
  expire(): void {
    this.#expiredAtMs ??= this.#options.nowMs();
  }

  /** Nothing that was loaded, or is being loaded, is served any more: hints may have been lost, or a token was hidden. */
  clear(): void {
    this.#replicaLoads?.noteAll();
    this.#expiredAtMs = null;
    this.#entries.clear();
    this.#loads.forget();
  }

  #reply(
    reader: CacheReader,
    key: string,
    source: Source<Body>,
  ): SerialisedReply<Body> | null | Promise<SerialisedReply<Body> | null> {
    this.reads += 1;
    if (this.#expiredAtMs !== null) this.#expireIfDue(this.#expiredAtMs, reader.freshness);
    const entry = this.#servable(key, reader.freshness);
    if (entry === undefined) return this.#load(reader, key, source);
    if (this.#isStale(entry)) {
      this.staleHits += 1;
      this.#reload(reader, key, source);
    } else this.hits += 1;
    return replyOf(entry.outcome);
  }

  #servable(key: string, freshness: Freshness): Entry<Body> | undefined {
    if (freshness === 'fresh') return undefined;
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { nowMs, maxAgeMs, staleMaxMs = maxAgeMs } = this.#options;
    const ageMs = nowMs() - entry.currentAtMs;
    if (!this.#isStale(entry)) return ageMs < maxAgeMs ? entry : undefined;
    return freshness === 'granted' && ageMs < staleMaxMs && hasBytes(entry) ? entry : undefined;
  }

  #isStale({ isStale, changesOfAll }: Entry<Body>): boolean {
    return isStale || changesOfAll !== this.#changesOfAll;
  }

  #makeAllStale(sinceMs: number): void {
    this.#changesOfAll += 1;
    this.#loads.overtakeAll(sinceMs);
  }

  /** A reader that does not take stale bytes does not wait for the turn of a hint. */
  #expireIfDue(sinceMs: number, freshness: Freshness): void {
    const nowMs = this.#options.nowMs();
    if (freshness === 'granted' && nowMs < this.#expiryDueAtMs) return;
    this.#expiredAtMs = null;
    this.#expiryDueAtMs = nowMs + ALL_STALE_EVERY_MS;
    this.#makeAllStale(sinceMs);
  }

  /** The reload of stale bytes. A failure is counted, and its readers get it themselves when the bytes are too old. */
  #reload(reader: CacheReader, key: string, source: Source<Body>): void {
    if (this.#loads.begun(key) === undefined) this.#begin(reader, key, source).catch(() => {});
  }

  #load(reader: CacheReader, key: string, source: Source<Body>): Promise<SerialisedReply<Body> | null> {
    // So that whoever loads for this reader reads the primary.
    if (reader.freshness === 'fresh') this.#replicaLoads?.note(key);
    const running = this.#loads.begun(key);
    if (running === undefined || this.#loads.serves(key, reader.freshness))
      return this.#begin(reader, key, source);
    // What runs when it has ended began after this reader came.
    const next = () => {
      const entry = this.#servable(key, reader.freshness);
      return entry === undefined ? this.#begin(reader, key, source) : replyOf(entry.outcome);
    };
    return running.then(next, next);
  }

  #begin(
    reader: CacheReader,
    key: string,
    { load, replicaLoads }: Source<Body>,
  ): Promise<SerialisedReply<Body> | null> {
    let throughMs: number | null = null;
    const serialised = async () => {
      this.loads += 1;
      try {
        const loaded = await (replicaLoads === undefined ? fromPrimary(load) : replicaLoads.load(key, load));
        throughMs = loaded.throughMs;
        return loaded.body === null ? null : serialise({ body: loaded.body });
      } catch (error) {
        if (!(error instanceof Problem)) this.failedLoads += 1;
        throw error;
      }
    };
    return this.#loads.run(key, placeOf(reader, this.#options.gate), serialised, (result, overtakenAtMs) =>
      this.#keep(key, result, throughMs, overtakenAtMs),
    );
  }

  #keep(
    key: string,
    result: PromiseSettledResult<SerialisedReply<Body> | null>,
    throughMs: number | null,
    overtakenAtMs: number | null,
  ): void {
    const outcome: Outcome<Body> =
      result.status === 'fulfilled' ? { reply: result.value } : { failure: result.reason };
    if ('failure' in outcome && this.#options.keepsFailures !== true) {
      // A Problem says that there is nothing to serve. After any other failure, the bytes that are there may age.
      if (outcome.failure instanceof Problem) this.#entries.delete(key);
      return;
    }
    const changedAtMs = Math.min(overtakenAtMs ?? Infinity, this.#expiredAtMs ?? Infinity);
    this.#entries.set(key, {
      outcome,
      currentAtMs: Math.min(throughMs ?? this.#options.nowMs(), changedAtMs),
      isStale: overtakenAtMs !== null,
      changesOfAll: this.#changesOfAll,
    });
  }
}

/** How a key is loaded. */
interface Source<Body> {
  load: ReplicaLoad<Body>;
  replicaLoads: ReplicaLoads<Body> | undefined;
}

function hasBytes<Body>({ outcome }: Entry<Body>): boolean {
  return 'reply' in outcome && outcome.reply !== null;
}

function replyOf<Body>(outcome: Outcome<Body>): SerialisedReply<Body> | null {
  if ('failure' in outcome) throw outcome.failure;
  return outcome.reply;
}

function requireFound<Body>(
  reply: SerialisedReply<Body> | null | Promise<SerialisedReply<Body> | null>,
  missing: ProblemCode,
): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
  return reply instanceof Promise
    ? reply.then((late) => requireReply(late, missing))
    : requireReply(reply, missing);
}

function requireReply<Body>(
  reply: SerialisedReply<Body> | null,
  missing: ProblemCode,
): SerialisedReply<Body> {
  if (reply === null) throw new Problem(missing);
  return reply;
}
