const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 of bytes, as Solana writes addresses and secret keys. */
export function encodeBase58(bytes: Uint8Array): string {
  const leading = countLeading(bytes, (byte) => byte === 0);
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let digits = '';
  for (; value > 0n; value /= 58n) digits = ALPHABET.charAt(Number(value % 58n)) + digits;
  return '1'.repeat(leading) + digits;
}

/** The bytes of base58 text of at most 128 characters; throws on anything else. */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > 128) throw new TypeError('base58 text is too long');
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) throw new TypeError('not base58');
    value = value * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 255n));
  const leading = countLeading([...text], (character) => character === '1');
  return Uint8Array.from([...new Array<number>(leading).fill(0), ...bytes]);
}

function countLeading<Item>(items: ArrayLike<Item>, isZero: (item: Item) => boolean): number {
  const first = Array.from(items).findIndex((item) => !isZero(item));
  return first === -1 ? items.length : first;
}
