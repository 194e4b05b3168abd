import { decodeBase58, encodeBase58 } from './base58.ts';
import { BoundedMap } from './bounded-map.ts';

declare const addressBrand: unique symbol;
/** Base58 text of a 32-byte public key (wallet, mint, pool or program), 32 to 44 characters. */
export type Address = string & { readonly [addressBrand]: true };

const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Returns the 32 bytes of an address, or null for any other text (contract/requests#address). */
export function decodeAddress(text: string): Uint8Array | null {
  if (!BASE58_ADDRESS.test(text)) return null;
  const bytes = decodeBase58(text);
  return bytes?.byteLength === 32 ? bytes : null;
}

/** The 32 bytes of a text that was checked before. Throws RangeError for a text that is not an address. */
export function addressBytes(text: string): Uint8Array {
  const bytes = decodeAddress(text);
  if (bytes === null) throw new RangeError(`${text} is not an address`);
  return bytes;
}

/** The same addresses come again and again. */
const knownAddresses = new BoundedMap<string, true>(20_000);

export function isAddress(text: string): text is Address {
  if (knownAddresses.get(text) === true) return true;
  if (decodeAddress(text) === null) return false;
  knownAddresses.set(text, true);
  return true;
}

/** Throws RangeError unless the public key has 32 bytes. */
export function encodeAddress(publicKey: Uint8Array): Address {
  if (publicKey.byteLength !== 32) throw new RangeError('a public key has 32 bytes');
  return encodeBase58(publicKey) as Address;
}

const BASE58_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** True for base58 text of 64 bytes, the length of a transaction's signature. */
export function isSignature(text: string): boolean {
  return decodeSignature(text) !== null;
}

/** The 64 bytes of a base58 signature; null for another text. */
export function decodeSignature(text: string): Uint8Array | null {
  const bytes = BASE58_SIGNATURE.test(text) ? decodeBase58(text) : null;
  return bytes?.byteLength === 64 ? bytes : null;
}
