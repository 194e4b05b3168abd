import { describe, expect, test } from 'bun:test';
import { createSecretBox, deriveKey } from '../../src/shared/secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1));
const secret = Buffer.from('whsec_example');

describe('a sealed secret', () => {
  const sealed = box.seal(secret, 'row 1');

  test('opens in its place, never shows its text, and never repeats its bytes', () => {
    expect(Buffer.from(box.open(sealed, 'row 1'))).toEqual(secret);
    expect(Buffer.from(sealed).includes(secret)).toBe(false);
    expect(box.seal(secret, 'row 1')).not.toEqual(sealed);
  });

  test('does not open elsewhere, changed in any byte, cut, or under another key', () => {
    expect(() => box.open(sealed, 'row 2')).toThrow();
    expect(() => createSecretBox(Buffer.alloc(32, 2)).open(sealed, 'row 1')).toThrow();
    for (let index = 0; index < sealed.byteLength; index += 1) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, 'row 1')).toThrow();
    }
    for (const length of [0, 1, 20, sealed.byteLength - 1]) {
      expect(() => box.open(sealed.subarray(0, length), 'row 1')).toThrow();
    }
  });
});

test('keys for different purposes have nothing in common', () => {
  expect(deriveKey(Buffer.alloc(32, 1), 'a')).not.toEqual(deriveKey(Buffer.alloc(32, 1), 'b'));
});
