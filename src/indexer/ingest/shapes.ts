import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ValueErrorIterator } from '@sinclair/typebox/errors';
import { isAddress } from '../../shared/address.ts';
import { TimestampField } from '../../shared/field-schemas.ts';
import { parseInstant } from '../../shared/instant.ts';
import { schemaMistake } from '../../shared/schema-mistakes.ts';
import type { Checked } from './verdict.ts';

/** Shapes of values (contract/requests#value-shapes), for messages of the ingest stream. */
export const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
export const DecimalString = Type.String({ pattern: '^(?:0|[1-9]\\d{0,38})(?:\\.\\d{0,37}[1-9])?$' });
export const IntString = Type.String({ pattern: '^(?:0|[1-9]\\d{0,18})$' });
export const Signature = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' });
export const Timestamp = TimestampField;
/** A count in the range of Postgres' int4. */
export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** Index of an instruction: at top level, or among the inner ones. */
export const InstructionIndex = Type.Integer({ minimum: 0, maximum: 65_535 });

/** Lamports or base units of a token: up to 20 digits, enough for every 64-bit amount of the chain. */
export const RawAmount = Type.String({ pattern: '^(?:0|[1-9]\\d{0,19})$' });
/** A raw amount above zero, because a movement of nothing is not a movement. */
export const PositiveRawAmount = Type.String({ pattern: '^[1-9]\\d{0,19}$' });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/**
 * Checks messages of one kind: first by their schema, then whether addresses have 32 bytes, which patterns cannot
 * express. Unknown fields are ignored. Writes the times of a valid message in UTC.
 *
 * @param mistakeOf the mistake of a message whose single fields are all valid, as `/field expectation`
 */
export function messageCheck<Schema extends TObject>(
  schema: Schema,
  mistakeOf: (message: Static<Schema>) => string | null = () => null,
): (value: unknown) => Checked<Static<Schema>> {
  const compiled = TypeCompiler.Compile(schema);
  const addresses = fieldsOf(schema, Address);
  const times = fieldsOf(schema, Timestamp);
  return (value) => {
    if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
    const texts = value as Record<string, string | null | undefined>;
    const detail =
      addresses.reduce((first: string | null, field) => first ?? addressError(field, texts[field]), null) ??
      mistakeOf(value);
    if (detail !== null) return { ok: false, detail };
    for (const field of times) texts[field] &&= utcText(texts[field]);
    return { ok: true, message: value };
  };
}

/** The fields of a shape, optional and nullable ones too. */
function fieldsOf({ properties }: TObject, { pattern, format }: TSchema): string[] {
  const isOfShape = (schema: TSchema): boolean =>
    (schema.type === 'string' && schema.pattern === pattern && schema.format === format) ||
    (schema.anyOf ?? []).some(isOfShape);
  return Object.keys(properties).filter((field) => isOfShape(properties[field] as TSchema));
}

/** The first error of a schema check as `/field expectation`. */
function firstSchemaError(errors: ValueErrorIterator): string {
  const first = errors.First();
  return first === undefined ? 'invalid' : schemaMistake(first);
}

/** Null for base58 text of 32 bytes, and when there is no text. */
export function addressError(field: string, text: string | null | undefined): string | null {
  return text == null || isAddress(text) ? null : `/${field} Expected an address of 32 bytes`;
}

/** The same instant as this service writes it: Postgres reads fewer offsets than RFC 3339 has. */
export function utcText(text: string): string {
  return parseInstant(text).toISOString();
}
