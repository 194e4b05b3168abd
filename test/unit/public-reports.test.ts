import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const COLUMNS = ['source', 'what was tried', 'right value', 'test that holds it'];
/** A public thread, or a section of an RFC. */
const SOURCE = /^(?:[\w.-]+\/[\w.-]+#\d+|RFC \d+, [\d.]+)$/;
const TEST_FILE = /^`test\/[\w/-]+\.test\.ts`$/;

const rows = readFileSync(join(root, 'docs/reference/public-reports.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map((cells) => cells.slice(1, -1));
const reports = rows.filter(([source]) => source !== COLUMNS[0]);

test('every table of public reports has the same four columns', () => {
  for (const row of rows) expect(row).toHaveLength(COLUMNS.length);
  for (const header of rows.filter(([source]) => source === COLUMNS[0])) expect(header).toEqual(COLUMNS);
  expect(reports.length).toBeGreaterThan(30);
});

test('every public report names its source, what was tried, what is right, and test files that exist', () => {
  const faults = reports.flatMap(([sources = '', tried = '', right = '', tests = '']) => {
    const files = tests.split(', ');
    const isWhole =
      sources.split(/, (?![\d.])/).every((source) => SOURCE.test(source)) &&
      tried !== '' &&
      right !== '' &&
      files.every((file) => TEST_FILE.test(file) && existsSync(join(root, file.replaceAll('`', ''))));
    return isWhole ? [] : [`${sources}: ${tests}`];
  });
  expect(faults).toEqual([]);
});
