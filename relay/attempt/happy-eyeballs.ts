import { isIPv6 } from 'node:net';
import { ConnectionTimedOut } from './attempt-failure.ts';
import type { HttpConnection, Phases } from './http-connection.ts';

/** Between the starts of two tries (RFC 8305 section 5, "Connection Attempt Delay"). */
const NEXT_MS = 250;
/** Tries at the same time; no attempt has more sockets open. */
const TRIES_MAX = 3;
/** After this time the oldest makes room for the next one: two of its packets were lost. */
const PATIENCE_MS = 2_000;

interface Openable {
  connection: HttpConnection;
}

interface Try<Taken> {
  taken: Taken;
  phases: Phases;
}

interface RaceOptions<Taken> {
  addresses: readonly string[];
  /** Begins to connect to one of the addresses. */
  open(address: string): Taken;
  signal: AbortSignal;
  /** Called with the phases of the try that has come furthest. */
  onPhases(phases: Phases): void;
}

/**
 * Connects to the first address that can be reached, TLS included, as RFC 8305 describes: families in turn,
 * each next try 250 ms after the one before, or as soon as that failed. Nothing is sent meanwhile, and the
 * connections that lose are closed. Rejects with the error of the try that came furthest, or with the reason
 * of the signal; nothing stays open then.
 */
export function openFirst<Taken extends Openable>(options: RaceOptions<Taken>): Promise<Try<Taken>> {
  return new Race(options).run();
}

class Race<Taken extends Openable> {
  readonly #options: RaceOptions<Taken>;
  readonly #waiting: string[];
  /** Oldest first. */
  readonly #tries = new Set<Try<Taken>>();
  readonly #ended = Promise.withResolvers<Try<Taken>>();
  readonly #onAbort = () => this.#abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failed: { error: unknown; phases: Phases } | null = null;
  #isOver = false;

  constructor(options: RaceOptions<Taken>) {
    this.#options = options;
    this.#waiting = alternatingFamilies(options.addresses);
  }

  run(): Promise<Try<Taken>> {
    const { signal } = this.#options;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#abort();
    else if (this.#waiting.length === 0) this.#ended.reject(new Error('no address'));
    else this.#startNext();
    return this.#ended.promise;
  }

  #startNext(): void {
    clearTimeout(this.#timer);
    const address = this.#waiting.shift();
    if (address === undefined) return;
    const one = { taken: this.#options.open(address), phases: newPhases(address, false) };
    this.#tries.add(one);
    if (this.#tries.size === 1) this.#options.onPhases(one.phases);
    one.taken.connection.opened(one.phases).then(
      () => this.#win(one),
      (error: unknown) => this.#lose(one, error),
    );
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#onDelay(), NEXT_MS);
  }

  #onDelay(): void {
    const [oldest] = this.#tries;
    if (oldest === undefined || this.#tries.size < TRIES_MAX) {
      this.#startNext();
      return;
    }
    const leftMs = oldest.phases.startMs + PATIENCE_MS - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#onDelay(), leftMs);
    // Like any failed try, it is followed by the next one.
    else oldest.taken.connection.destroy(new ConnectionTimedOut());
  }

  #win(winner: Try<Taken>): void {
    if (this.#isOver) return;
    this.#end(winner);
    this.#options.onPhases(winner.phases);
    this.#ended.resolve(winner);
  }

  #lose(one: Try<Taken>, error: unknown): void {
    if (this.#isOver) return;
    this.#tries.delete(one);
    if (this.#failed === null || this.#failed.phases.connectedMs === null)
      this.#failed = { error, phases: one.phases };
    if (this.#waiting.length > 0) this.#startNext();
    else if (this.#tries.size === 0) {
      this.#end(null);
      this.#options.onPhases(this.#failed.phases);
      this.#ended.reject(this.#failed.error);
    }
  }

  #abort(): void {
    const furthest = [...this.#tries].find(({ phases }) => phases.connectedMs !== null);
    if (furthest !== undefined) this.#options.onPhases(furthest.phases);
    this.#end(null);
    this.#ended.reject(this.#options.signal.reason);
  }

  #end(winner: Try<Taken> | null): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    for (const one of this.#tries) if (one !== winner) one.taken.connection.destroy();
  }
}

export function newPhases(address: string, reused: boolean): Phases {
  const startMs = performance.now();
  const none = { connectedMs: null, securedMs: null, firstByteMs: null, unfinished: null };
  return { address, startMs, ...none, reused };
}

/** Addresses of the two families in turn, beginning with the family of the first (RFC 8305 section 4). */
export function alternatingFamilies(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const isOfFirst = (address: string) => isIPv6(address) === isIPv6(first);
  const ofFirst = addresses.filter(isOfFirst);
  const ofOther = addresses.filter((address) => !isOfFirst(address));
  return Array.from({ length: Math.max(ofFirst.length, ofOther.length) }, (_, index) => [
    ...ofFirst.slice(index, index + 1),
    ...ofOther.slice(index, index + 1),
  ]).flat();
}
