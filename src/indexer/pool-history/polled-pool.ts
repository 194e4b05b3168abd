import type { IndexedPool } from './list-pools.ts';
import type { PoolReader } from './pool-reader.ts';
import { PoolSights, SETTLED_MS, type Sight, type SightVerdict } from './pool-sights.ts';

const FIRST_BACKOFF_MS = 50;
const LAST_BACKOFF_MS = 5_000;
/** A pool outside the sweeps is walked again after a twentieth of its quiet time, within these bounds. */
const QUIET_SHARE = 20;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;
/**
 * All pools outside the sweeps together cost the nodes at most 50 requests a second, while none has to wait
 * longer than 15 s.
 */
const PAUSE_PER_POOL_MS = 20;
/** After new transactions a pool is walked once more, to prove that none is missing. */
const RECHECK_MS = SETTLED_MS + 1_000;
/** Every pool is walked this often, whatever its account shows. Many pools make four walks a second. */
const WALK_EVERY_MS = 15 * 60_000;
const WALK_EVERY_PER_POOL_MS = 250;
const COVERED_MIN_MS = 10_000;
/** After this many requests a history no longer goes first. A burst that is read in blocks needs few. */
const URGENT_REQUESTS_MAX = 128;
const URGENT_SETBACKS_MAX = 2;

/** The parts of a reader that a polled pool uses. */
type PolledReader = Pick<PoolReader, 'step' | 'isWalking' | 'cursorSlot' | 'requestCount'>;

/** One pool with its reader, and the time of its next reading. */
export class PolledPool {
  /** The pool as last listed. */
  pool: IndexedPool;
  readonly addedAtMs: number;
  readonly sights = new PoolSights();
  /** Assigned once. Its requests are urgent while this pool is, so it is created after the pool. */
  reader!: PolledReader;
  dueAtMs: number;
  lastActiveAtMs: number;
  /** When a node last returned the pool's account. Null when none has. */
  sweptAtMs: number | null = null;
  /** When the next sweep is due, and the pause after it. */
  sweepAtMs: number;
  sweepEveryMs = 0;
  /** When the pool was last proven to be completely read. Null before the first proof. */
  provenAtMs: number | null = null;
  /** Consecutive steps without progress, and consecutive steps that threw. */
  setbacks = 0;
  failures = 0;
  /** Number of the pool's requests when its walk began. Null without a walk. */
  #requestsBefore: number | null = null;
  #isWalked = false;
  /** The current walk, or the last one. */
  #walk = { beganAtMs: 0, atLeastSlot: 0n };

  constructor(pool: IndexedPool, nowMs: number) {
    this.pool = pool;
    this.addedAtMs = nowMs;
    this.dueAtMs = nowMs;
    this.lastActiveAtMs = nowMs;
    this.sweepAtMs = nowMs;
  }

  /** True when a user may wait for the newest transactions. A long history is not urgent. */
  get isUrgent(): boolean {
    const requests = this.#requestsBefore === null ? 0 : this.reader.requestCount - this.#requestsBefore;
    return this.sights.isUrgent && this.setbacks <= URGENT_SETBACKS_MAX && requests < URGENT_REQUESTS_MAX;
  }

  /**
   * The sight from a wake-up. A swap of DAMM v1 may leave the pool's bytes unchanged, so for a pool that is
   * or may be in DAMM v1 the slot decides.
   */
  sightOf({ slot, hash }: { slot: bigint; hash: string }): Sight {
    const { venue } = this.pool;
    const tellsSwaps = venue !== 'damm_v1' && venue !== 'unknown';
    return { slot, hash: tellsSwaps ? hash : `slot ${slot}`, isExact: true };
  }

  /** Records a node's sight of the account. */
  see(sight: Sight, nowMs: number): SightVerdict {
    const verdict = this.sights.see(sight, nowMs);
    if (!sight.isExact) this.sweptAtMs = nowMs;
    if (verdict === 'quiet') this.provenAtMs = nowMs;
    // This is the first sight of the pool. A walk explains it once it is settled. A pool that was never
    // walked is due anyway.
    if (verdict === 'changed' && this.#isWalked && !this.sights.isUrgent)
      this.dueAtMs = Math.min(this.dueAtMs, nowMs + SETTLED_MS);
    return verdict;
  }

  /** Runs one step. The caller makes sure that no other step of this pool runs. */
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

  /** Called after a step that threw. */
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

  /** Whether sweeps see changes of the pool. */
  isCovered(nowMs: number): boolean {
    return this.sweptAtMs !== null && nowMs - this.sweptAtMs < this.#coveredMs;
  }

  /** When the pool is to be walked. A pool that sweeps no longer see does not wait for them. */
  walkAtMs(nowMs: number): number {
    if (this.sweptAtMs === null || this.isCovered(nowMs)) return this.dueAtMs;
    return Math.min(this.dueAtMs, this.sweptAtMs + this.#coveredMs);
  }

  /** A pool whose account no node has returned for this time is walked as if there were no sweep. */
  get #coveredMs(): number {
    return COVERED_MIN_MS + 3 * this.sweepEveryMs;
  }

  #retryLater(nowMs: number): void {
    this.setbacks += 1;
    this.dueAtMs = nowMs + Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.setbacks);
  }
}
