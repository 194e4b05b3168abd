import { type Hint, hints } from '../../shared/bus/topology.ts';
import type { ReadGates } from './read-gates.ts';
import type { CacheReplica } from './replica-loads.ts';
import { SerialisedCache, type SerialisedCacheOptions } from './serialised-cache.ts';

/** What a hint makes stale: the entry under its payload, all entries a few times a second, or all at once. */
type Drop = 'key' | 'ages' | 'all';

export interface CacheOptions
  extends Pick<SerialisedCacheOptions, 'maxAgeMs' | 'staleMaxMs' | 'entriesMax' | 'keepsFailures'> {
  gate: keyof ReadGates;
  /** Hints that say that entries are stale. A cache without any is left to age. */
  drops?: Partial<Readonly<Record<Hint, Drop>>>;
  /** Keeps entries when the others are forgotten: for reads of the chain, which no hint announces. */
  keepsOverGap?: boolean;
}

/** Something beside a cache that follows hints. */
export interface HintFollower {
  hint: Hint;
  onHint(payload: string): void;
  /** Hints may have been missed, or a token was hidden. */
  onGap?(): void;
}

/**
 * The caches of the api and what drops their entries. Every anonymous read is loaded through one of them, and
 * each cache through a gate.
 */
export class CacheRegistry {
  readonly #gates: ReadGates;
  readonly #replica: CacheReplica | undefined;
  readonly #followers: HintFollower[] = [];
  readonly #caches = new Map<string, SerialisedCache>();
  readonly #forgetful: SerialisedCache[] = [];

  /** The clock of every cache, in milliseconds. */
  nowMs = () => performance.now();

  constructor(gates: ReadGates, replica?: CacheReplica) {
    this.#gates = gates;
    this.#replica = replica;
  }

  /** Makes a cache. Its name is a label of its metrics. */
  open<Body>(
    name: string,
    { gate, drops = {}, keepsOverGap = false, ...options }: CacheOptions,
  ): SerialisedCache<Body> {
    const cache = new SerialisedCache<Body>({
      ...options,
      gate: this.#gates[gate],
      nowMs: () => this.nowMs(),
      replica: this.#replica,
    });
    this.#caches.set(name, cache);
    if (!keepsOverGap) this.#forgetful.push(cache);
    for (const hint of Object.values(hints)) {
      const drop = drops[hint];
      if (drop !== undefined) this.follow({ hint, onHint: dropOf(cache, drop) });
    }
    return cache;
  }

  /** Adds something that follows hints like a cache. */
  follow(follower: HintFollower): void {
    this.#followers.push(follower);
  }

  /** Follows a hint. */
  hear(hint: Hint, payload: string): void {
    for (const follower of this.#followers) if (follower.hint === hint) follower.onHint(payload);
  }

  /** Forgets all that could have changed: hints may have been missed, or a token was hidden. */
  forget(): void {
    for (const cache of this.#forgetful) cache.clear();
    for (const follower of this.#followers) follower.onGap?.();
  }

  /** By name, for the metrics. */
  get all(): ReadonlyMap<string, SerialisedCache> {
    return this.#caches;
  }
}

function dropOf(cache: SerialisedCache, drop: Drop): (payload: string) => void {
  switch (drop) {
    case 'key':
      return (payload) => cache.drop(payload);
    case 'ages':
      return () => cache.expire();
    case 'all':
      return () => cache.dropAll();
  }
}
