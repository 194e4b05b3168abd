import type { Database } from '../../db/client.ts';
import { isDatabaseAway } from '../../db/failure.ts';
import type { ReadReplica } from '../../db/replica.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { Problem } from '../../shared/problem.ts';

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
export type ReplicaLoad<Body> = (replica: Database | null) => Promise<Body | null>;

/** The replica may be as old as this part of the age that an entry may have. */
const LAG_PART = 0.5;

/** What a load returned. */
interface LoadResult<Body> {
  body: Body | null;
  /** The body is current through this time; null for the time of the load itself. */
  throughMs: number | null;
}

interface ReplicaLoadOptions {
  maxAgeMs: number;
  entriesMax: number;
  nowMs: () => number;
}

/** Loads of one cache that a replica may serve, and since when it must know a key. */
export class ReplicaLoads<Body> {
  readonly #replica: CacheReplica;
  readonly #options: ReplicaLoadOptions;
  /** By key: a state as of this time was shown, announced or asked for, so that no older one may follow. */
  readonly #knownAtMs: BoundedMap<string, number>;
  #allKnownAtMs = Number.NEGATIVE_INFINITY;

  constructor(replica: CacheReplica, options: ReplicaLoadOptions) {
    this.#replica = replica;
    this.#options = options;
    this.#knownAtMs = new BoundedMap(options.entriesMax);
  }

  /** From now on a replica serves this key only when it shows what is there now. */
  note(key: string): void {
    this.#knownAtMs.set(key, this.#options.nowMs());
  }

  noteAll(): void {
    this.#allKnownAtMs = this.#options.nowMs();
  }

  async load(key: string, load: ReplicaLoad<Body>): Promise<LoadResult<Body>> {
    const replica = this.#replica;
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
    const loaded = await fromPrimary(load);
    this.note(key);
    return loaded;
  }
}

export async function fromPrimary<Body>(load: ReplicaLoad<Body>): Promise<LoadResult<Body>> {
  return { body: await load(null), throughMs: null };
}
