import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { keysetPage, type OrdinalPosition } from '../../src/db/keyset-page.ts';
import { createCursors } from '../../src/http/lists/cursor.ts';
import { requestedPage } from '../../src/http/lists/pages.ts';

const cursors = createCursors(new Uint8Array(32).fill(7));
const BINDING = ['listNumbers', null];
const NUMBERS = [5, 4, 3, 2, 1];

/** A list as a feature reads it: rows after a position, one more than the page holds. */
function listNumbers({ limit, after }: { limit: number; after?: OrdinalPosition | undefined }) {
  const rows = NUMBERS.filter((number) => number < Number(after?.[0] ?? Number.MAX_SAFE_INTEGER));
  return keysetPage(
    rows.slice(0, limit + 1),
    limit,
    (number) => ({ number }),
    (number): OrdinalPosition => [String(number)],
  );
}

function readPage(query: { cursor?: string | undefined; limit: number }, binding: unknown[] = BINDING) {
  const page = requestedPage<OrdinalPosition>(cursors, query, binding, 1);
  return page.toBody(listNumbers(page));
}

test('pages follow each other without a gap or a repetition, and the last one says so', () => {
  for (const limit of [1, 2, 3, 5, 6]) {
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { data, page } = readPage({ cursor, limit });
      expect(data.length).toBeLessThanOrEqual(limit);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      seen.push(...data.map(({ number }) => number));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(NUMBERS);
  }
});

test('a list that ends with the page has no further one, and an empty list has none either', () => {
  expect(readPage({ limit: 5 }).page).toEqual({ hasMore: false, nextCursor: null });
  expect(keysetPage([], 5, String, () => ['0'] as const)).toEqual({ items: [], next: null });
});

test('a cursor is refused by another list, another filter and another number of keys', () => {
  const cursor = readPage({ limit: 2 }).page.nextCursor ?? '';
  for (const binding of [
    ['listOthers', null],
    ['listNumbers', 'filter'],
  ]) {
    expect(() => readPage({ cursor, limit: 2 }, binding)).toThrow('cursor');
  }
  expect(() => requestedPage<[string, string]>(cursors, { cursor, limit: 2 }, BINDING, 2)).toThrow('cursor');
});

test('no list continues after a Date, which has lost the microseconds of its row', () => {
  const root = `${import.meta.dir}/../../src`;
  const lists = [...new Glob('**/*.ts').scanSync(root)]
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
    .filter(({ text }) => /\b(?:keysetPage|scannedPage)\(/.test(text));
  expect(lists.length).toBeGreaterThan(15);
  const cut = lists.filter(({ text }) => /=> \[[^\]]*\.(?:toISOString|getTime|toJSON)\(/.test(text));
  expect(cut.map(({ path }) => path)).toEqual([]);
});
