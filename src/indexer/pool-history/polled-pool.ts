import type { IndexedPool } from './list-pools.ts';
import type { PoolReader } from './pool-reader.ts';
import { PoolSights, SETTLED_MS, type Sight, type SightVerdict } from './pool-sights.ts';

const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 5_000;
/** A pool that no sweep covers is walked again after a twentieth of the time it has been quiet, within these bounds. */
const QUIET_SHARE = 20;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;
/** Uncovered pools together cost the nodes at most 50 requests a second, as long as none has to wait longer than 15 s. */
const PAUSE_PER_POOL_MS = 20;
/** After news a pool is walked once more, which proves that nothing is missing. */
const RECHECK_MS = SETTLED_MS + 1_000;
/** Every pool is walked this often, whatever is said of its account; with many pools four a second. */
const WALK_EVERY_MS = 15 * 60_000;
const WALK_EVERY_PER_POOL_MS = 250;
const COVERED_MIN_MS = 10_000;
/** A history that has cost this many requests no longer goes before the others. A burst read in blocks costs few. */
const URGENT_REQUESTS_MAX = 128;
const URGENT_SETBACKS_MAX = 2;

/** What a pool is read with. */
type PolledReader = Pick<PoolReader, 'step' | 'isWalking' | 'cursorSlot' | 'requestCount'>;

/** One pool with its reader, and when it is to be read next. */
export class PolledPool {
  /** As it was last listed. */
  pool: IndexedPool;
  readonly addedAtMs: number;
  readonly sights = new PoolSights();
  /** Assigned once: it is made with requests that are urgent while this pool is. */
  reader!: PolledReader;
  dueAtMs: number;
  lastActiveAtMs: number;
  /** When a node last served its account; null where none has. */
  sweptAtMs: number | null = null;
  /** When the next sweep is due, and how long after the last. */
  sweepAtMs: number;
  sweepEveryMs = 0;
  /** When it was last proven that nothing was unread; null before. */
  provenAtMs: number | null = null;
  /** Consecutive steps that made no progress, and that threw. */
  setbacks = 0;
  failures = 0;
  /** Requests of the pool when its walk began; null while there is none. */
  #requestsBefore: number | null = null;
  #isWalked = false;
  /** The walk that runs, or the last one. */
  #walk = { beganAtMs: 0, atLeastSlot: 0n };

  constructor(pool: IndexedPool, nowMs: number) {
    this.pool = pool;
    this.addedAtMs = nowMs;
    this.dueAtMs = nowMs;
    this.lastActiveAtMs = nowMs;
    this.sweepAtMs = nowMs;
  }

  /** Someone waits for what just happened here; a long history is read along the way. */
  get isUrgent(): boolean {
    const requests = this.#requestsBefore === null ? 0 : this.reader.requestCount - this.#requestsBefore;
    return this.sights.isUrgent && this.setbacks <= URGENT_SETBACKS_MAX && requests < URGENT_REQUESTS_MAX;
  }

  /**
   * What a wake-up shows. A swap of DAMM v1 may leave the pool's bytes as they were: there, and where the pool may be one, it is the
   * slot that is news.
   */
  sightOf({ slot, hash }: { slot: bigint; hash: string }): Sight {
    const { venue } = this.pool;
    const tellsSwaps = venue !== 'damm_v1' && venue !== 'unknown';
    return { slot, hash: tellsSwaps ? hash : `slot ${slot}`, isExact: true };
  }

  /** Takes what a node showed of the account. */
  see(sight: Sight, nowMs: number): SightVerdict {
    const verdict = this.sights.see(sight, nowMs);
    if (!sight.isExact) this.sweptAtMs = nowMs;
    if (verdict === 'quiet') this.provenAtMs = nowMs;
    // The first sight of a pool: a walk explains it once it is settled. A pool that was never walked is due by itself.
    if (verdict === 'changed' && this.#isWalked && !this.sights.isUrgent)
      this.dueAtMs = Math.min(this.dueAtMs, nowMs + SETTLED_MS);
    return verdict;
  }

  /** Reads one step. The caller has seen to it that no other step of this pool runs. */
  async step(poolCount: number, nowMs: () => number): Promise<void> {
    if (!this.reader.isWalking) this.#walk = { beganAtMs: nowMs(), atLeastSlot: this.sights.wantedSlot };
    this.#requestsBefore ??= this.reader.requestCount;
    const outcome = await this.reader.step(this.sights.wantedSlot);
    const { reader, sights } = this;
    this.failures = 0;
    if (outcome === 'more') this.lastActiveAtMs = nowMs();
    if (outcome === 'later') {
      sights.miss();
      this.#retryLater(nowMs());
    } else if (outcome === 'more' && reader.isWalking) {
      this.setbacks = 0;
      this.dueAtMs = nowMs();
    } else this.#endWalk(outcome === 'more', poolCount, nowMs());
  }

  /** After a step that threw. */
  fail(nowMs: number): void {
    this.failures += 1;
    this.#retryLater(nowMs);
  }

  #endWalk(hasNews: boolean, poolCount: number, nowMs: number): void {
    const { beganAtMs, atLeastSlot } = this.#walk;
    this.#isWalked = true;
    this.#requestsBefore = null;
    const { cursorSlot } = this.reader;
    const isEnough = this.sights.endWalk({ beganAtMs, atLeastSlot, hasNews, cursorSlot });
    if (!hasNews && !this.sights.isWanted) this.provenAtMs = nowMs;
    if (!isEnough && !hasNews) {
      this.#retryLater(nowMs);
      return;
    }
    this.setbacks = 0;
    this.dueAtMs = isEnough ? nowMs + this.#pauseMs(hasNews, beganAtMs, poolCount, nowMs) : nowMs;
  }

  #pauseMs(hasNews: boolean, walkBeganAtMs: number, poolCount: number, nowMs: number): number {
    if (this.isCovered(nowMs)) {
      const isChecked = walkBeganAtMs - this.lastActiveAtMs >= SETTLED_MS;
      return isChecked ? Math.max(WALK_EVERY_MS, poolCount * WALK_EVERY_PER_POOL_MS) : RECHECK_MS;
    }
    if (hasNews) return 0;
    const longestMs = Math.min(LAST_PAUSE_MS, poolCount * PAUSE_PER_POOL_MS);
    return Math.max(FIRST_PAUSE_MS, Math.min(longestMs, (nowMs - this.lastActiveAtMs) / QUIET_SHARE));
  }

  /** Whether sweeps see what happens to it. */
  isCovered(nowMs: number): boolean {
    return this.sweptAtMs !== null && nowMs - this.sweptAtMs < this.#coveredMs;
  }

  /** When it is to be walked; a pool that sweeps have lost sight of no longer waits for them. */
  walkAtMs(nowMs: number): number {
    if (this.sweptAtMs === null || this.isCovered(nowMs)) return this.dueAtMs;
    return Math.min(this.dueAtMs, this.sweptAtMs + this.#coveredMs);
  }

  /** A pool whose account no node has served for this time is walked as if there were no sweep. */
  get #coveredMs(): number {
    return COVERED_MIN_MS + 3 * this.sweepEveryMs;
  }

  #retryLater(nowMs: number): void {
    this.setbacks += 1;
    this.dueAtMs = nowMs + Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.setbacks);
  }
}
