/** The most sends that wait for a response of all addresses together: Bun's fetch runs 256 requests at a time. */
const ALL_IN_FLIGHT_MAX = 192;
const IN_FLIGHT_MAX = 64;
const WAITING_MAX = 1_024;
/** Who has waited this long is of no use any more: the transaction has long been sent elsewhere, or is sent again. */
const WAIT_MAX_MS = 1_000;

interface Waiting {
  sinceMs: number;
  resolve(granted: boolean): void;
}

/** How many sends may wait for a response of one address, so that all of them together leave room for other requests. */
export function sendsInFlightMax(addresses: number): number {
  return Math.max(1, Math.min(IN_FLIGHT_MAX, Math.floor(ALL_IN_FLIGHT_MAX / Math.max(1, addresses))));
}

/**
 * The sends of one address that are in flight at a time. An address that is slow or hangs fills its own slots and takes
 * nothing from another; its further sends wait in a queue of bounded length and age.
 */
export class SendSlots {
  readonly #max: number;
  readonly #nowMs: () => number;
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;

  constructor(max: number, nowMs: () => number = () => performance.now()) {
    this.#max = max;
    this.#nowMs = nowMs;
  }

  /** Takes a slot without waiting; false when none is free. */
  tryTake(): boolean {
    if (this.#inFlight >= this.#max) return false;
    this.#inFlight += 1;
    return true;
  }

  /** Waits for a slot; false when too many wait, or this one has waited too long. */
  take(): Promise<boolean> {
    if (this.tryTake()) return Promise.resolve(true);
    if (this.#waiting.length >= WAITING_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#waiting.push({ sinceMs: this.#nowMs(), resolve });
    });
  }

  /** Gives a slot back, to the next one that waits if there is one. */
  release(): void {
    const oldestMs = this.#nowMs() - WAIT_MAX_MS;
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      const granted = next.sinceMs >= oldestMs;
      next.resolve(granted);
      if (granted) return;
    }
    this.#inFlight -= 1;
  }
}
