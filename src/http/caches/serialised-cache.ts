import { BoundedMap } from '../../shared/bounded-map.ts';
import { type Gate, GateRefused } from '../../shared/gate.ts';
import { Problem } from '../../shared/problem.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
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
}

/**
 * Public reads as bytes with their ETag, serialised once per change. Concurrent loads of one key are one
 * load; a load that an invalidation overtakes is not kept. A full cache drops its least recently used
 * entries.
 */
export class SerialisedCache<Body = unknown> {
  readonly #entries: BoundedMap<string, Entry<Body>>;
  readonly #loads = new SingleFlight<SerialisedReply<Body> | null>();
  readonly #options: SerialisedCacheOptions;
  /** Calls of `get`, for the metrics. */
  reads = 0;
  /** Reads that needed no load. */
  hits = 0;

  constructor(options: SerialisedCacheOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.entriesMax);
  }

  /**
   * Returns the bytes under `key`; `load` returns the body, or null when there is nothing. Throws a kept
   * failure.
   */
  get(
    key: string,
    load: () => Promise<Body | null>,
  ): SerialisedReply<Body> | null | Promise<SerialisedReply<Body> | null> {
    this.reads += 1;
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#options.nowMs() - entry.loadedAtMs < this.#options.maxAgeMs) {
      this.hits += 1;
      if ('failure' in entry) throw entry.failure;
      return entry.reply;
    }
    return this.#load(key, load);
  }

  /** As `get`, but throws the problem `missing` for null. Returns no promise when the bytes are cached. */
  require(
    key: string,
    load: () => Promise<Body | null>,
    missing: ProblemCode,
  ): SerialisedReply<Body> | Promise<SerialisedReply<Body>> {
    const reply = this.get(key, load);
    return reply instanceof Promise ? reply.then((late) => present(late, missing)) : present(reply, missing);
  }

  /** Drops one key, because its data changed. */
  drop(key: string): void {
    this.#entries.delete(key);
    this.#loads.drop(key);
  }

  /** Drops everything, e.g. after a gap in the stream of invalidations. */
  clear(): void {
    this.#entries.clear();
    this.#loads.clear();
  }

  #load(key: string, load: () => Promise<Body | null>): Promise<SerialisedReply<Body> | null> {
    const { gate, nowMs, keepsFailures = false } = this.#options;
    const serialised = async () => {
      const body = await gate.run(load);
      return body === null ? null : serialise({ body });
    };
    return this.#loads.run(key, serialised, (result) => {
      const loadedAtMs = nowMs();
      if (result.status === 'fulfilled') this.#entries.set(key, { reply: result.value, loadedAtMs });
      // A refusal of the gate does not concern this key.
      else if (keepsFailures && !(result.reason instanceof GateRefused))
        this.#entries.set(key, { failure: result.reason, loadedAtMs });
    });
  }
}

function present<Body>(reply: SerialisedReply<Body> | null, missing: ProblemCode): SerialisedReply<Body> {
  if (reply === null) throw new Problem(missing);
  return reply;
}
