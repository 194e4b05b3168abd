import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingTests } from '../support/documentation/named-tests.ts';

const root = join(import.meta.dir, '..', '..');
const COLUMNS = ['source', 'what was tried', 'right value', 'test that holds it'];
/** A public thread, or a section of an RFC. */
const SOURCE = /^(?:[\w.-]+\/[\w.-]+#\d+|RFC \d+, [\d.]+)$/;
/** Files, each with the titles of its tests. */
const TESTS =
  /^`test\/[\w/-]+\.test\.ts` "[^"]+"(?:, "[^"]+")*(?:; `test\/[\w/-]+\.test\.ts` "[^"]+"(?:, "[^"]+")*)*$/;

const rows = readFileSync(join(root, 'docs/reference/public-reports.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---'));
const reports = rows.filter((row) => !row.startsWith(`| ${COLUMNS[0]} |`));

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function sourcesOf(row: string): string[] {
  return (cellsOf(row)[0] ?? '').split(/, (?![\d.])/);
}

/** What is wrong with the rows of reports. */
function faultsOf(table: readonly string[]): string[] {
  const sources = table.flatMap(sourcesOf);
  const repeated = sources.filter((source, at) => sources.indexOf(source) !== at);
  const faults = table.flatMap((row) => {
    const cells = cellsOf(row);
    const [, tried = '', right = '', tests = ''] = cells;
    const isWhole =
      cells.length === COLUMNS.length &&
      sourcesOf(row).every((source) => SOURCE.test(source)) &&
      tried !== '' &&
      right !== '' &&
      TESTS.test(tests);
    return isWhole ? missingTests(tests) : [`not whole: ${row}`];
  });
  return [...faults, ...repeated.map((source) => `twice: ${source}`)];
}

test('every table of public reports has the same four columns', () => {
  const headers = rows.filter((row) => !reports.includes(row));
  for (const header of headers) expect(cellsOf(header)).toEqual(COLUMNS);
  expect(reports.length).toBeGreaterThan(60);
});

test('every public report names its sources once, what was tried, what is right, and tests that exist', () => {
  expect(faultsOf(reports)).toEqual([]);
});

test('a report is refused without one of these', () => {
  const title = 'a report is refused without one of these';
  const whole = ['a/b#1, RFC 9112, 7.1', 'tried', 'right', `\`test/unit/public-reports.test.ts\` "${title}"`];
  const faultsWith = (cell: number, text: string) =>
    faultsOf([`| ${whole.with(cell, text).join(' | ')} |`]).map((fault) => fault.split(':')[0]);
  expect(faultsWith(1, 'tried')).toEqual([]);
  for (const sources of ['', 'a/b', 'b#1', 'a/b#1 c/d#2'])
    expect(faultsWith(0, sources)).toEqual(['not whole']);
  expect([faultsWith(1, ''), faultsWith(2, '')]).toEqual([['not whole'], ['not whole']]);
  const files = [
    '',
    '`test/unit/public-reports.test.ts`',
    '`src/a.test.ts` "a"',
    'test/unit/config.test.ts "a"',
  ];
  for (const tests of files) expect(faultsWith(3, tests)).toEqual(['not whole']);
  expect(faultsWith(3, '`test/unit/nothing.test.ts` "a"')).toContain('test/unit/nothing.test.ts');
  expect(faultsWith(3, '`test/unit/config.test.ts` "no such title"')).toEqual(['test/unit/config.test.ts']);
  expect(faultsWith(0, 'a/b#1, c/d#2, a/b#1')).toEqual(['twice']);
  const row = `| ${whole.join(' | ')} |`;
  expect(faultsOf([row, row])).toEqual(['twice: a/b#1', 'twice: RFC 9112, 7.1']);
});
