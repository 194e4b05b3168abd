import { Pace } from '../endpoints/pace.ts';
import { Fifo } from '../model/fifo.ts';
import type { FirstAttempt } from './held-event.ts';

const LENGTH_MAX = 1_024;

/** First attempts at one endpoint that wait, in order. */
export class Lane {
  readonly endpointId: string;
  readonly #queue = new Fifo<FirstAttempt>();
  readonly #pace = new Pace();
  #ofAccounts = 0;
  #endedAtMs = 0;

  constructor(endpointId: string) {
    this.endpointId = endpointId;
  }

  get length(): number {
    return this.#queue.length;
  }

  get first(): FirstAttempt | undefined {
    return this.#queue.first;
  }

  get hasAccountEvent(): boolean {
    return this.#ofAccounts > 0;
  }

  /** @param limit attempts in flight to the endpoint */
  capacity(limit: number): number {
    return Math.min(LENGTH_MAX, Math.max(limit, this.#pace.inWindow(limit)));
  }

  push(first: FirstAttempt): void {
    this.#queue.push(first);
    if (first.event.leased.accountId !== null) this.#ofAccounts += 1;
  }

  shift(): void {
    const first = this.#queue.shift();
    if (first !== undefined && first.event.leased.accountId !== null) this.#ofAccounts -= 1;
  }

  clear(): readonly FirstAttempt[] {
    this.#ofAccounts = 0;
    return this.#queue.clear();
  }

  noteEnd(tookMs: number): void {
    this.#pace.noteEnd(tookMs);
  }

  /** An attempt to the endpoint, first or not, has ended. */
  noteAlive(nowMs: number): void {
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
