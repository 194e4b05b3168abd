import { FormatRegistry, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { isAddress, isSignature } from './address.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

FormatRegistry.Set('uuid', (value) => UUID.test(value));
FormatRegistry.Set('address', isAddress);
FormatRegistry.Set('signature', isSignature);
FormatRegistry.Set('event-subject', (value) => isAddress(value) || UUID.test(value));
FormatRegistry.Set('date-time', (value) => RFC_3339.test(value) && !Number.isNaN(Date.parse(value)));

/** base58 text of 32 bytes (contract/requests#address). */
export const AddressField = Type.String({
  format: 'address',
  description: 'base58, 32 to 44 characters, 32 bytes',
  examples: ['So11111111111111111111111111111111111111112'],
});

/** base58 text of 64 bytes. */
export const SignatureField = Type.String({
  format: 'signature',
  description: 'base58, 64 to 88 characters, 64 bytes',
  examples: ['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
});

export const UuidField = Type.String({ format: 'uuid', examples: ['0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'] });

/** What an event is about: an address or a UUID (contract/events#catalogue). */
export const SubjectField = Type.String({
  maxLength: 44,
  format: 'event-subject',
  description: 'a mint address, or the id of a presale, round, prediction, operation, intent or endpoint',
  examples: ['So11111111111111111111111111111111111111112'],
});

/** RFC 3339 instant; written as UTC with milliseconds. */
export const TimestampField = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });

/** `0` or digits without a leading zero. */
export const IntStringField = Type.String({ pattern: '^(0|[1-9][0-9]*)$', examples: ['1000000'] });

/** Integer part without leading zeros, optional fraction without trailing zeros. */
export const DecimalStringField = Type.String({
  pattern: '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$',
  examples: ['0.000000029295'],
});

/** A value or null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** One of several strings, as an `enum` in the documentation. */
export function OneOf<const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>(Type.Union(values.map((value) => Type.Literal(value))));
}
