import bs58 from 'bs58';
import { heightAtSlot } from './commitment.ts';

/** A cluster's blockhash is good up to and including this many blocks after the one that produced it. */
export const CLUSTER_BLOCKHASH_WINDOW_BLOCKS = 150n;

interface RingEntry {
  readonly slot: bigint;
  /** Digests of the messages that used this blockhash and landed: a second one is AlreadyProcessed. */
  readonly landed: Set<string>;
  expiredEarly: boolean;
}

/**
 * The blockhashes a transaction may still use. A blockhash is the hash of (genesis, slot), so nothing of the ring
 * is stored: a restarted chain recognises every hash it ever handed out.
 */
export class BlockhashRing {
  readonly #genesisHash: string;
  readonly #window: bigint;
  readonly #entries = new Map<string, RingEntry>();
  #newest: bigint | null = null;

  constructor(genesisHash: string, headSlot: bigint, window: bigint = CLUSTER_BLOCKHASH_WINDOW_BLOCKS) {
    this.#genesisHash = genesisHash;
    this.#window = window;
    this.advanceTo(headSlot);
  }

  /** The blockhash of a slot, base58. */
  hashOf(slot: bigint): string {
    return bs58.encode(new Bun.CryptoHasher('sha256').update(`${this.#genesisHash}:${slot}`).digest());
  }

  /** Adds the hashes up to `slot` and forgets those whose window has closed. */
  advanceTo(slot: bigint): void {
    const oldest = slot - this.#window;
    for (const [hash, entry] of this.#entries) {
      if (entry.slot >= oldest) break;
      this.#entries.delete(hash);
    }
    const first = this.#newest === null || this.#newest < oldest ? oldest : this.#newest + 1n;
    for (let next = first; next <= slot; next += 1n) {
      this.#entries.set(this.hashOf(next), { slot: next, landed: new Set(), expiredEarly: false });
      this.#newest = next;
    }
  }

  /** Whether a bank at `atSlot` accepts the hash: produced no later, and inside the window. */
  isValid(blockhash: string, atSlot: bigint): boolean {
    const entry = this.#entries.get(blockhash);
    if (entry === undefined || entry.expiredEarly) return false;
    return entry.slot <= atSlot && atSlot - entry.slot <= this.#window;
  }

  lastValidBlockHeight(slot: bigint): bigint {
    return heightAtSlot(slot) + this.#window;
  }

  hasLanded(blockhash: string, messageDigest: string): boolean {
    return this.#entries.get(blockhash)?.landed.has(messageDigest) ?? false;
  }

  markLanded(blockhash: string, messageDigest: string): void {
    this.#entries.get(blockhash)?.landed.add(messageDigest);
  }

  /** Makes one hash, or every hash handed out so far, unusable before its window closes. */
  expireEarly(blockhash?: string): void {
    for (const [hash, entry] of this.#entries)
      if (blockhash === undefined || hash === blockhash) entry.expiredEarly = true;
  }
}
