import { Pace } from '../endpoints/pace.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import { Fifo } from '../model/fifo.ts';
import type { FirstAttempt } from './held-event.ts';

const LENGTH_MAX = 1_024;

/** A first attempt has a slot. */
export interface Start {
  endpoint: CachedEndpoint;
  /** Monotonic. */
  startMs: number;
  /** Frees the slot; to be called once. */
  release(endMs: number): void;
}

/**
 * How a first attempt's wait ends. `row`: its endpoint has to wait, and the delivery gets a row for a claim.
 * `lease-over`: another relay may send the event.
 */
export type Turn = Start | 'row' | 'lease-over';

export interface Waiting {
  first: FirstAttempt;
  resolve(turn: Turn): void;
}

/** The first attempts that wait for one endpoint, in order. */
export class Lane {
  readonly endpointId: string;
  readonly #queue = new Fifo<Waiting>();
  readonly #pace = new Pace();
  #ofAccounts = 0;
  #endedAtMs = 0;

  constructor(endpointId: string) {
    this.endpointId = endpointId;
  }

  get length(): number {
    return this.#queue.length;
  }

  get first(): Waiting | undefined {
    return this.#queue.first;
  }

  get hasAccountEvent(): boolean {
    return this.#ofAccounts > 0;
  }

  /** @param limit attempts in flight to the endpoint */
  capacity(limit: number): number {
    return Math.min(LENGTH_MAX, Math.max(limit, this.#pace.inWindow(limit)));
  }

  push(waiting: Waiting): void {
    this.#queue.push(waiting);
    if (isOfAccount(waiting)) this.#ofAccounts += 1;
  }

  shift(): void {
    const waiting = this.#queue.shift();
    if (waiting !== undefined && isOfAccount(waiting)) this.#ofAccounts -= 1;
  }

  clear(): readonly Waiting[] {
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

  /** How long the first attempts have waited without the end of another attempt. */
  stoodStillMs(nowMs: number): number {
    return nowMs - Math.max(this.#endedAtMs, this.first?.first.queuedAtMs ?? nowMs);
  }

  waitedMs(nowMs: number): number {
    return nowMs - (this.first?.first.queuedAtMs ?? nowMs);
  }
}

function isOfAccount({ first }: Waiting): boolean {
  return first.event.leased.accountId !== null;
}
