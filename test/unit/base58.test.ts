import { expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import { decodeBase58, encodeBase58 } from '../../src/shared/base58.ts';

test('encodes any bytes as the reference library does', () => {
  const zerosAndMore = fc
    .tuple(fc.nat({ max: 5 }), fc.uint8Array({ maxLength: 80, size: 'max' }))
    .map(([zeros, rest]) => Uint8Array.from([...new Uint8Array(zeros), ...rest]));
  fc.assert(
    fc.property(zerosAndMore, (bytes) => {
      expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
      expect(decodeBase58(encodeBase58(bytes))).toEqual(bytes);
    }),
    { numRuns: 2_000 },
  );
});

test.each([0, 1, 2, 3, 32, 63, 64, 128, 129, 500])(
  'encodes %i bytes of nothing but ones, and of nothing',
  (length) => {
    for (const filling of [0xff, 0x00]) {
      const bytes = new Uint8Array(length).fill(filling);
      expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
    }
  },
);

test('encodes what is longer than anything before, whatever was decoded meanwhile', () => {
  for (let length = 100; length < 3_000; length += 97) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    const text = bs58.encode(bytes);
    expect(decodeBase58(text)).toEqual(bytes);
    expect(encodeBase58(bytes)).toBe(text);
  }
});

test.each(['0', 'O', 'a b', 'é'])('decodes %p, which is no base58, to nothing', (text) => {
  expect(decodeBase58(text)).toBeNull();
});

test('decodes texts of any characters as the reference library does', () => {
  const digits = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
  const texts = [
    fc.array(digits, { maxLength: 100, size: 'max' }),
    fc.array(fc.oneof(digits, fc.string()), { maxLength: 12 }),
  ];
  fc.assert(
    fc.property(fc.oneof(...texts), (characters) => {
      const text = characters.join('');
      expect(decodeBase58(text)).toEqual(bs58.decodeUnsafe(text) ?? null);
    }),
    { numRuns: 2_000 },
  );
});
