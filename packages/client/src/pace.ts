import type { OperationName } from './operations.ts';
import { TIMER_MAX_MS } from './pause.ts';

/** The longest time that one request blocks those after it, since the service may hold a response. */
const TURN_MAX_MS = 1_000;

/** The turn of a request among those of its client. */
export interface Turn {
  /** It was answered, so the next request may go, later if its headers say that nothing is left. */
  end(headers?: Headers): void;
  /** Its rate limit is used up: no request of that limit goes before the pause ends. */
  refuse(delayMs: number): void;
}

/**
 * The shared pace of a client's requests. After a 429 the requests of the same rate limit wait in one line, in the
 * order in which they were called, and go one by one, because the budget also refills one by one.
 */
export class Pace {
  readonly #lines = new Map<string, Line>();
  readonly #policies = new Map<OperationName, string>();
  #tickets = 0;

  /** The order of a call in every line in which it waits. */
  ticket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  /** Learns from a response which rate limit an operation counts against. */
  learn(operation: OperationName, headers: Headers): void {
    const policy = headers.get('X-RateLimit-Policy');
    if (policy !== null) this.#policies.set(operation, policy);
  }

  /**
   * Resolves when the request may go: at once, unless its rate limit was used up. Rejects with the reason of the
   * signal.
   */
  async turn(operation: OperationName, ticket: number, signal: AbortSignal | undefined): Promise<Turn> {
    const line = this.#lineOf(operation);
    if (line !== undefined) return line.enter(ticket, signal);
    return { end: () => undefined, refuse: (delayMs) => this.#open(operation).refuse(delayMs) };
  }

  #lineOf(operation: OperationName): Line | undefined {
    const name = this.#policies.get(operation) ?? operation;
    const line = this.#lines.get(name);
    if (line?.isOver !== true) return line;
    this.#lines.delete(name);
    return undefined;
  }

  #open(operation: OperationName): Line {
    const line = this.#lineOf(operation) ?? new Line();
    this.#lines.set(this.#policies.get(operation) ?? operation, line);
    return line;
  }
}

interface Waiter {
  ticket: number;
  go(): void;
}

/** The requests that wait for one rate limit. */
class Line {
  #closedUntilMs = 0;
  /** No request has succeeded since a refusal: even without a pause, the next ones go one by one. */
  #isRefused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Blocks until the last request is answered or has taken too long. */
  #current: { turn: Turn; endsAtMs: number } | undefined;
  readonly #waiters: Waiter[] = [];

  /** True once a request has succeeded and none waits. */
  get isOver(): boolean {
    const isClosed = this.#isRefused || performance.now() < this.#closedUntilMs;
    return !isClosed && this.#current === undefined && this.#waiters.length === 0;
  }

  refuse(delayMs: number): void {
    this.#isRefused = true;
    this.#close(delayMs);
  }

  #close(delayMs: number): void {
    this.#closedUntilMs = Math.max(this.#closedUntilMs, performance.now() + delayMs);
  }

  enter(ticket: number, signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        ticket,
        go: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(this.#begin());
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const later = this.#waiters.findIndex((other) => other.ticket > ticket);
      this.#waiters.splice(later === -1 ? this.#waiters.length : later, 0, waiter);
      this.#advance();
    });
  }

  #begin(): Turn {
    const turn: Turn = {
      end: (headers) => {
        this.#isRefused = false;
        if (headers !== undefined) this.#close(untilNextMs(headers));
        this.#leave(turn);
      },
      refuse: (delayMs) => {
        this.refuse(delayMs);
        this.#leave(turn);
      },
    };
    this.#current = { turn, endsAtMs: performance.now() + TURN_MAX_MS };
    return turn;
  }

  #leave(turn: Turn): void {
    if (this.#current?.turn === turn) this.#current = undefined;
    this.#advance();
  }

  /** Starts the next request when it may go. */
  #advance(): void {
    clearTimeout(this.#timer);
    if (this.#waiters.length === 0) return;
    const nowMs = performance.now();
    const mayGoAtMs = Math.max(this.#closedUntilMs, this.#current?.endsAtMs ?? 0);
    if (nowMs >= mayGoAtMs) this.#waiters.shift()?.go();
    const delayMs = Math.max(this.#closedUntilMs, this.#current?.endsAtMs ?? 0) - nowMs;
    if (this.#waiters.length > 0)
      this.#timer = setTimeout(() => this.#advance(), Math.min(delayMs, TIMER_MAX_MS));
  }
}

/** Milliseconds until a budget that is used up has one more request: it refills steadily. */
function untilNextMs(headers: Headers): number {
  const read = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const [limit, remaining, resetSeconds] = [read('Limit'), read('Remaining'), read('Reset')];
  return remaining === 0 && limit > 0 && resetSeconds > 0 ? (resetSeconds * 1_000) / limit : 0;
}
