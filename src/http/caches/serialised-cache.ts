import { BoundedMap } from '../../shared/bounded-map.ts';
import { Problem } from '../../shared/problem.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { serialise } from '../responses/conditional-reads.ts';
import type { SerialisedReply } from '../route.ts';
import { type LoadGate, LoadRefused } from './load-gate.ts';

/** What a load came to. */
type Entry = { loadedAtMs: number } & (
  | {
      /** Null: there is nothing under this key, and that is known. */
      reply: SerialisedReply | null;
    }
  | { failure: unknown }
);

export interface SerialisedCacheOptions {
  /** An entry is never served longer than this: what a lost invalidation can cost. */
  maxAgeMs: number;
  entriesMax: number;
  nowMs: () => number;
  /** Every load passes through it: no cache adds to what can be loaded at once. */
  gate: LoadGate;
  /** A load that failed is not repeated within `maxAgeMs` either: for loads that cost much before they fail. */
  keepsFailures?: boolean;
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

  /** The bytes under `key`; `load` returns the body, or null when there is nothing. Throws a failure that is kept. */
  get(key: string, load: () => Promise<unknown>): SerialisedReply | null | Promise<SerialisedReply | null> {
    this.reads += 1;
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#options.nowMs() - entry.loadedAtMs < this.#options.maxAgeMs) {
      this.hits += 1;
      if ('failure' in entry) throw entry.failure;
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
    const { gate, nowMs, keepsFailures = false } = this.#options;
    // Only the load that is still current may fill the entry: `drop` un-registers it.
    const settle = (entry: Entry | null) => {
      if (this.#loads.get(key) !== loading) return;
      this.#loads.delete(key);
      if (entry !== null) this.#entries.set(key, entry);
    };
    const loading = gate.run(load).then(
      (body) => {
        const reply = body === null ? null : serialise({ body });
        settle({ reply, loadedAtMs: nowMs() });
        return reply;
      },
      (failure) => {
        // A refusal says nothing about this key.
        const isKept = keepsFailures && !(failure instanceof LoadRefused);
        settle(isKept ? { failure, loadedAtMs: nowMs() } : null);
        throw failure;
      },
    );
    this.#loads.set(key, loading);
    return loading;
  }
}

function present(reply: SerialisedReply | null, missing: ProblemCode): SerialisedReply {
  if (reply === null) throw new Problem(missing);
  return reply;
}
