import { describe, expect, test } from 'bun:test';
import { parseJson } from '../../src/http/bodies/request-body.ts';

const parsed = (text: string | Uint8Array) => parseJson(Buffer.from(text as string));
/** The bound of brackets, braces, colons, commas and backslashes in one body. */
const STRUCTURE_MAX = 4_096;

/** A list with this number of structural characters: two brackets, and commas between its zeros. */
const listOf = (structure: number) =>
  `[${Array(structure - 1)
    .fill('0')
    .join(',')}]`;

describe('a body', () => {
  test('may have structure up to its bound, and no more', () => {
    expect(parsed(listOf(STRUCTURE_MAX))).toHaveLength(STRUCTURE_MAX - 1);
    expect(() => parsed(listOf(STRUCTURE_MAX + 1))).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  test.each(['[', ']', '{', '}', ',', ':', '\\'])('counts %s', (character) => {
    // It is parsed only when its structure is within the bound.
    const outcome = (count: number) => {
      try {
        return parsed(character.repeat(count));
      } catch (problem) {
        return problem;
      }
    };
    expect(outcome(STRUCTURE_MAX + 1)).toMatchObject({ code: 'validation_failed' });
    expect(outcome(STRUCTURE_MAX)).toMatchObject({ code: 'malformed_json' });
  });

  test('may be long where it has little structure', () => {
    expect(parsed(JSON.stringify('x'.repeat(100_000)))).toHaveLength(100_000);
  });

  test.each([
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a byte order mark', '\uFEFF{}'],
    ['text that is no JSON', '{'],
    ['nothing', ''],
  ])('of %s is malformed', (_title, bytes) => {
    expect(() => parsed(bytes)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });
});
