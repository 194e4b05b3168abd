/** From `slot` (begun at `unixMs`) on, one slot takes `slotMs`; 0 = the slots all share one instant. */
export interface ClockSegment {
  readonly slot: bigint;
  readonly unixMs: number;
  readonly slotMs: number;
}

const MAX_SEGMENTS = 1_000;

/**
 * Maps slots to wall time and back. Each change of pace adds a segment, newest last, so that block times of the past
 * stay the same.
 */
export class SlotClock {
  readonly segments: ClockSegment[];

  constructor(segments: readonly ClockSegment[]) {
    this.segments = [...segments];
  }

  /** Begin of a slot in Unix milliseconds; slots before the first segment are extended backwards. */
  unixMsOf(slot: bigint): number {
    const segment = this.segments.findLast((s) => s.slot <= slot) ?? this.#first;
    return segment.unixMs + Number(slot - segment.slot) * segment.slotMs;
  }

  /** The slot that is current at a moment under the newest segment. */
  slotAt(unixMs: number): bigint {
    const { slot, unixMs: startMs, slotMs } = this.newest;
    if (slotMs === 0) return slot;
    return slot + BigInt(Math.max(0, Math.floor((unixMs - startMs) / slotMs)));
  }

  /** The slot that was current at a moment of the past. */
  slotThen(unixMs: number): bigint {
    const index = this.segments.findLastIndex((segment) => segment.unixMs <= unixMs);
    const { slot, unixMs: startMs, slotMs } = this.segments[index] ?? this.#first;
    if (slotMs === 0) return slot;
    const reached = slot + BigInt(Math.floor((unixMs - startMs) / slotMs));
    const next = this.segments[index + 1]?.slot;
    return index >= 0 && next !== undefined && reached > next ? next : reached;
  }

  /** Continues from a slot with another pace. */
  push(segment: ClockSegment): void {
    this.segments.push(segment);
    if (this.segments.length > MAX_SEGMENTS) this.segments.shift();
  }

  get newest(): ClockSegment {
    return this.segments.at(-1) ?? this.#first;
  }

  get #first(): ClockSegment {
    const segment = this.segments[0];
    if (segment === undefined) throw new Error('a slot clock needs a segment');
    return segment;
  }
}
