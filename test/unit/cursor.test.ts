import { describe, expect, test } from 'bun:test';
import { createCursors } from '../../src/http/lists/cursor.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import { Problem } from '../../src/shared/problem.ts';

const cursors = createCursors(Buffer.alloc(32, 1));
const binding = ['listTokens', 'bonding', null];

function refusal(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('a cursor', () => {
  const cursor = cursors.sign(['42', 'x'], binding);

  test('returns the position that it was signed for, and has the form of the contract', () => {
    expect(cursors.verify(cursor, binding, 2)).toEqual(['42', 'x']);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(cursor.length).toBeGreaterThanOrEqual(publishedLimits.cursorLengthMin);
    expect(cursor.length).toBeLessThanOrEqual(publishedLimits.cursorLengthMax);
  });

  test('is refused with any single character changed', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(refusal(() => cursors.verify(changed, binding, 2))).toBe('cursor_invalid');
    }
  });

  test('is refused for another query, another operation, another deployment', () => {
    expect(refusal(() => cursors.verify(cursor, ['listTokens', null, null], 2))).toBe('cursor_invalid');
    expect(refusal(() => cursors.verify(cursor, ['listTrades', 'bonding', null], 2))).toBe('cursor_invalid');
    expect(refusal(() => createCursors(Buffer.alloc(32, 2)).verify(cursor, binding, 2))).toBe(
      'cursor_invalid',
    );
  });

  test('is refused when it is too short, too long or not base64url', () => {
    for (const text of ['', 'abc', 'a'.repeat(2_049), `${cursor}=`, `${cursor}A`, 'ä'.repeat(20)]) {
      expect(refusal(() => cursors.verify(text, binding, 2))).toBe('cursor_invalid');
    }
  });
});
