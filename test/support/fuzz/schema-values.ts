import fc from 'fast-check';
import type { DocumentPart } from '../documentation/document-part.ts';

/** Texts are no longer than this, even where a schema allows it, so that requests stay small. */
const LENGTH_MAX = 60;
const ITEMS_MAX = 3;

/** Values that a schema of a document accepts, drawn from nothing but the schema. */
export function fitting(schema: DocumentPart): fc.Arbitrary<unknown> {
  const { type, enum: names, examples = [], anyOf } = schema.value;
  if (names !== undefined) return fc.constantFrom(...names);
  const forms: fc.Arbitrary<unknown>[] = [type ?? []].flat().map((one: string) => ofType(schema, one));
  if (anyOf !== undefined) forms.push(...schema.members('anyOf').map(([, part]) => fitting(part)));
  if (examples.length > 0) forms.push(fc.constantFrom(...examples));
  return forms.length === 0 ? fc.constant('x') : fc.oneof(...forms);
}

function ofType(schema: DocumentPart, type: string): fc.Arbitrary<unknown> {
  const {
    minimum = -1000,
    maximum = 2 ** 31,
    minItems = 0,
    maxItems = ITEMS_MAX,
    required = [],
  } = schema.value;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'array': {
      const items = schema.get('items');
      if (items === undefined) return fc.constant([]);
      return fc.array(fitting(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, ITEMS_MAX)),
      });
    }
    case 'object':
      return fc.record(
        Object.fromEntries(schema.members('properties').map(([name, part]) => [name, fitting(part)])),
        { requiredKeys: required },
      );
    default:
      return text(schema.value);
  }
}

interface TextKeywords {
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
}

function text({
  format,
  pattern,
  minLength = 0,
  maxLength = LENGTH_MAX,
}: TextKeywords): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  const most = Math.max(minLength, Math.min(maxLength, LENGTH_MAX));
  if (pattern === undefined) return fc.string({ minLength, maxLength: most, unit: 'grapheme' });
  return fc.stringMatching(new RegExp(pattern)).map((value) => value.slice(0, maxLength));
}

/** Values at the bounds of a schema, just beyond them, and of other types. */
export function odd(schema: DocumentPart): fc.Arbitrary<unknown> {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema.value;
  const bounds: unknown[] = [minimum, maximum]
    .filter((bound) => bound !== undefined)
    .flatMap((bound) => [bound - 1, bound, bound + 1]);
  for (const length of [minLength, maxLength].filter((one) => one !== undefined))
    bounds.push('x'.repeat(length), 'x'.repeat(length + 1));
  const items = schema.get('items');
  const lists =
    items === undefined || maxItems === undefined || maxItems > 200
      ? []
      : [fc.array(fitting(items), { minLength: maxItems + 1, maxLength: maxItems + 1 })];
  return fc.oneof(
    fc.constantFrom(...bounds, ...ODD_VALUES),
    fc.string({ maxLength: LENGTH_MAX, unit: 'binary' }),
    fc.integer(),
    fc.double(),
    fc.jsonValue({ maxDepth: 2 }),
    ...lists,
  );
}

const ODD_VALUES: readonly unknown[] = [
  'So11111111111111111111111111111111111111112',
  '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  '2026-11-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'https://example.com/hook',
  'AAAA',
  ['*'],
  null,
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e9',
  '1'.repeat(40),
  '\0',
  '__proto__',
];
