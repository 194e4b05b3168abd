import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { decimalOf, rawAmount, withAmount } from '../../packages/client/src/cli/amounts.ts';
import {
  eventFilterOf,
  eventTypeOf,
  eventTypes,
  shortEventName,
  shortFilter,
} from '../../packages/client/src/cli/event-names.ts';

describe('amounts of the command line', () => {
  test.each([
    ['50000000', 9, '0.05'],
    ['1', 9, '0.000000001'],
    ['1000000000', 9, '1'],
    ['0', 9, '0'],
    ['18446744073709551615', 6, '18446744073709.551615'],
    ['7', 0, '7'],
    ['70', 0, '70'],
  ])('%s with %i decimals is %s', (raw, decimals, text) => {
    expect(decimalOf(raw, decimals)).toBe(text);
  });

  test('come back exactly as they were written, whatever the decimals', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(u64, fc.integer({ min: 0, max: 18 }), (raw, decimals) => {
        const unit = { name: 'tokens' as const, decimals };
        expect(rawAmount(`${decimalOf(String(raw), decimals)}tokens`, unit)).toBe(String(raw));
        expect(rawAmount(String(raw), unit)).toBe(String(raw));
      }),
    );
  });

  test('are shown beside the raw amounts, and never with a name that a stranger chose', () => {
    expect(withAmount('50000000', { name: 'sol', decimals: 9 })).toBe('50000000 (0.05 SOL)');
    expect(withAmount('12500000', { name: 'tokens', decimals: 6 })).toBe('12500000 (12.5 tokens)');
  });

  test.each([
    '',
    '-1',
    '1e9',
    '0x10',
    '1,5sol',
    '1.sol',
    '.5sol',
    '1 sol',
    '1lamports',
    '1.5',
    '9'.repeat(21),
  ])('%j is no amount', (text) => {
    expect(() => rawAmount(text, { name: 'sol', decimals: 9 })).toThrow('--amount is a whole number');
  });
});

describe('names of events', () => {
  test('every type is known by its short name and by its whole one', () => {
    for (const type of eventTypes) {
      expect(eventTypeOf(shortEventName(type))).toBe(type);
      expect(eventTypeOf(type)).toBe(type);
      expect(eventFilterOf(shortFilter(type))).toBe(type);
      expect(shortEventName(type)).toMatch(/^[a-z_]+\.[a-z_]+$/);
    }
  });

  test('filters are known by both, and those of a newer service pass', () => {
    expect(eventFilterOf('*')).toBe('*');
    expect(eventFilterOf('launch.*')).toBe('build.service.launch.*');
    expect(shortFilter('build.service.launch.*')).toBe('launch.*');
    expect(eventFilterOf('build.service.newer.type.v2')).toBe('build.service.newer.type.v2');
    expect(shortFilter('build.service.newer.type.v2')).toBe('build.service.newer.type.v2');
  });
});
