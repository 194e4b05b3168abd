import { Wakeup } from '../../shared/loop.ts';
import type { AccountState, StateVerdict } from './account-states.ts';
import type { PolledPool } from './polled-pool.ts';

/**
 * While pools are due that no wake-up announced, one of this many walks goes to them, so that they are never
 * starved.
 */
const DUE_SHARE = 4;
/** Time between two searches for due pools among all pools. */
const SEARCH_EVERY_MS = 50;
/** After this time a list of due pools is made again, even if pools are left on it. */
const OUTDATED_MS = 2_000;

/**
 * Decides which pool is read next: woken pools in the order of their wake-ups, and between them the due
 * pools, longest first.
 */
export class WalkQueue {
  /** Wakes the reading loop when a pool may be taken earlier than `nextAtMs` says. */
  readonly changed = new Wakeup();
  readonly #pools: ReadonlyMap<string, PolledPool>;
  /** A set, so that it never has more entries than there are pools. */
  readonly #woken = new Set<PolledPool>();
  #due: PolledPool[] = [];
  #searchedAtMs = Number.NEGATIVE_INFINITY;
  #nextDueAtMs = 0;
  #wokenInRow = 0;

  constructor(pools: ReadonlyMap<string, PolledPool>) {
    this.#pools = pools;
  }

  get wokenCount(): number {
    return this.#woken.size;
  }

  /** Records a state of the pool's account. A changed pool that is urgent goes before the due ones. */
  observe(pool: PolledPool, state: AccountState, nowMs: number): StateVerdict {
    const verdict = pool.observe(state, nowMs);
    if (verdict === 'changed') this.returnPool(pool);
    return verdict;
  }

  /** Called after a step as well: a pool that is still urgent goes to the end of the woken ones. */
  returnPool(pool: PolledPool): void {
    if (pool.states.isUrgent) this.#woken.add(pool);
    this.changed.wake();
  }

  /** Takes the next pool that is not running. Takes only a woken one while `ordinaryMax` others run. */
  take(
    running: ReadonlyMap<PolledPool, unknown>,
    nowMs: number,
    ordinaryMax: number,
  ): PolledPool | undefined {
    let ordinaryCount = 0;
    for (const pool of running.keys()) if (!pool.priority.isUrgent) ordinaryCount += 1;
    if (ordinaryCount >= ordinaryMax) {
      const woken = this.#takeWoken(running, nowMs);
      if (woken !== undefined) this.#woken.delete(woken);
      return woken;
    }
    const isDueFirst = this.#wokenInRow >= DUE_SHARE - 1;
    const first = isDueFirst ? this.#takeDue(running, nowMs) : this.#takeWoken(running, nowMs);
    const pool = first ?? (isDueFirst ? this.#takeWoken(running, nowMs) : this.#takeDue(running, nowMs));
    if (pool === undefined) return undefined;
    this.#wokenInRow = this.#woken.delete(pool) && !(isDueFirst && pool === first) ? this.#wokenInRow + 1 : 0;
    return pool;
  }

  /** The time from which a search can find a pool, by the result of the last one. */
  nextAtMs(): number {
    return Math.max(this.#searchedAtMs + SEARCH_EVERY_MS, this.#nextDueAtMs);
  }

  #takeWoken(running: ReadonlyMap<PolledPool, unknown>, nowMs: number): PolledPool | undefined {
    for (const pool of this.#woken) {
      if (!this.#isPolled(pool)) this.#woken.delete(pool);
      else if (!running.has(pool) && (pool.priority.setbacks === 0 || pool.dueAtMs <= nowMs)) return pool;
    }
    return undefined;
  }

  #takeDue(running: ReadonlyMap<PolledPool, unknown>, nowMs: number): PolledPool | undefined {
    if (this.#due.length === 0 || nowMs >= this.#searchedAtMs + OUTDATED_MS) this.#search(nowMs);
    for (let pool = this.#due.pop(); pool !== undefined; pool = this.#due.pop())
      if (!running.has(pool) && this.#isPolled(pool) && pool.walkAtMs(nowMs) <= nowMs) return pool;
    return undefined;
  }

  #search(nowMs: number): void {
    if (nowMs < this.#searchedAtMs + SEARCH_EVERY_MS) return;
    this.#searchedAtMs = nowMs;
    this.#nextDueAtMs = Number.POSITIVE_INFINITY;
    const due: { pool: PolledPool; atMs: number }[] = [];
    for (const pool of this.#pools.values()) {
      const atMs = pool.walkAtMs(nowMs);
      if (atMs <= nowMs) due.push({ pool, atMs });
      this.#nextDueAtMs = Math.min(this.#nextDueAtMs, atMs);
    }
    // Pools are taken from the end, so the longest due pool comes last.
    this.#due = due.sort((left, right) => right.atMs - left.atMs).map(({ pool }) => pool);
  }

  #isPolled(pool: PolledPool): boolean {
    return this.#pools.get(pool.pool.poolAddress) === pool;
  }
}
