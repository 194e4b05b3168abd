/**
 * A random UUID (version 4). `crypto.randomUUID` is missing on pages of `http:` and in React Native, where a polyfill
 * brings `getRandomValues` alone. Throws a TypeError where there is no source of random numbers.
 */
export function newUuid(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  if (crypto?.getRandomValues === undefined) {
    throw new TypeError(
      'this runtime has no crypto.getRandomValues, which an Idempotency-Key needs: load a polyfill, or give idempotencyKey',
    );
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    // Version and variant (RFC 9562 section 5.4).
    if (index === 6) return `4${(byte & 0x0f).toString(16)}`;
    return (index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
