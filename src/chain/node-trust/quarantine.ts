/**
 * A signed transaction. One for which a node returned a wrong signature is sent again, to see whether the
 * node has recovered.
 */
export interface SignedSend {
  signedTransaction: Uint8Array;
  /** Base58 of the first signature, the only correct response. */
  signature: string;
}

/** A node that is quarantined again within the longest period waits twice as long as the last time. */
const FIRST_PERIOD_MS = 30_000;
const LAST_PERIOD_MS = 600_000;
/** Time between two probes of a node that does not respond to them. */
const PROBE_INTERVAL_MS = 5_000;

/**
 * Whether the responses of a node count. A node that returned another transaction's signature is quarantined
 * (`judge-send.ts` decides it). Its responses decide nothing until it has responded correctly to a send after
 * the period. It still gets every transaction, because that can only help.
 */
export class Quarantine {
  #failedSend: SignedSend | null = null;
  #periodMs = 0;
  #periodEndsMs = 0;
  #nextProbeMs = 0;
  #releasedMs = Number.NEGATIVE_INFINITY;

  get isActive(): boolean {
    return this.#failedSend !== null;
  }

  /** The length of the current quarantine, for logs. */
  get periodMs(): number {
    return this.#periodMs;
  }

  /** Begins or restarts the quarantine. Returns true unless one was active. */
  begin(failedSend: SignedSend, now: Date): boolean {
    const nowMs = now.getTime();
    const isNew = !this.isActive;
    const isRepeated = !isNew || nowMs - this.#releasedMs < LAST_PERIOD_MS;
    if (isNew || nowMs >= this.#periodEndsMs)
      this.#periodMs = isRepeated ? Math.min(LAST_PERIOD_MS, this.#periodMs * 2) : FIRST_PERIOD_MS;
    this.#failedSend = failedSend;
    this.#periodEndsMs = nowMs + this.#periodMs;
    this.#nextProbeMs = this.#periodEndsMs;
    return isNew;
  }

  /**
   * Called after a correct response to a send. Ends a quarantine whose period is over, and returns true then.
   */
  endIfPeriodOver(now: Date): boolean {
    if (!this.isActive || now.getTime() < this.#periodEndsMs) return false;
    this.#failedSend = null;
    this.#releasedMs = now.getTime();
    return true;
  }

  /** The transaction to send to the node again now, or null. */
  takeProbe(now: Date): SignedSend | null {
    if (this.#failedSend === null || now.getTime() < this.#nextProbeMs) return null;
    this.#nextProbeMs = now.getTime() + PROBE_INTERVAL_MS;
    return this.#failedSend;
  }
}
