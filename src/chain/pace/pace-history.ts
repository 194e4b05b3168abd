import type { Rates } from './chain-pace.ts';

/** A reading of a node, without the trust in it. */
interface PacedReading {
  slot: bigint;
  blockHeight: bigint;
}

/** A pace over less time says more about the moment of two requests than about the chain. */
const SPAN_MIN_MS = 10_000;
/** Long enough for whole rotations of leaders, short enough that a gate shows within a minute. */
const SPAN_MAX_MS = 60_000;
const SPACING_MS = 1_000;
/** A pace that was known before may have changed: each node samples its own once a minute. */
export const RECENT_MS = 120_000;

/**
 * The pace of one node, from its readings of the last minute. The last measured pace stays while there are too few
 * readings, for example after a pause.
 */
export class PaceHistory {
  readonly #readings: (PacedReading & { atMs: number })[] = [];
  #measured: Rates | null = null;
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  #sample: Rates | null = null;
  #sampledAtMs = Number.NEGATIVE_INFINITY;

  /** The pace by readings of this process, however old. Null before there were enough. */
  get measured(): Rates | null {
    return this.#measured;
  }

  /** The pace by recent readings of this process, else by the node's own sample. Null if neither is known. */
  get rates(): Rates | null {
    const sinceMs = this.knownAtMs - RECENT_MS;
    return this.measuredSince(sinceMs) ?? this.sampledSince(sinceMs);
  }

  /** When the pace was last measured or sampled, in Unix milliseconds. */
  get knownAtMs(): number {
    return Math.max(this.#measuredAtMs, this.#sampledAtMs);
  }

  measuredSince(sinceMs: number): Rates | null {
    return this.#measuredAtMs >= sinceMs ? this.#measured : null;
  }

  sampledSince(sinceMs: number): Rates | null {
    return this.#sampledAtMs >= sinceMs ? this.#sample : null;
  }

  /** A sample of the node itself, which counts while this process does not measure. */
  recordSample(slotsPerSecond: number, now: Date): void {
    this.#sampledAtMs = now.getTime();
    // A node does not say how many of the slots have a block, and a pace that is too fast is the safe side.
    this.#sample = { slotsPerSecond, blocksPerSecond: slotsPerSecond };
  }

  /**
   * Records a reading that nothing contradicts. A lower reading than before comes from a node that lags, and
   * is ignored. The history begins anew after a pause, after a restart of the cluster from an earlier slot,
   * and when the clock is set back.
   */
  record({ slot, blockHeight }: PacedReading, now: Date): void {
    const atMs = now.getTime();
    const newest = this.#readings.at(-1);
    if (newest !== undefined) {
      const sinceMs = atMs - newest.atMs;
      if (sinceMs < 0 || sinceMs > SPAN_MAX_MS) this.#readings.length = 0;
      else if (slot < newest.slot || blockHeight < newest.blockHeight || sinceMs < SPACING_MS) return;
    }
    this.#readings.push({ slot, blockHeight, atMs });
    while (atMs - (this.#readings[0]?.atMs ?? atMs) > SPAN_MAX_MS) this.#readings.shift();
    this.#measure();
  }

  #measure(): void {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < SPAN_MIN_MS) return;
    const seconds = (last.atMs - first.atMs) / 1_000;
    this.#measuredAtMs = last.atMs;
    this.#measured = {
      slotsPerSecond: Number(last.slot - first.slot) / seconds,
      blocksPerSecond: Number(last.blockHeight - first.blockHeight) / seconds,
    };
  }
}
