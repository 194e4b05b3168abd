import { fastestOf, slowestOf } from '../pace/chain-pace.ts';
import { PaceHistory } from '../pace/pace-history.ts';
import { type PaceBounds, protocolBounds } from '../pace/protocol.ts';
import { ClimbLimit } from './climb-limit.ts';

/** The position of a node at commitment `confirmed`. */
export interface ChainPosition {
  slot: bigint;
  blockHeight: bigint;
}

/** An older reading does not describe the chain now. */
export const FRESH_MS = 10_000;
/**
 * A node that has not responded for this long is gone: nothing waits for it any more. A believed height that
 * no node reaches is forgotten after the same time.
 */
const GONE_AFTER_MS = 600_000;
/**
 * A node that is not where it says refuses this often in a row, for this long. One behind a balancer answers
 * in between.
 */
const REFUSALS_MIN = 3;
const REFUSED_FOR_MS = 2_000;
/** Then what it says of its slot does not count for this long. */
const DISPROVEN_MS = 60_000;

/** A position and the time of its reading. */
export type DatedPosition = ChainPosition & { atMs: number };

/**
 * Why a reading is not believed:
 * - `too_fast`: no chain within the bounds of the protocol climbs as far since the last believed reading.
 * - `ahead`: the other nodes are far behind it.
 */
export type DoubtReason = 'too_fast' | 'ahead';

/** The positions that a node has reported, which of them are believed, and the pace that they show. */
export class PositionHistory {
  readonly bounds: PaceBounds;
  readonly pace = new PaceHistory();
  /** Number of readings, and of reported paces, that were not believed. */
  readonly ignored: Record<DoubtReason | 'pace', number> = { too_fast: 0, ahead: 0, pace: 0 };
  /** Why the newest reading was ignored. Null when it was not. */
  doubt: DoubtReason | null = null;
  /** How the newest pace that the node reported is outside the bounds of the protocol. Null when it is within them. */
  paceDoubt: 'fast' | 'slow' | null = null;
  #latest: DatedPosition | null = null;
  #highest: DatedPosition | null = null;
  #silentSinceMs: number | null = null;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #climbedAtMs = 0;
  #reached: bigint | null = null;
  #refusals: { count: number; sinceMs: number } | null = null;
  #disproven: { slot: bigint; atMs: number } | null = null;
  readonly #limits = { slot: new ClimbLimit(), blockHeight: new ClimbLimit() };

  constructor(bounds: PaceBounds = protocolBounds) {
    this.bounds = bounds;
  }

  /** The newest reading, believed or not, while it is fresh. */
  latest(now: Date): DatedPosition | null {
    const { atMs = 0 } = this.#latest ?? {};
    return now.getTime() - atMs <= FRESH_MS ? this.#latest : null;
  }

  /** The newest reading, believed or not, however old. */
  get last(): DatedPosition | null {
    return this.#latest;
  }

  /**
   * The highest believed reading: the chain has come at least this far. When no node reaches it for ten
   * minutes, the next reading replaces it, because a cluster that is restarted may continue from an earlier
   * slot.
   */
  get highest(): DatedPosition | null {
    return this.#highest;
  }

  /**
   * The slot as of which answers of the chain are current by this node: its highest believed one. Null before there is
   * one, and while the node does not answer as of the slot that it claims.
   */
  get reached(): bigint | null {
    return this.#reached;
  }

  get hasBelieved(): boolean {
    return this.#highest !== null;
  }

  /** Records a reading, or null for a request that got no response. */
  record(reading: ChainPosition | null, now: Date): void {
    this.#askedAtMs = now.getTime();
    if (reading === null) {
      this.#silentSinceMs ??= now.getTime();
      return;
    }
    this.#silentSinceMs = null;
    if (reading.slot > (this.#latest?.slot ?? -1n)) this.#climbedAtMs = now.getTime();
    this.#latest = { ...reading, atMs: now.getTime() };
  }

  /** Whether the node responds with slots that grow. One that has stopped says nothing about the others. */
  isClimbing(now: Date): boolean {
    return this.latest(now) !== null && now.getTime() - this.#climbedAtMs <= FRESH_MS;
  }

  /** Whether a request for the position has ended within this time, with or without a response. */
  wasAskedWithin(durationMs: number, now: Date): boolean {
    return now.getTime() - this.#askedAtMs < durationMs;
  }

  isGone(now: Date): boolean {
    return this.#silentSinceMs !== null && now.getTime() - this.#silentSinceMs >= GONE_AFTER_MS;
  }

  /** Whether the node has refused to answer as of the slot that it claims, and claims it still. */
  isDisproven(now: Date): boolean {
    return this.#disproven !== null && now.getTime() - this.#disproven.atMs < DISPROVEN_MS;
  }

  /** The node answered a request as of a slot that is current. */
  answered(): void {
    this.#refusals = null;
  }

  /** The node refused to answer as of this slot. It may say truly that it is behind: then nothing follows. */
  refused(slot: bigint, now: Date): void {
    const claimed = this.latest(now)?.slot ?? 0n;
    if (claimed < slot && (this.#reached ?? 0n) < slot) return;
    const { count, sinceMs } = this.#refusals ?? { count: 0, sinceMs: now.getTime() };
    this.#refusals = { count: count + 1, sinceMs };
    if (count + 1 < REFUSALS_MIN || now.getTime() - sinceMs < REFUSED_FOR_MS) return;
    this.#disproven = { slot, atMs: now.getTime() };
    this.#reached = null;
    this.#refusals = null;
  }

  /** Whether the node can have reached this position since its last believed one, at this pace. */
  canReach({ slot, blockHeight }: ChainPosition, now: Date, perSecond: number): boolean {
    // Both are asked, because each notices a clock that is set back.
    const doSlotsFit = this.#limits.slot.allows(slot, now, perSecond);
    const doBlocksFit = this.#limits.blockHeight.allows(blockHeight, now, perSecond);
    return doSlotsFit && doBlocksFit;
  }

  /** Believes a reading that the node can have reached at this pace, or that another node corroborates. */
  believe({ slot, blockHeight }: ChainPosition, now: Date, perSecond: number): void {
    this.doubt = null;
    const atMs = now.getTime();
    const highest = this.#highest;
    if (highest === null || blockHeight >= highest.blockHeight || atMs - highest.atMs >= GONE_AFTER_MS) {
      this.#highest = { slot, blockHeight, atMs };
      this.#reached = slot;
    }
    // It has come down from what was disproven.
    if (this.#disproven !== null && slot < this.#disproven.slot) this.#disproven = null;
    if (this.isDisproven(now)) this.#reached = null;
    else if (this.#reached === null || slot > this.#reached) this.#reached = slot;
    this.#limits.slot.take(slot, now, perSecond);
    this.#limits.blockHeight.take(blockHeight, now, perSecond);
  }

  /** Takes the pace that the node reports of itself, in slots a second, unless no chain has it. */
  recordSample(slotsPerSecond: number, now: Date): void {
    const isSlow = slotsPerSecond < slowestOf(this.bounds);
    this.paceDoubt = slotsPerSecond > fastestOf(this.bounds) ? 'fast' : isSlow ? 'slow' : null;
    if (this.paceDoubt === null) this.pace.recordSample(slotsPerSecond, now);
    else this.ignored.pace += 1;
  }

  ignore(reason: DoubtReason): void {
    this.doubt = reason;
    this.ignored[reason] += 1;
  }
}
