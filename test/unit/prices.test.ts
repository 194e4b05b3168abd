import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { prices } from '../../src/shared/prices.ts';

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const meanings = new Set<string>(Object.values(prices).map(({ meaning }) => meaning));
const isPrice = (name: string, parent: string) =>
  /^(?:current|spot|average|starting|graduation)?[pP]rice(?:PerToken|After)*InSol$|^spotPriceAfterInSol$/.test(
    name,
  ) ||
  (name === 'price' && parent.startsWith('trigger'));

/** The fields below a schema that are prices of a token, with their descriptions. */
function pricesIn(node: unknown, parent = ''): [name: string, description: string][] {
  if (Array.isArray(node)) return node.flatMap((one) => pricesIn(one, parent));
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as Schema;
  const own = Object.entries(properties)
    .filter(([name]) => isPrice(name, parent))
    .map(([name, { description = '' }]): [string, string] => [name, description.replace(/ Not 0\.$/, '')]);
  const inner = Object.entries(node).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(properties).flatMap(([name, schema]) => pricesIn(schema, name))
      : pricesIn(value, parent),
  );
  return [...own, ...inner];
}

test('every field that is a price of a token says which price, in the words of the glossary', () => {
  const found = pricesIn({ ...document.components.schemas, ...document.paths });
  expect(found.filter(([, description]) => !meanings.has(description))).toEqual([]);
  const named = new Set(found.map(([, description]) => description));
  expect(Object.entries(prices).filter(([, { meaning }]) => !named.has(meaning))).toEqual([]);
  const glossary = readFileSync('docs/guides/glossary.md', 'utf8');
  for (const { field, meaning } of Object.values(prices))
    expect(glossary).toContain(`| \`${field}\` | ${meaning} |`);
});
