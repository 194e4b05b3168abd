import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url).pathname;

const sources = ['src', 'relay'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.ts')),
);

const tables = new Set(
  sources
    .filter((path) => path.startsWith('src/db/schema/'))
    .flatMap((path) => [...read(path).matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name)),
);

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8');
}

/** Statements, up to their end, that return all columns of a table. */
function openStatements(source: string): string[] {
  const statements = [...source.matchAll(/`([^`]*)`/g)].map(([, text = '']) => text);
  return statements.filter((text) => {
    if (/returning \*/.test(text)) return true;
    // The statement around a sub-select chooses its columns.
    const [, from] = /(?<!\(\s*)\bselect \* from (\w+)/.exec(text) ?? [];
    if (from !== undefined && tables.has(from)) return true;
    const [, alias] = /\bselect (?:[^()]*, )?(\w+)\.\*/.exec(text) ?? [];
    if (alias === undefined) return false;
    const [, table] = new RegExp(`\\b(?:from|join) (\\w+) (?:as )?${alias}\\b`).exec(text) ?? [];
    return table !== undefined && tables.has(table);
  });
}

test('no statement selects all columns of a table, because a column of a later release would break it', () => {
  expect(tables.size).toBeGreaterThan(30);
  expect(
    sources.flatMap((path) => openStatements(read(path)).map((text) => `${path}: ${text.trim()}`)),
  ).toEqual([]);
});

test('such statements are found', () => {
  const trap = (text: string) => openStatements(`\`${text}\``).length;
  expect(trap('insert into trades default values returning *')).toBe(1);
  expect(trap('select * from trades where id = 1')).toBe(1);
  expect(trap('select t.* from unnest(1) as b (a) join trades t on true')).toBe(1);
  expect(trap('select t.* from tokens k left join lateral (select id from trades) t on true')).toBe(0);
  expect(trap('with page as (select * from trades) select id from page')).toBe(0);
});
