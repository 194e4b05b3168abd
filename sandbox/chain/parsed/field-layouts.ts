import { encodeBase58 } from '../../../src/shared/base58.ts';
import { ByteReader, MalformedBytes } from '../byte-reader.ts';
import { ZERO_ADDRESS } from '../zero-address.ts';

/** Reads one value; undefined leaves the field out of the JSON. Throws MalformedBytes. */
export type Field = (reader: ByteReader) => unknown;
/** Reads the fields of one object in the order of their bytes. Throws MalformedBytes. */
export type Layout = (reader: ByteReader) => Record<string, unknown>;

// No account or instruction is longer than 10 MiB.
const TEXT_BYTES_MAX = 10_485_760n;
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

export const u8: Field = (reader) => reader.u8();
export const u64 = (reader: ByteReader): bigint => reader.u64();
export const u64Text: Field = (reader) => reader.u64().toString();
export const key = (reader: ByteReader): string => encodeBase58(reader.take(32));

/** A key; null for 32 zero bytes. */
export const keyOrNull: Field = (reader) => {
  const found = key(reader);
  return found === ZERO_ADDRESS ? null : found;
};

/** An optional value after a one-byte tag; null when absent. */
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

/** A string after its length in four bytes, as borsh writes it. */
export const text32 = (reader: ByteReader): string => utf8(reader.take(reader.u32()));

/** A string after its length in eight bytes, as bincode writes it. */
export const text64: Field = (reader) => {
  const bytes = reader.u64();
  if (bytes > TEXT_BYTES_MAX) throw new MalformedBytes('text too long');
  return utf8(reader.take(Number(bytes)));
};

/** All remaining bytes as text. */
export const restText: Field = (reader) => utf8(reader.take(reader.remaining));

/** The value read from the bytes, or null when they are not well formed. */
export function readOrNull<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    return read(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof MalformedBytes) return null;
    throw error;
  }
}

/** Decodes strict UTF-8. Throws MalformedBytes. */
export function utf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new MalformedBytes('not UTF-8');
  }
}
