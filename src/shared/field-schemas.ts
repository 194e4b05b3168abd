import { FormatRegistry, type TProperties, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { isAddress, isSignature } from './address.ts';
import type { DecimalString } from './decimal.ts';
import { instantFault } from './instant.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

FormatRegistry.Set('uuid', isUuid);
FormatRegistry.Set('address', isAddress);
FormatRegistry.Set('signature', isSignature);
FormatRegistry.Set('event-subject', (value) => isAddress(value) || UUID.test(value));
FormatRegistry.Set('date-time', (value) => instantFault(value) === null);

/** base58 text of 32 bytes (contract/requests#address). */
export const AddressField = Type.String({
  format: 'address',
  examples: ['So11111111111111111111111111111111111111112'],
});

/** base58 text of 64 bytes. */
export const SignatureField = Type.String({
  format: 'signature',
  examples: ['5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'],
});

export const UuidField = Type.String({ format: 'uuid', examples: ['0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'] });

/** The address or UUID that an event is about (contract/events#catalogue). */
export const SubjectField = Type.String({
  maxLength: 44,
  format: 'event-subject',
  examples: ['So11111111111111111111111111111111111111112'],
});

/** RFC 3339 instant; written as UTC with milliseconds. */
export const TimestampField = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });

/** `0` or digits without a leading zero. */
export const IntStringField = Type.String({ pattern: '^(0|[1-9][0-9]*)$', examples: ['1000000'] });

/** Integer part without leading zeros, optional fraction without trailing zeros. */
export const DecimalStringField = Type.Unsafe<DecimalString>(
  Type.String({ pattern: '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', examples: ['0.000000029295'] }),
);

// Numbers of requests have a largest length: to read 900,000 digits takes 100 ms.
/** IntString of a request: more digits than any amount of the chain has. */
export const RequestedIntField = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$', examples: ['1000000'] });
/** DecimalString of a request. */
export const RequestedDecimalField = { ...DecimalStringField, maxLength: 40 };

/** A DecimalString that may begin with a minus sign; zero has none. */
export const SignedDecimalStringField = Type.String({
  pattern: '^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\\.[0-9]*[1-9])$',
  examples: ['-0.25'],
});

/** A field with its meaning for documentation, OpenAPI and the types of the client. */
export function described<Schema extends TSchema>(meaning: string, schema: Schema): Schema {
  return { ...schema, description: meaning };
}

export const CountField = Type.Integer({ minimum: 0 });

/** An object without further fields. */
export function Closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** A closed object that is described once under its name: a record of the API. */
export function Named<Fields extends TProperties>(name: string, fields: Fields) {
  return Type.Object(fields, { $id: name, additionalProperties: false });
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** One of several strings, as an `enum` in OpenAPI. */
export function OneOf<const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>(Type.Union(values.map((value) => Type.Literal(value))));
}

export const SentSignatureField = described(
  'Signature of the transaction on chain; null until it was sent.',
  Nullable(Type.String()),
);

// Fields with the same meaning in every record.
export const IdField = described('Identifies the record.', UuidField);
export const MintAddressField = described('Mint of the token.', AddressField);
export const WalletAddressField = described('Address of the wallet.', AddressField);
export const SlotField = described('Slot of the chain at which this was read.', IntStringField);
export const AsOfField = described('When this was observed.', TimestampField);
export const CreatedAtField = described('When the record was created.', TimestampField);
export const UpdatedAtField = described('When the record last changed.', TimestampField);
export const CompletedAtField = described('When it ended; null until then.', Nullable(TimestampField));
export const VersionField = described('Version of the record, for `If-Match`.', Type.Integer({ minimum: 1 }));
export const CodeField = described('Stable identifier. Branch on it.', Type.String());
export const DetailField = described('What happened, in a sentence. Its wording may change.', Type.String());

/** Paths of tokens, wallets and webhook endpoints, below which several features have operations. */
export const MintPath = Type.Object({
  mint: described('Mint address of the token: base58 of 32 bytes, 32 to 44 characters.', AddressField),
});
export const WalletPath = Type.Object({
  address: described('Address of the wallet: base58 of 32 bytes, 32 to 44 characters.', AddressField),
});
export const EndpointPath = Type.Object({ endpointId: described('Webhook endpoint id.', UuidField) });
