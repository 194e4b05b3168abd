import { isLaunchwireError } from '../errors.ts';
import type { Schemas } from '../operations.ts';
import type { StreamMessage, StreamSignal } from '../stream/messages.ts';

type Told = Schemas['TransactionIntentSummary'] | Schemas['Operation'];

/** Opens a stream of intents and operations; `onBreak` is called when a connection of it is lost. */
export type OpenFeed = (
  signal: AbortSignal,
  onBreak: () => void,
) => AsyncIterable<StreamMessage | StreamSignal>;

/** A heartbeat comes every second. By the contract, five seconds without one end a stream. */
export const SILENCE_MS = 5_000;
/** The pause after a refusal without `Retry-After`. */
const REFUSED_MS = 30_000;
/** Between two openings: a number of short waits leaves the budget of `stream-open` to the program's own streams. */
const BETWEEN_OPENINGS_MS = 5_000;

/** The last statuses of intents and of operations. */
const ends: ReadonlySet<string> = new Set(['confirmed', 'failed', 'expired', 'succeeded', 'cancelled']);

/** True for a record that does not change any more. */
export function hasEnded({ status }: Pick<Told, 'status'>): boolean {
  return ends.has(status);
}

/** One record that a wait follows. */
export class Follower {
  /** The final record, once the stream has sent it. */
  ended: Told | undefined;
  #wake: (() => void) | undefined;

  wake(): void {
    this.#wake?.();
  }

  /** Resolves when something happened to the record or the stream, or after `timeoutMs`. Rejects with the signal. */
  async happens(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, timeoutMs);
      signal?.addEventListener('abort', this.#wake, { once: true });
      if (signal?.aborted) resolve();
    });
    clearTimeout(timer);
    if (this.#wake !== undefined) signal?.removeEventListener('abort', this.#wake);
    this.#wake = undefined;
    signal?.throwIfAborted();
  }
}

/** The stream that all waits of a client share, open while there is a wait. */
export class ChangeFeed {
  readonly #open: OpenFeed;
  readonly #followers = new Map<string, Set<Follower>>();
  #connection: AbortController | undefined;
  #isConnected = false;
  #beatAtMs = 0;
  #closedUntilMs = Number.NEGATIVE_INFINITY;
  #gaps = 0;

  constructor(open: OpenFeed) {
    this.#open = open;
  }

  /** True while the stream sends every change of a followed record. */
  get isLive(): boolean {
    return this.#isConnected && performance.now() - this.#beatAtMs < SILENCE_MS;
  }

  /** True while the stream may become live. */
  get isOpening(): boolean {
    return this.#connection !== undefined;
  }

  /** Grows when changes may have been missed, so that earlier reads no longer count. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Follows a record until `leave`, and opens the stream if it may be opened. */
  follow(id: string): Follower {
    const follower = new Follower();
    const others = this.#followers.get(id);
    if (others === undefined) this.#followers.set(id, new Set([follower]));
    else others.add(follower);
    this.reopen();
    return follower;
  }

  leave(id: string, follower: Follower): void {
    const others = this.#followers.get(id);
    others?.delete(follower);
    if (others?.size === 0) this.#followers.delete(id);
    if (this.#followers.size > 0) return;
    const connection = this.#connection;
    this.#forget();
    connection?.abort();
  }

  /** Opens a refused stream again, once that may be tried. */
  reopen(): void {
    const nowMs = performance.now();
    if (this.#connection !== undefined || nowMs < this.#closedUntilMs) return;
    this.#closedUntilMs = nowMs + BETWEEN_OPENINGS_MS;
    const connection = new AbortController();
    this.#connection = connection;
    this.#run(connection).catch((error: unknown) => {
      // Ended by the last wait that left, or by a wait of a later connection.
      if (this.#connection !== connection) return;
      // Waits send requests by themselves then, and get the error if it concerns them.
      this.#forget();
      const seconds = isLaunchwireError(error) && 'retryAfterSeconds' in error ? error.retryAfterSeconds : 0;
      this.#closedUntilMs = performance.now() + Math.max(REFUSED_MS, (seconds ?? 0) * 1000);
      this.#wakeAll();
    });
  }

  async #run(connection: AbortController): Promise<void> {
    const onBreak = () => {
      if (this.#connection !== connection) return;
      this.#isConnected = false;
      this.#wakeAll();
    };
    for await (const message of this.#open(connection.signal, onBreak)) {
      if (this.#connection !== connection) return;
      this.#take(message);
    }
  }

  #take(message: StreamMessage | StreamSignal): void {
    switch (message.event) {
      case 'ready':
        if (!message.resumed) this.#gaps += 1;
        return;
      case 'gap':
        this.#gaps += 1;
        return;
      case 'heartbeat': {
        // The beginning of the stream has come; every later change follows.
        this.#beatAtMs = performance.now();
        if (this.#isConnected) return;
        this.#isConnected = true;
        this.#wakeAll();
        return;
      }
      case 'intent':
      case 'operation':
        if (hasEnded(message.data)) this.#tell(message.data);
    }
  }

  #tell(ended: Told): void {
    for (const follower of this.#followers.get(ended.id) ?? []) {
      follower.ended = ended;
      follower.wake();
    }
  }

  #wakeAll(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) follower.wake();
  }

  #forget(): void {
    this.#connection = undefined;
    this.#isConnected = false;
  }
}
