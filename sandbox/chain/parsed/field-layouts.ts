import bs58 from 'bs58';
import { ByteReader, MalformedBytes } from '../byte-reader.ts';

/** Reads one value; undefined leaves the field out of the JSON. @throws MalformedBytes */
export type Field = (reader: ByteReader) => unknown;
/** Reads the fields of one object in the order of their bytes. @throws MalformedBytes */
export type Layout = (reader: ByteReader) => Record<string, unknown>;

const NO_KEY = '11111111111111111111111111111111';
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Fields by name, in the order of their bytes. */
export function layout(fields: Readonly<Record<string, Field>>): Layout {
  const entries = Object.entries(fields);
  return (reader) => {
    const info: Record<string, unknown> = {};
    for (const [name, read] of entries) {
      const value = read(reader);
      if (value !== undefined) info[name] = value;
    }
    return info;
  };
}

/** The same layout for bytes that must end with it. */
export function exactly(inner: Layout): Layout {
  return (reader) => {
    const info = inner(reader);
    if (reader.remaining !== 0) throw new MalformedBytes('trailing bytes');
    return info;
  };
}

export const u8: Field = (reader) => reader.u8();
export const u16: Field = (reader) => reader.u16();
export const u32: Field = (reader) => reader.u32();
export const u64 = (reader: ByteReader): bigint => reader.u64();
export const i16: Field = (reader) => viewOf(reader, 2).getInt16(0, true);
export const i64: Field = (reader) => viewOf(reader, 8).getBigInt64(0, true);
export const u64Text: Field = (reader) => reader.u64().toString();
export const u128Text: Field = (reader) => (reader.u64() + (reader.u64() << 64n)).toString();
export const flag = (reader: ByteReader): boolean => reader.u8() !== 0;
export const key = (reader: ByteReader): string => bs58.encode(reader.take(32));
export const f64Text: Field = (reader) => decimalText(viewOf(reader, 8).getFloat64(0, true));

/** An optional key that is 32 zero bytes when absent; null then. */
export const keyOrNull = (reader: ByteReader): string | null => {
  const found = key(reader);
  return found === NO_KEY ? null : found;
};
/** The same, left out when absent. */
export const keyIfAny: Field = (reader) => keyOrNull(reader) ?? undefined;

/** An optional value behind a one-byte tag; null when absent. */
export function tagged<T>(read: (reader: ByteReader) => T): (reader: ByteReader) => T | null {
  return (reader) => {
    const tag = reader.u8();
    if (tag > 1) throw new MalformedBytes('unknown option tag');
    return tag === 0 ? null : read(reader);
  };
}

/** The same, left out when absent. */
export function ifTagged(read: Field): Field {
  const optional = tagged(read);
  return (reader) => optional(reader) ?? undefined;
}

/** A string behind its length in four bytes, as borsh writes it. */
export const text32 = (reader: ByteReader): string => utf8(reader.take(reader.u32()));
/** A string behind its length in eight bytes, as bincode writes it. */
export const text64: Field = (reader) => utf8(reader.take(lengthOf(reader.u64())));
/** All remaining bytes as text. */
export const restText: Field = (reader) => utf8(reader.take(reader.remaining));
/** Bytes behind their length in eight bytes, as base64. */
export const bytes64: Field = (reader) => base64(reader.take(lengthOf(reader.u64())));

/** A fixed number of bytes as base64, as encrypted amounts and their keys are shown. */
export function base64Of(length: number): Field {
  return (reader) => base64(reader.take(length));
}

/** A fixed number of bytes as base64, or null when all are zero. */
export function base64OrNull(length: number): Field {
  return (reader) => {
    const bytes = reader.take(length);
    return bytes.every((byte) => byte === 0) ? null : base64(bytes);
  };
}

/** Values behind their number in eight bytes. */
export function list64(read: Field): Field {
  return (reader) => Array.from({ length: lengthOf(reader.u64()) }, () => read(reader));
}

/** One of a few names, by number. */
export function named(names: readonly string[]): Field {
  return (reader) => nameAt(names, reader.u8());
}

/** @throws MalformedBytes when there is no such name */
export function nameAt(names: readonly string[], index: number): string {
  const name = names[index];
  if (name === undefined) throw new MalformedBytes('unknown number of a name');
  return name;
}

/** What `read` makes of the bytes, or null when they are not well formed. */
export function readOrNull<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    return read(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}

/** Strict UTF-8. @throws MalformedBytes */
export function utf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new MalformedBytes('not UTF-8');
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function lengthOf(count: bigint): number {
  // No account or instruction is longer than 10 MiB, so a count above that is not one.
  if (count > 10_485_760n) throw new MalformedBytes('count too large');
  return Number(count);
}

function viewOf(reader: ByteReader, length: number): DataView {
  const bytes = reader.take(length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** A float as nodes print it: shortest digits that read back the same, never with an exponent. */
function decimalText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent] = String(value).split('e');
  if (exponent === undefined) return digits;
  const sign = digits.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${all}` : `${sign}${all.padEnd(point, '0')}`;
}
