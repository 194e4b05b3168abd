import { encodeBase58 } from '../../src/shared/base58.ts';
import { KEPT_SLOTS } from './account-versions.ts';
import type { SkippedSlots } from './skipped-slots.ts';

interface RingEntry {
  readonly slot: bigint;
  readonly height: bigint;
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
  readonly #skipped: SkippedSlots;
  readonly #entries = new Map<string, RingEntry>();
  #newest: bigint | null = null;

  constructor(genesisHash: string, headSlot: bigint, window: bigint, skipped: SkippedSlots) {
    this.#genesisHash = genesisHash;
    this.#window = window;
    this.#skipped = skipped;
    this.advanceTo(headSlot);
  }

  /** The blockhash of a slot, base58. */
  hashOf(slot: bigint): string {
    return encodeBase58(new Bun.CryptoHasher('sha256').update(`${this.#genesisHash}:${slot}`).digest());
  }

  /** Adds the hashes up to `slot` and forgets those whose window has closed, even if a fork lowers the height. */
  advanceTo(slot: bigint): void {
    const oldestHeight = this.#skipped.heightAt(slot) - this.#window - KEPT_SLOTS;
    for (const [hash, entry] of this.#entries) {
      if (entry.height >= oldestHeight) break;
      this.#entries.delete(hash);
    }
    const oldest = this.oldestSlotAt(slot);
    const first = this.#newest === null || this.#newest < oldest ? oldest : this.#newest + 1n;
    for (let next = first; next <= slot; next += 1n) {
      this.#newest = next;
      const height = this.#skipped.heightAt(next);
      if (height < oldestHeight || this.#skipped.has(next)) continue;
      this.#entries.set(this.hashOf(next), { slot: next, height, landed: new Set(), expiredEarly: false });
    }
  }

  /** No hash that is still kept when the chain is at `slot` is of an older slot than this. */
  oldestSlotAt(slot: bigint): bigint {
    return slot - this.#window - KEPT_SLOTS - this.#skipped.total;
  }

  /** Forgets the hashes of dropped blocks. */
  dropAfter(slot: bigint): void {
    for (const [hash, entry] of this.#entries) if (entry.slot > slot) this.#entries.delete(hash);
  }

  /** Whether a bank at `atSlot` accepts the hash: produced no later, and inside the window. */
  isValid(blockhash: string, atSlot: bigint): boolean {
    const entry = this.#entries.get(blockhash);
    if (entry === undefined || entry.expiredEarly) return false;
    return entry.slot <= atSlot && this.#skipped.heightAt(atSlot) - entry.height <= this.#window;
  }

  lastValidBlockHeight(slot: bigint): bigint {
    return this.#skipped.heightAt(slot) + this.#window;
  }

  /** The height of the last block that accepts the hash; null for one that is unknown. */
  lastHeightOf(blockhash: string): bigint | null {
    const entry = this.#entries.get(blockhash);
    return entry === undefined ? null : entry.height + this.#window;
  }

  hasLanded(blockhash: string, messageDigest: string): boolean {
    return this.#entries.get(blockhash)?.landed.has(messageDigest) ?? false;
  }

  markLanded(blockhash: string, messageDigest: string): void {
    this.#entries.get(blockhash)?.landed.add(messageDigest);
  }

  unmarkLanded(blockhash: string, messageDigest: string): void {
    this.#entries.get(blockhash)?.landed.delete(messageDigest);
  }

  /** Makes one hash, or every hash handed out so far, unusable before its window closes. */
  expireEarly(blockhash?: string): void {
    for (const [hash, entry] of this.#entries)
      if (blockhash === undefined || hash === blockhash) entry.expiredEarly = true;
  }
}
