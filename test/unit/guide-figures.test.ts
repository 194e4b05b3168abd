import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { guides } from '../../src/documentation/guides/catalogue.ts';
import { fillFigures, renewFigures } from '../../src/documentation/guides/figures.ts';
import { guideFile } from '../../src/documentation/guides/read-guide.ts';
import { defaultRateLimits } from '../../src/shared/rate-policies.ts';

const options = {
  publicUrl: 'http://api.test',
  docsUrl: 'http://api.test/docs',
  rateLimits: { ...defaultRateLimits, 'report-read': { limit: 1234, windowSeconds: 60 } },
};

test.each(guides.map((guide) => [guide.slug, guide] as const))(
  'the file %s shows the figures of the code to a reader without the site',
  (slug, guide) => {
    const text = readFileSync(guideFile(guide), 'utf8');
    expect(renewFigures(text) === text, `${slug}.md is old: run \`npm run guides:write\``).toBe(true);
    expect(text).not.toContain('{{');
  },
);

test('a page shows the figures of its deployment, whatever the file has, and no mark', () => {
  const table = fillFigures('<!-- rate-limits -->\nstale\n<!-- /rate-limits -->', options);
  expect(table).toContain('| `report-read` | 1,234 | 60 s |');
  expect(table).not.toContain('stale');
  expect(fillFigures('up to 7<!-- statsTokens --> mints', options)).toBe('up to 100 mints');
  expect(fillFigures('http://localhost:3000/docs', options)).toBe('http://api.test/docs');
});

test('a file gets the default limits, and keeps its marks and its address', () => {
  const table = renewFigures('<!-- rate-limits -->\nstale\n<!-- /rate-limits -->');
  expect(table).toStartWith('<!-- rate-limits -->\n\n| Policy |');
  expect(table).toContain('| `report-read` | 60 | 60 s |');
  expect(renewFigures(table)).toBe(table);
  expect(renewFigures('7<!-- statsTokens --> http://localhost:3000')).toBe(
    '100<!-- statsTokens --> http://localhost:3000',
  );
});

test.each([
  ['an undefined number', '1<!-- nothing -->', 'nothing'],
  ['an undefined table', '<!-- no-table -->\n<!-- /no-table -->', 'no-table'],
  ['a table without its end', '<!-- scopes -->', 'scopes'],
  ['a mark without its number', 'up to <!-- statsTokens --> mints', 'statsTokens'],
  ['a hole', 'up to {{statsTokens}} mints', 'statsTokens'],
])('a guide with %s is refused', (_, text, name) => {
  expect(() => fillFigures(text, options)).toThrow(name);
});
