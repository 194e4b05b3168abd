import { BoundedMap } from '../shared/bounded-map.ts';
import { Problem } from '../shared/problem.ts';
import type { ProblemCode } from '../shared/problem-table.ts';
import { serialise } from './conditional-reads.ts';
import type { SerialisedReply } from './operation.ts';

interface Entry {
  /** Null: there is nothing under this key, and that is known. */
  reply: SerialisedReply | null;
  loadedAtMs: number;
}

export interface SerialisedCacheOptions {
  /** An entry is never served longer than this: what a lost invalidation can cost. */
  maxAgeMs: number;
  entriesMax: number;
  nowMs: () => number;
}

/**
 * Public reads as bytes with their ETag, serialised once per change. Concurrent loads of one key are one load;
 * a load that an invalidation overtakes is not kept. When full, the entries used least recently go first.
 */
export class SerialisedCache {
  readonly #entries: BoundedMap<string, Entry>;
  readonly #loads = new Map<string, Promise<SerialisedReply | null>>();
  readonly #options: SerialisedCacheOptions;
  /** Of `get`, for the metrics. */
  reads = 0;
  /** Reads that were served without a load. */
  hits = 0;

  constructor(options: SerialisedCacheOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.entriesMax);
  }

  /** The bytes under `key`; `load` returns the body, or null when there is nothing. */
  get(key: string, load: () => Promise<unknown>): SerialisedReply | null | Promise<SerialisedReply | null> {
    this.reads += 1;
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#options.nowMs() - entry.loadedAtMs < this.#options.maxAgeMs) {
      this.hits += 1;
      return entry.reply;
    }
    return this.#loads.get(key) ?? this.#load(key, load);
  }

  /** As `get`, but nothing is the problem `missing`. Without a promise when the bytes are here. */
  require(
    key: string,
    load: () => Promise<unknown>,
    missing: ProblemCode,
  ): SerialisedReply | Promise<SerialisedReply> {
    const reply = this.get(key, load);
    return reply instanceof Promise ? reply.then((late) => present(late, missing)) : present(reply, missing);
  }

  /** Forgets one key: its data changed. */
  drop(key: string): void {
    this.#entries.delete(key);
    this.#loads.delete(key);
  }

  /** Forgets everything, e.g. after a gap in the stream of invalidations. */
  clear(): void {
    this.#entries.clear();
    this.#loads.clear();
  }

  #load(key: string, load: () => Promise<unknown>): Promise<SerialisedReply | null> {
    const loading = load()
      .then((body) => {
        const reply = body === null ? null : serialise({ body });
        // Only the load that is still current may fill the entry: `drop` un-registers it.
        if (this.#loads.get(key) === loading) {
          this.#entries.set(key, { reply, loadedAtMs: this.#options.nowMs() });
        }
        return reply;
      })
      .finally(() => {
        if (this.#loads.get(key) === loading) this.#loads.delete(key);
      });
    this.#loads.set(key, loading);
    return loading;
  }
}

function present(reply: SerialisedReply | null, missing: ProblemCode): SerialisedReply {
  if (reply === null) throw new Problem(missing);
  return reply;
}
