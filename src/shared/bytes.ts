import { timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that does not depend on their difference. Lengths are not secret. */
export function equalConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}

/** Compares two public byte strings. A view of a larger buffer is compared by its own bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/** Standard base64 (RFC 4648 section 4, with padding), without a copy of the bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * Decodes standard base64 (RFC 4648 section 4, with padding); null unless the text is the canonical encoding
 * of its bytes.
 */
export function decodeCanonicalBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
