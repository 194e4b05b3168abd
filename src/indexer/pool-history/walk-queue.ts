import type { PolledPool } from './polled-pool.ts';

/** One of this many pools is taken from those that nobody has woken, while any is due: none of them starves. */
const DUE_SHARE = 4;
/** Between two searches for due pools among all of them. */
const SEARCH_EVERY_MS = 50;
/** A list of due pools is made anew after this time, however many are left on it. */
const OUTDATED_MS = 2_000;

/** Which pool is read next: woken ones in the order of their wake-ups, and between them those that are due, longest first. */
export class WalkQueue {
  readonly #pools: ReadonlyMap<string, PolledPool>;
  /** Each once, however often it is woken; never more than there are pools. */
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

  wake(pool: PolledPool): void {
    this.#woken.add(pool);
  }

  /** Takes the next pool that is not running; only a woken one while `ordinaryMax` others run. */
  take(
    running: ReadonlyMap<PolledPool, unknown>,
    nowMs: number,
    ordinaryMax: number,
  ): PolledPool | undefined {
    let ordinary = 0;
    for (const pool of running.keys()) if (!pool.isUrgent) ordinary += 1;
    if (ordinary >= ordinaryMax) {
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

  /** When the next search can find something, as far as the last one could see. */
  nextAtMs(): number {
    return Math.max(this.#searchedAtMs + SEARCH_EVERY_MS, this.#nextDueAtMs);
  }

  #takeWoken(running: ReadonlyMap<PolledPool, unknown>, nowMs: number): PolledPool | undefined {
    for (const pool of this.#woken) {
      if (!this.#isPolled(pool)) this.#woken.delete(pool);
      else if (!running.has(pool) && (pool.setbacks === 0 || pool.dueAtMs <= nowMs)) return pool;
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
    // The longest due is last, where it is taken from.
    this.#due = due.sort((left, right) => right.atMs - left.atMs).map(({ pool }) => pool);
  }

  #isPolled(pool: PolledPool): boolean {
    return this.#pools.get(pool.pool.poolAddress) === pool;
  }
}
