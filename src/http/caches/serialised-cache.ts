import type { Database } from '../../db/client.ts';
import { isDatabaseAway } from '../../db/failure.ts';
import type { ReadReplica } from '../../db/replica.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Gate, GateClient } from '../../shared/gate.ts';
import { GatedLoads } from '../../shared/gated-loads.ts';
import { Problem } from '../../shared/problem.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { serialise } from '../responses/conditional-reads.ts';
import type { SerialisedReply } from '../route.ts';

/** The outcome of a load. */
type Entry<Body> = { loadedAtMs: number } & (
  | {
      /** Null: the load found nothing under this key. */
      reply: SerialisedReply<Body> | null;
    }
  | { failure: unknown }
);

export interface SerialisedCacheOptions {
  /** No entry is served longer than this: it bounds the damage of a lost invalidation. */
  maxAgeMs: number;
  entriesMax: number;
  nowMs: () => number;
  /** Every load passes through it, so that no cache raises the number of concurrent loads. */
  gate: Gate;
  /** A failed load is not repeated within `maxAgeMs` either: for loads that cost much before they fail. */
  keepsFailures?: boolean;
  /** Serves loads of `requireCopy`, and its metrics count where they went. */
  replica?: CacheReplica | undefined;
}

export interface CacheReplica extends ReadReplica {
  noteRead(source: ReadSource): void;
}

/**
 * Where a load went: to the replica, or to the primary because the replica would be too old for this cache
 * (`lag`), may lack a change that this process knows (`change`), or failed (`failure`).
 */
export const readSources = ['replica', 'lag', 'change', 'failure'] as const;
export type ReadSource = (typeof readSources)[number];

/** Loads from the replica, or with null from the primary. */
type CopyLoad<Body> = (replica: Database | null) => Promise<Body | null>;

/** The replica may be as old as this part of the age that an entry may have. */
const LAG_PART = 0.5;

/**
 * Public reads as bytes with their ETag, serialised once per change. Concurrent loads of one key are one
 * load; a load that an invalidation overtakes is not kept. A full cache drops its least recently used
 * entries.
 */
export class SerialisedCache<Body = unknown> {
  readonly #entries: BoundedMap<string, Entry<Body>>;
  readonly #loads = new GatedLoads<SerialisedReply<Body> | null>();
  readonly #options: SerialisedCacheOptions;
  /** By key: a state as of this time was shown or announced, so that no older one may follow. */
  readonly #knownAtMs: BoundedMap<string, number>;
  #allKnownAtMs = Number.NEGATIVE_INFINITY;
  /** Calls of `get`, for the metrics. */
  reads = 0;
  /** Reads that needed no load. */
  hits = 0;

  constructor(options: SerialisedCacheOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.entriesMax);
    this.#knownAtMs = new BoundedMap(options.replica === undefined ? 1 : options.entriesMax);
  }

  /**
   * Returns the bytes under `key`; `load` returns the body, or null when there is nothing. A load takes a place of
   * the client that begins it. Throws a kept failure.
   */
  get(
    client: GateClient,
    key: string,
    load: () => Promise<Body | null>,
  ): SerialisedReply<Body> | null | Promise<SerialisedReply<Body> | null> {
    const entry = this.#read(key);
    return entry === undefined ? this.#load(client, key, () => fromPrimary(load)) : replyOf(entry);
  }

  /** As `get`, but throws the problem `missing` for null. Returns no promise when the bytes are cached. */
  require(
    client: GateClient,
    key: string,
    load: () => Promise<Body | null>,
    missing: ProblemCode,
  ): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
    const reply = this.get(client, key, load);
    return reply instanceof Promise ? reply.then((late) => present(late, missing)) : present(reply, missing);
  }

  /**
   * As `require`, but `load` may be given a replica: one that is at most half as old as an entry may be, and
   * has every change of this key that was dropped or loaded before. An entry is as old as its replica was, so
   * none is served longer than `maxAgeMs` after its state was current.
   */
  requireCopy(
    client: GateClient,
    key: string,
    load: CopyLoad<Body>,
    missing: ProblemCode,
  ): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
    const { replica } = this.#options;
    if (replica === undefined) return this.require(client, key, () => load(null), missing);
    const entry = this.#read(key);
    if (entry !== undefined) return present(replyOf(entry), missing);
    return this.#load(client, key, () => this.#copy(key, load, replica)).then((late) =>
      present(late, missing),
    );
  }

  /** Drops one key, because its data changed. */
  drop(key: string): void {
    this.#note(key);
    this.#entries.delete(key);
    this.#loads.drop(key);
  }

  /** Drops everything, e.g. after a gap in the stream of invalidations. */
  clear(): void {
    this.#allKnownAtMs = this.#options.nowMs();
    this.expire();
  }

  /** Drops everything; what is loaded next may come from a replica that lacks the last changes. */
  expire(): void {
    this.#entries.clear();
    this.#loads.clear();
  }

  #read(key: string): Entry<Body> | undefined {
    this.reads += 1;
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#options.nowMs() - entry.loadedAtMs >= this.#options.maxAgeMs)
      return undefined;
    this.hits += 1;
    return entry;
  }

  #note(key: string): void {
    const { replica, nowMs } = this.#options;
    if (replica !== undefined) this.#knownAtMs.set(key, nowMs());
  }

  async #copy(key: string, load: CopyLoad<Body>, replica: CacheReplica): Promise<Loaded<Body>> {
    const throughMs = replica.freshThroughMs();
    let source: ReadSource = 'replica';
    if (this.#options.nowMs() - throughMs > this.#options.maxAgeMs * LAG_PART) source = 'lag';
    else if (throughMs < Math.max(this.#knownAtMs.get(key) ?? 0, this.#allKnownAtMs)) source = 'change';
    if (source === 'replica') {
      try {
        const body = await load(replica.database);
        replica.noteRead('replica');
        return { body, throughMs };
      } catch (error) {
        if (error instanceof Problem) throw error;
        // Its server is gone, or cancelled a read that was in the way of its replay.
        if (isDatabaseAway(error)) replica.noteFailure();
        source = 'failure';
      }
    }
    replica.noteRead(source);
    const loaded = await fromPrimary(() => load(null));
    this.#note(key);
    return loaded;
  }

  #load(
    client: GateClient,
    key: string,
    load: () => Promise<Loaded<Body>>,
  ): Promise<SerialisedReply<Body> | null> {
    const { gate, nowMs, keepsFailures = false } = this.#options;
    let throughMs: number | null = null;
    const serialised = async () => {
      const loaded = await load();
      throughMs = loaded.throughMs;
      return loaded.body === null ? null : serialise({ body: loaded.body });
    };
    return this.#loads.run(key, gate.of(client), serialised, (result) => {
      const loadedAtMs = throughMs ?? nowMs();
      if (result.status === 'fulfilled') this.#entries.set(key, { reply: result.value, loadedAtMs });
      else if (keepsFailures) this.#entries.set(key, { failure: result.reason, loadedAtMs });
    });
  }
}

/** A body with the time through which it is current; null for the end of its load. */
interface Loaded<Body> {
  body: Body | null;
  throughMs: number | null;
}

async function fromPrimary<Body>(load: () => Promise<Body | null>): Promise<Loaded<Body>> {
  return { body: await load(), throughMs: null };
}

function replyOf<Body>(entry: Entry<Body>): SerialisedReply<Body> | null {
  if ('failure' in entry) throw entry.failure;
  return entry.reply;
}

function present<Body>(reply: SerialisedReply<Body> | null, missing: ProblemCode): SerialisedReply<Body> {
  if (reply === null) throw new Problem(missing);
  return reply;
}
