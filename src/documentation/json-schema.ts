import type { TSchema } from '@sinclair/typebox';

/** A JSON Schema of draft 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };

export interface SchemaOptions {
  /** Returns the address of a schema that is described elsewhere; undefined to describe it in place. */
  refOf?(schema: TSchema): string | undefined;
  /**
   * Objects that we send may gain fields within a major version, so readers must not refuse unknown ones;
   * objects that we accept are closed (contract/requests#validation).
   */
  direction: 'sent' | 'accepted';
}

/** Formats of this API, in keywords that every validator supports. */
const ownFormats: Readonly<Record<string, JsonSchema>> = {
  address: {
    pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
    description: 'base58 of 32 bytes, 32 to 44 characters',
  },
  signature: {
    pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
    description: 'base58 of 64 bytes, 64 to 88 characters',
  },
  byte: { contentEncoding: 'base64' },
  'event-subject': {
    pattern: '^(?:[1-9A-HJ-NP-Za-km-z]{32,44}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description: 'a mint address, or a UUID',
  },
};

/**
 * Converts a TypeBox schema to plain JSON Schema: literal unions as `enum`, nullable values as `type: [T,
 * "null"]`. Nullable enumerations, objects and lists are `anyOf` instead: generators lose that null, or make a name of it.
 */
export function toJsonSchema(schema: TSchema, options: SchemaOptions): JsonSchema {
  const reference = options.refOf?.(schema);
  return reference === undefined ? describe(schema, options) : { $ref: reference };
}

/** As `toJsonSchema`, but in place even if the schema itself has an address. */
export function describe(schema: TSchema, options: SchemaOptions): JsonSchema {
  const convert = (part: TSchema) => toJsonSchema(part, options);
  const {
    anyOf,
    items,
    properties,
    patternProperties,
    additionalProperties,
    format,
    const: constant,
    description,
  } = schema;
  const result = keywordsOf(schema);
  if (typeof format === 'string') Object.assign(result, ownFormats[format] ?? { format });
  if (constant !== undefined) Object.assign(result, { enum: [constant] });
  if (items !== undefined) result.items = convert(items);
  const isClosed = additionalProperties === false && options.direction === 'accepted';
  // Without fields it may hold any, which `openapi-typescript` reads as none unless it is said.
  if (properties !== undefined && Object.keys(properties).length === 0 && !isClosed)
    result.additionalProperties = {};
  else if (properties !== undefined) result.properties = mapValues(properties, convert);
  if (isClosed) result.additionalProperties = false;
  const [recordValue] = Object.values<TSchema>(patternProperties ?? {});
  if (recordValue !== undefined) result.additionalProperties = convert(recordValue);
  if (anyOf !== undefined) Object.assign(result, describeUnion(anyOf, convert));
  // The meaning of a field replaces that of its form.
  if (description !== undefined) result.description = description;
  return result;
}

const COPIED_KEYWORDS = [
  'type',
  'description',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'required',
  'default',
  'examples',
] as const;

function keywordsOf(schema: TSchema): JsonSchema {
  const entries = COPIED_KEYWORDS.map((keyword) => [keyword, schema[keyword]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function describeUnion(members: readonly TSchema[], convert: (schema: TSchema) => JsonSchema): JsonSchema {
  const values = members.filter(({ type }) => type !== 'null');
  const isNullable = values.length < members.length;
  const [only] = values;
  if (values.length > 0 && values.every((member) => member.const !== undefined)) {
    const names = { type: 'string', enum: values.map((member) => member.const) };
    return isNullable ? nullable(names) : names;
  }
  if (isNullable && values.length === 1 && only !== undefined) return nullable(convert(only));
  return { anyOf: members.map(convert) };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { type, description, ...rest } = schema;
  const meaning = description !== undefined && { description };
  if (schema.enum !== undefined || type === 'object' || type === 'array')
    return { ...meaning, anyOf: [{ type, ...rest }, { type: 'null' }] };
  return { ...meaning, type: [type, 'null'], ...rest };
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  convert: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));
}
