import { type AccountState, type AccountStates, SETTLED_MS, type StateVerdict } from './account-states.ts';
import type { IndexedPool } from './list-pools.ts';
import type { PoolReader } from './pool-reader.ts';
import type { RequestPriority } from './request-priority.ts';

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

export interface PolledPoolParts {
  /** The pool as last listed. */
  pool: IndexedPool;
  states: AccountStates;
  priority: RequestPriority;
  /** Its requests have `priority`. */
  reader: Pick<PoolReader, 'step' | 'isWalking' | 'cursorSlot'>;
}

/** One pool with its reader, and the time of its next reading. */
export class PolledPool {
  pool: IndexedPool;
  readonly states: AccountStates;
  readonly priority: RequestPriority;
  readonly #reader: PolledPoolParts['reader'];
  readonly addedAtMs: number;
  dueAtMs: number;
  lastActiveAtMs: number;
  /** When a node last returned the pool's account. Null when none has. */
  sweptAtMs: number | null = null;
  /** When the next sweep is due, and the pause after it. */
  sweepAtMs: number;
  sweepEveryMs = 0;
  /** When the pool was last proven to be completely read. Null before the first proof. */
  provenAtMs: number | null = null;
  /** Consecutive steps that threw. */
  failures = 0;
  #isWalked = false;
  /** The current walk, or the last one. */
  #walk = { beganAtMs: 0, atLeastSlot: 0n };

  constructor({ pool, states, priority, reader }: PolledPoolParts, nowMs: number) {
    this.pool = pool;
    this.states = states;
    this.priority = priority;
    this.#reader = reader;
    this.addedAtMs = nowMs;
    this.dueAtMs = nowMs;
    this.lastActiveAtMs = nowMs;
    this.sweepAtMs = nowMs;
  }

  /**
   * The account's state after a wake-up. A swap of DAMM v1 may leave the pool's bytes unchanged, so for a
   * pool that is or may be in DAMM v1 the slot decides.
   */
  stateAfter({ slot, hash }: { slot: bigint; hash: string }): AccountState {
    const { venue } = this.pool;
    const bytesShowSwaps = venue !== 'damm_v1' && venue !== 'unknown';
    return { slot, hash: bytesShowSwaps ? hash : `slot ${slot}`, isExact: true };
  }

  /** Records a state of the account that a node returned. */
  observe(state: AccountState, nowMs: number): StateVerdict {
    const verdict = this.states.observe(state, nowMs);
    if (!state.isExact) this.sweptAtMs = nowMs;
    if (verdict === 'quiet') this.provenAtMs = nowMs;
    // This is the first state of the account. A walk explains it once it is settled. A pool that was never
    // walked is due anyway.
    if (verdict === 'changed' && this.#isWalked && !this.states.isUrgent)
      this.dueAtMs = Math.min(this.dueAtMs, nowMs + SETTLED_MS);
    return verdict;
  }

  /** Runs one step. The caller makes sure that no other step of this pool runs. */
  async step(poolCount: number, nowMs: () => number): Promise<void> {
    const { wantedSlot } = this.states;
    if (!this.#reader.isWalking) this.#walk = { beganAtMs: nowMs(), atLeastSlot: wantedSlot };
    const outcome = await this.#reader.step(wantedSlot);
    this.failures = 0;
    if (outcome === 'more') this.lastActiveAtMs = nowMs();
    if (outcome === 'later') {
      this.states.recordMiss();
      this.#retryLater(nowMs());
    } else if (outcome === 'more' && this.#reader.isWalking) {
      this.priority.setbacks = 0;
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
    this.priority.requestCount = 0;
    const { cursorSlot } = this.#reader;
    const isEnough = this.states.endWalk({ beganAtMs, atLeastSlot, hasNews, cursorSlot });
    if (!hasNews && !this.states.isWalkWanted) this.provenAtMs = nowMs;
    if (!isEnough && !hasNews) {
      this.#retryLater(nowMs);
      return;
    }
    this.priority.setbacks = 0;
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

  /** Whether sweeps notice changes of the pool. */
  isCovered(nowMs: number): boolean {
    return this.sweptAtMs !== null && nowMs - this.sweptAtMs < this.#coveredMs;
  }

  /** When the pool is to be walked. A pool whose account sweeps no longer return does not wait for them. */
  walkAtMs(nowMs: number): number {
    if (this.sweptAtMs === null || this.isCovered(nowMs)) return this.dueAtMs;
    return Math.min(this.dueAtMs, this.sweptAtMs + this.#coveredMs);
  }

  /** After this time without its account a pool is walked as if there were no sweep. */
  get #coveredMs(): number {
    return COVERED_MIN_MS + 3 * this.sweepEveryMs;
  }

  #retryLater(nowMs: number): void {
    this.priority.setbacks += 1;
    this.dueAtMs = nowMs + Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.priority.setbacks);
  }
}
