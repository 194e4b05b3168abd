import { type TSchema, Type } from '@sinclair/typebox';
import type { ValueErrorIterator } from '@sinclair/typebox/errors';
import { isAddress } from '../../shared/address.ts';
import { schemaMistake } from '../../shared/schema-mistakes.ts';

/** Shapes of values (contract/requests#value-shapes), for messages of the ingest stream. */
export const Address = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' });
export const DecimalString = Type.String({ pattern: '^(?:0|[1-9]\\d{0,38})(?:\\.\\d{0,37}[1-9])?$' });
export const IntString = Type.String({ pattern: '^(?:0|[1-9]\\d{0,18})$' });
export const Signature = Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$' });
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})$',
});
/** A number of things, as Postgres' int4 holds it. */
export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** Position of an instruction: top level, or among the inner ones of a top-level one. */
export const InstructionIndex = Type.Integer({ minimum: 0, maximum: 65_535 });

/** Lamports or base units of a token: up to 20 digits, which hold every 64-bit amount of the chain. */
export const RawAmount = Type.String({ pattern: '^(?:0|[1-9]\\d{0,19})$' });
/** The same above zero: a movement of nothing is none. */
export const PositiveRawAmount = Type.String({ pattern: '^[1-9]\\d{0,19}$' });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** The first error of a schema check as `/field expectation`. */
export function firstSchemaError(errors: ValueErrorIterator): string {
  const first = errors.First();
  return first === undefined ? 'invalid' : schemaMistake(first);
}

// What Postgres and ISO texts of four digits hold, whatever the offset.
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Checks what patterns cannot: that base58 text has 32 bytes, and that a date exists. Null when both hold. */
export function contentError(
  addresses: Readonly<Record<string, string | null | undefined>>,
  times: Readonly<Record<string, string | null | undefined>>,
): string | null {
  for (const [field, text] of Object.entries(addresses)) {
    if (text != null && !isAddress(text)) return `/${field} Expected an address of 32 bytes`;
  }
  for (const [field, text] of Object.entries(times)) {
    if (text == null) continue;
    const time = Date.parse(text);
    if (!(time >= FIRST_MS && time <= LAST_MS))
      return `/${field} Expected an existing time of the years 1 to 9999`;
  }
  return null;
}
