import { randomBytes } from 'node:crypto';
import { decodeAddress } from '../../shared/address.ts';

/** Takes 200 MB at most, while the table grows for the last time. */
export const OWNERS_MAX = 4_000_000;

export class TooManyOwners extends Error {
  override readonly name = 'TooManyOwners';
}

/**
 * Counts distinct owners in 32 to 64 bytes each. 16 bytes of a key identify the owner: making two owners that
 * share them takes 2^64 tries. A key's slot in the table depends on random numbers, so nobody can choose
 * keys that collide.
 */
export class OwnerSet {
  #keys = new BigUint64Array(2 * 4_096);
  #count = 0;
  /** Zero marks an empty slot of the table, so the zero key is kept outside it. */
  #hasZero = false;
  readonly #seed = new Uint32Array(new Uint8Array(randomBytes(16)).buffer);

  get count(): number {
    return this.#count;
  }

  /** Throws TooManyOwners. */
  add(owner: string): void {
    const bytes = decodeAddress(owner);
    if (bytes === null) throw new TypeError('not an address');
    const fields = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [low, high] = [fields.getBigUint64(0), fields.getBigUint64(8)];
    const isNew = low === 0n && high === 0n ? !this.#hasZero : insert(this.#keys, low, high, this.#seed);
    if (!isNew) return;
    this.#hasZero ||= low === 0n && high === 0n;
    this.#count += 1;
    if (this.#count > OWNERS_MAX) throw new TooManyOwners(`more than ${OWNERS_MAX} owners`);
    if (this.#count * 4 > this.#keys.length) this.#grow();
  }

  #grow(): void {
    const grown = new BigUint64Array(this.#keys.length * 2);
    for (let at = 0; at < this.#keys.length; at += 2) {
      const [low = 0n, high = 0n] = [this.#keys[at], this.#keys[at + 1]];
      if (low !== 0n || high !== 0n) insert(grown, low, high, this.#seed);
    }
    this.#keys = grown;
  }
}

/** False when the key is already there. */
function insert(keys: BigUint64Array, low: bigint, high: bigint, seed: Uint32Array): boolean {
  const mask = keys.length / 2 - 1;
  let index = hash(low, high, seed) & mask;
  while (keys[2 * index] !== 0n || keys[2 * index + 1] !== 0n) {
    if (keys[2 * index] === low && keys[2 * index + 1] === high) return false;
    index = (index + 1) & mask;
  }
  keys[2 * index] = low;
  keys[2 * index + 1] = high;
  return true;
}

function hash(low: bigint, high: bigint, [a = 0, b = 0, c = 0, d = 0]: Uint32Array): number {
  let mixed = Math.imul(Number(low & 0xffffffffn) ^ a, 0x9e3779b1);
  mixed = Math.imul((mixed ^ (mixed >>> 15) ^ Number(low >> 32n) ^ b) >>> 0, 0x85ebca6b);
  mixed = Math.imul((mixed ^ (mixed >>> 13) ^ Number(high & 0xffffffffn) ^ c) >>> 0, 0xc2b2ae35);
  mixed = Math.imul((mixed ^ (mixed >>> 16) ^ Number(high >> 32n) ^ d) >>> 0, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
