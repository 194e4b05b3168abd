import { isIPv6 } from 'node:net';
import { ConnectionTimedOut } from './attempt-failure.ts';
import type { HttpConnection, Phases } from './http-connection.ts';

/** Time between the starts of two tries (RFC 8305 section 5, "Connection Attempt Delay"). */
const NEXT_MS = 250;
/** Most tries at the same time, and so the most open sockets of an attempt. */
const TRIES_MAX = 3;
/** After this time, when two of its packets were lost, the oldest try makes room for the next one. */
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
  /** Called with the phases of the try that has made the most progress. */
  onPhases(phases: Phases): void;
}

/**
 * Connects to the first address that can be reached, TLS included, as RFC 8305 describes: the families alternate, and a
 * try begins 250 ms after the one before, or as soon as that failed. Nothing is sent meanwhile, and the connections
 * that lose are closed. Rejects with the error of the try that made the most progress, or with the reason of the
 * signal. Nothing stays open then.
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
    // After any failed try the next one begins.
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
  return {
    address,
    startMs: performance.now(),
    connectedMs: null,
    securedMs: null,
    firstByteMs: null,
    unfinished: null,
    reused,
  };
}

/** The addresses with alternating families, beginning with the family of the first (RFC 8305 section 4). */
export function alternatingFamilies(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const hasFirstFamily = (address: string) => isIPv6(address) === isIPv6(first);
  const firstFamily = addresses.filter(hasFirstFamily);
  const otherFamily = addresses.filter((address) => !hasFirstFamily(address));
  return Array.from({ length: Math.max(firstFamily.length, otherFamily.length) }, (_, index) => [
    ...firstFamily.slice(index, index + 1),
    ...otherFamily.slice(index, index + 1),
  ]).flat();
}
