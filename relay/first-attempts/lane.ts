import type { FirstAttempt } from './held-event.ts';

/** What a lane may hold: as much as its endpoint takes in this time. */
const WINDOW_MS = 250;
const LENGTH_MAX = 1_024;
/** Weight of the last attempt in the average. */
const LAST_WEIGHT = 0.1;
/** Before the first attempt has ended an endpoint counts as a fast one. */
const FAST_MS = 0.25;

/** First attempts at one endpoint that wait, in order. */
export class Lane {
  readonly endpointId: string;
  #queue: FirstAttempt[] = [];
  /** Of the queue, how many at its beginning have left. */
  #left = 0;
  #ofAccounts = 0;
  #averageMs = FAST_MS;
  #endedAtMs = 0;

  constructor(endpointId: string) {
    this.endpointId = endpointId;
  }

  get length(): number {
    return this.#queue.length - this.#left;
  }

  get first(): FirstAttempt | undefined {
    return this.#queue[this.#left];
  }

  get hasAccountEvent(): boolean {
    return this.#ofAccounts > 0;
  }

  /** @param limit attempts in flight to the endpoint */
  capacity(limit: number): number {
    const inWindow = Math.floor((limit * WINDOW_MS) / Math.max(FAST_MS, this.#averageMs));
    return Math.min(LENGTH_MAX, Math.max(limit, inWindow));
  }

  push(first: FirstAttempt): void {
    this.#queue.push(first);
    if (first.event.leased.accountId !== null) this.#ofAccounts += 1;
  }

  shift(): void {
    const { first } = this;
    if (first === undefined) return;
    this.#left += 1;
    if (first.event.leased.accountId !== null) this.#ofAccounts -= 1;
    if (2 * this.#left < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#left);
    this.#left = 0;
  }

  clear(): readonly FirstAttempt[] {
    const queued = this.#queue.slice(this.#left);
    this.#queue = [];
    this.#left = 0;
    this.#ofAccounts = 0;
    return queued;
  }

  noteEnd(tookMs: number, nowMs: number): void {
    this.#averageMs += LAST_WEIGHT * (tookMs - this.#averageMs);
    this.#endedAtMs = nowMs;
  }

  /** Since it has to wait for its endpoint and no attempt has ended. */
  stoodStillMs(nowMs: number): number {
    return nowMs - Math.max(this.#endedAtMs, this.first?.queuedAtMs ?? nowMs);
  }

  waitedMs(nowMs: number): number {
    return nowMs - (this.first?.queuedAtMs ?? nowMs);
  }
}
