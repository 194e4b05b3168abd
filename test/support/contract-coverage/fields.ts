import type { TSchema } from '@sinclair/typebox';
import { writeAtEnd } from './coverage-file.ts';
import { type Fields, look, missingOf, placeOf } from './schema-fields.ts';

/** A schema, and the name of what it describes, unless it has one itself. */
export interface DescribedValue {
  name: string;
  schema: TSchema;
}

const MARK = 'field';
const fields: Fields = new Map();
const places = new Map<TSchema, ReturnType<typeof placeOf>>();

/** Records what is in the fields of a value, which is asked for only while some of it is missing. */
export function recordFields({ name, schema }: DescribedValue, value: () => unknown): void {
  if (places.size === 0) writeAtEnd(linesOfFields);
  const place = places.get(schema) ?? placeOf(schema, name, fields);
  places.set(schema, place);
  if (!place.isComplete) look(place, value());
}

function linesOfFields(): string[] {
  return [...fields.values()].map(({ name, sawNull, values }) =>
    [MARK, name, sawNull ? 'null' : '-', ...values].join(' '),
  );
}

/** Fields of these schemas that no test has seen with a null and values, as `name: what`. */
export function unseenFields(described: readonly DescribedValue[], lines: Iterable<string>): string[] {
  const all: Fields = new Map();
  for (const { schema, name } of described) placeOf(schema, name, all);
  for (const line of lines) {
    const [mark, name = '', isNull, ...values] = line.split(' ');
    const field = mark === MARK ? all.get(name) : undefined;
    if (field === undefined) continue;
    field.sawNull ||= isNull === 'null';
    for (const value of values) field.values.add(value);
  }
  return [...all.values()].flatMap(missingOf);
}
