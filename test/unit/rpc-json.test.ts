import { describe, expect, test } from 'bun:test';
import { parseRpcJson, stringifyRpcJson } from '../../src/chain/rpc/json.ts';

describe('the JSON of a node', () => {
  test.each([
    ['0', 0n],
    ['-7', -7n],
    ['-0', 0n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
    [`1${'0'.repeat(308)}`, 10n ** 308n],
  ])('a whole number is exact: %s', (text, value) => {
    expect(parseRpcJson(text)).toBe(value);
  });

  test.each([
    ['1.5', 1.5],
    ['1e-7', 1e-7],
    ['1.0', 1],
    ['1e3', 1_000],
    [`1${'0'.repeat(309)}`, Number.POSITIVE_INFINITY],
  ])('any other is a number: %s', (text, value) => {
    expect(parseRpcJson(text)).toBe(value);
  });

  test('millions of digits are read at once, as no quantity', () => {
    expect(parseRpcJson('9'.repeat(4_000_000))).toBe(Number.POSITIVE_INFINITY);
  });

  test('numbers in strings, escapes and keys stay as they are', () => {
    const text = String.raw`{"12":["34","\"5\"",{"$n":"6"}],"__proto__":7,"none":null,"yes":true}`;
    const value = parseRpcJson(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyRpcJson(value)).toBe(text);
  });

  test('written JSON is read back digit for digit', () => {
    const value = { slot: 18_446_744_073_709_551_615n, list: [1n, -2n, 0.5, '3', null] };
    expect(stringifyRpcJson(value)).toBe('{"slot":18446744073709551615,"list":[1,-2,0.5,"3",null]}');
    expect(parseRpcJson(stringifyRpcJson(value))).toEqual(value);
  });

  test('malformed JSON is refused', () => {
    expect(() => parseRpcJson('<html>')).toThrow(SyntaxError);
  });
});
