const HASH = /^[0-9a-f]{64}$/;
/** SHA-256 in lower-case hex digits. */
export const HASH_PATTERN = HASH.source;

export const isHash = (text: string): boolean => HASH.test(text);

export function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}
