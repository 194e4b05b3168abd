/** A transaction whose signature a node got wrong: asking for it again shows whether the node has mended. */
export interface MisansweredSend {
  signedTransaction: Uint8Array;
  /** base58 of the first signature, the only right answer. */
  signature: string;
}

/** Quarantined again within the last of these, a node waits twice as long. */
const FIRST_PERIOD_MS = 30_000;
const LAST_PERIOD_MS = 600_000;
/** Between two probes of a node that does not answer them. */
const PROBE_INTERVAL_MS = 5_000;

/**
 * Whether what a node says counts. A node that told another transaction's signature is quarantined: nothing it says
 * decides anything until it has answered a send rightly after the period. It still gets every transaction, because
 * that can only help.
 */
export class Quarantine {
  #misanswered: MisansweredSend | null = null;
  #periodMs = 0;
  #periodEndsMs = 0;
  #nextProbeMs = 0;
  #releasedMs = Number.NEGATIVE_INFINITY;

  get isActive(): boolean {
    return this.#misanswered !== null;
  }

  /** Of the running quarantine, for logs. */
  get periodMs(): number {
    return this.#periodMs;
  }

  /** Begins it, or has it begin anew; true unless it was running. */
  begin(misanswered: MisansweredSend, now: Date): boolean {
    const nowMs = now.getTime();
    const isNew = !this.isActive;
    const isRepeated = !isNew || nowMs - this.#releasedMs < LAST_PERIOD_MS;
    if (isNew || nowMs >= this.#periodEndsMs)
      this.#periodMs = isRepeated ? Math.min(LAST_PERIOD_MS, this.#periodMs * 2) : FIRST_PERIOD_MS;
    this.#misanswered = misanswered;
    this.#periodEndsMs = nowMs + this.#periodMs;
    this.#nextProbeMs = this.#periodEndsMs;
    return isNew;
  }

  /** A send was answered rightly: ends a quarantine whose period is over. True when one has ended. */
  endIfServed(now: Date): boolean {
    if (!this.isActive || now.getTime() < this.#periodEndsMs) return false;
    this.#misanswered = null;
    this.#releasedMs = now.getTime();
    return true;
  }

  /** What to ask the node again with now, or null. */
  takeProbe(now: Date): MisansweredSend | null {
    if (this.#misanswered === null || now.getTime() < this.#nextProbeMs) return null;
    this.#nextProbeMs = now.getTime() + PROBE_INTERVAL_MS;
    return this.#misanswered;
  }
}
