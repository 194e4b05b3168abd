import type { TSchema } from '@sinclair/typebox';

/** A field of a body in the reference. */
export interface Field {
  name: string;
  /** Type and form in words, e.g. `Address or null`. */
  type: string;
  isRequired: boolean;
  meaning: string | undefined;
  /** Allowed values, if there are few. */
  values: readonly string[];
  /** Constraints of the value, in words. */
  rules: readonly string[];
  fields: readonly Field[];
}

/** Lists the fields of an object, or of the objects in a list; empty for any other schema. */
export function fieldsOf(schema: TSchema): readonly Field[] {
  const content = withoutNull(schema);
  if (content.type === 'array') return fieldsOf(content.items);
  if (content.anyOf !== undefined && content.properties === undefined) return variants(content);
  return Object.entries<TSchema>(content.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: content.required?.includes(name) ?? false,
    meaning: field.description,
    values: valuesOf(field),
    rules: rulesOf(withoutNull(field)),
    fields: fieldsOf(field),
  }));
}

/** Merges the fields of several shapes; a field that is not in all of them is optional. */
function variants({ anyOf }: TSchema): readonly Field[] {
  const lists = (anyOf as readonly TSchema[]).map(fieldsOf);
  const byName = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...byName.values()].map((same) => ({
    ...(same[0] as Field),
    isRequired: same.length === lists.length && same.every(({ isRequired }) => isRequired),
    values: [...new Set(same.flatMap(({ values }) => values))],
  }));
}

function withoutNull(schema: TSchema): TSchema {
  const members: readonly TSchema[] = schema.anyOf ?? [];
  const [only, ...others] = members.filter(({ type }) => type !== 'null');
  return only !== undefined && others.length === 0 ? only : schema;
}

const formats: Readonly<Record<string, string>> = {
  address: 'Address',
  uuid: 'UUID',
  'date-time': 'Timestamp',
  uri: 'URL',
};

function typeOf(schema: TSchema): string {
  const content = withoutNull(schema);
  const isNullable = (schema.anyOf ?? []).some(({ type }: TSchema) => type === 'null');
  return `${plainType(content)}${isNullable ? ' or null' : ''}`;
}

function plainType(schema: TSchema): string {
  if (schema.type === 'array') return `list of ${plainType(schema.items)}`;
  if (schema.patternProperties !== undefined) return 'map';
  if (schema.type === 'object') return 'object';
  if (schema.anyOf !== undefined) {
    const kinds = new Set((schema.anyOf as readonly TSchema[]).map(plainType));
    return [...kinds].join(' or ');
  }
  if (typeof schema.format === 'string') return formats[schema.format] ?? schema.format;
  if (schema.pattern === INTEGER_TEXT) return 'IntString';
  if (schema.pattern === DECIMAL_TEXT) return 'DecimalString';
  return schema.const === undefined ? String(schema.type ?? 'any') : 'string';
}

const INTEGER_TEXT = '^(0|[1-9][0-9]*)$';
const DECIMAL_TEXT = '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$';

function valuesOf(schema: TSchema): readonly string[] {
  const content = schema.type === 'array' ? schema.items : schema;
  const members: readonly TSchema[] = content.anyOf ?? [content];
  const constants = members.filter(({ const: value }) => value !== undefined);
  return constants.map(({ const: value }) => String(value));
}

function rulesOf(schema: TSchema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: standard } = schema;
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    standard === undefined ? undefined : `default ${JSON.stringify(standard)}`,
  ].filter((rule) => rule !== undefined);
}

function range(least: number | undefined, most: number | undefined, unit: string) {
  if (least === undefined && most === undefined) return undefined;
  const [from, to] = [least?.toLocaleString('en'), most?.toLocaleString('en')];
  if (to === undefined) return `at least ${from}${unit}`;
  return from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
}
