import { expect, test } from 'bun:test';
import { FormatRegistry, type TSchema } from '@sinclair/typebox';
import { contractDefinitions } from '../../src/api/routes.ts';
import { runnerInputs } from '../../src/features/operations/kinds/input-schema.ts';
import { internalDefinitions } from '../../src/internal/routes.ts';

/** Forms whose texts are short by themselves. */
const SHORT_FORMATS = ['address', 'signature', 'uuid', 'date-time', 'event-subject'];
/** A repetition without a largest number, outside of a set of characters. */
const ENDLESS = /(?<!\\)[*+]|\{\d*,\}/;

/** Places of a request, and whether their values have a largest size. */
function places(schema: TSchema, place: string): [place: string, isBounded: boolean][] {
  const { type, properties = {}, patternProperties = {}, anyOf = [], allOf = [], items } = schema;
  const parts = [
    ...Object.entries<TSchema>(properties).map(([name, part]) => [part, `${place}.${name}`] as const),
    ...Object.values<TSchema>(patternProperties).map((part) => [part, `${place}.*`] as const),
    ...[...anyOf, ...allOf].map((part: TSchema) => [part, place] as const),
    ...(items === undefined ? [] : [[items as TSchema, `${place}[]`] as const]),
  ];
  const isLeaf = parts.length === 0 || type === 'array';
  return [
    ...(isLeaf ? [[place, isBounded(schema)] as [string, boolean]] : []),
    ...parts.flatMap(([part, name]) => places(part, name)),
  ];
}

function isBounded(schema: TSchema): boolean {
  const { type, format = '', pattern, maxLength, minimum, maximum, maxItems } = schema;
  if ('const' in schema) return true;
  switch (type) {
    case 'string':
      return (
        maxLength !== undefined ||
        SHORT_FORMATS.includes(format) ||
        (pattern !== undefined && isShort(pattern))
      );
    case 'integer':
    case 'number':
      return minimum !== undefined && maximum !== undefined;
    case 'array':
      return maxItems !== undefined;
    case 'object':
    case 'boolean':
    case 'null':
      return true;
    default:
      return false;
  }
}

function isShort(pattern: string): boolean {
  const withoutSets = pattern.replaceAll(/\[(?:\\.|[^\]])*\]/g, '.');
  return pattern.startsWith('^') && pattern.endsWith('$') && !ENDLESS.test(withoutSets);
}

const operations = [...contractDefinitions, ...internalDefinitions];
const parts: [place: string, schema: TSchema][] = [
  ...operations.flatMap(({ id, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [[`${id} ${part}`, schema] as [string, TSchema]],
    ),
  ),
  ...Object.entries(runnerInputs),
];

/** What its schema leaves open, and what bounds it. */
const BOUNDED_ELSEWHERE: Record<string, string> = {
  'createPrediction body.predictedPriceInSol':
    'its digits are counted before it is a number (contract/predictions#price-range)',
  'createOperation body.input.*':
    'the schema of its kind, or the size of a body where operators run the kind',
};

test('every value that a request may hold has a largest size', () => {
  const all = parts.flatMap(([place, schema]) => places(schema, place));
  expect(all.length).toBeGreaterThan(200);
  const endless = all.flatMap(([place, isOne]) => (isOne ? [] : [place]));
  // A cursor that is too long is 400, as any other that this service has not signed (contract/pagination#cursors).
  const unexplained = endless.filter(
    (place) => !/ query\.cursor$/.test(place) && !(place in BOUNDED_ELSEWHERE),
  );
  expect(unexplained).toEqual([]);
  expect(Object.keys(BOUNDED_ELSEWHERE).filter((place) => !endless.includes(place))).toEqual([]);
});

test('a format that stands for a largest size has one', () => {
  const long = ['1', 'a', 'A', '0', '-', '.'].map((character) => character.repeat(1_000));
  long.push(`2026-01-01T00:00:00.${'1'.repeat(1_000)}Z`);
  for (const format of SHORT_FORMATS)
    expect([format, long.map((text) => FormatRegistry.Get(format)?.(text))]).toEqual([
      format,
      long.map(() => false),
    ]);
});

test.each<[string, boolean]>([
  ['^(0|[1-9][0-9]{0,38})$', true],
  ['^[a-z*+]{1,3}$', true],
  ['^(buy|sell)(,(buy|sell)){0,19}$', true],
  ['^(0|[1-9][0-9]*)$', false],
  ['^[a-z]+$', false],
  ['^a{2,}$', false],
  ['[0-9]{1,3}', false],
])('%s has a largest length: %s', (pattern, expected) => {
  expect(isShort(pattern)).toBe(expected);
});
