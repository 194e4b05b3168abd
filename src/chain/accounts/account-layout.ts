import { type Address, addressBytes, encodeAddress } from '../../shared/address.ts';
import { type AccountShape, type ChainAccount, hasShape } from './account-data.ts';

/** Little-endian integers, and addresses of 32 bytes. */
interface KindValues {
  u8: number;
  u16: number;
  u32: number;
  u64: bigint;
  u128: bigint;
  u256: bigint;
  address: Address;
}
type Kind = keyof KindValues;

/** The offset of each field of an account, counted from the discriminator's first byte. */
type FieldTable = Readonly<Record<string, readonly [offset: number, kind: Kind]>>;

/** The decoded fields of a table. */
export type FieldsOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table]: KindValues[Table[Name][1]];
};

/** Reads and writes the fields of one kind of account. Bytes outside the table's fields stay as they are. */
export interface AccountLayout<Fields> {
  /** Null when the account is of another kind. */
  read(account: ChainAccount | null): Fields | null;
  /** Writes these fields over those in `data`. Throws RangeError for a value that does not fit its field. */
  write(data: Uint8Array, fields: Partial<Fields>): void;
}

export function accountLayout<const Table extends FieldTable>(
  shape: AccountShape,
  table: Table,
): AccountLayout<FieldsOf<Table>> {
  const entries = Object.entries(table);
  return {
    read: (account) => {
      if (account === null || !hasShape(account, shape)) return null;
      const { buffer, byteOffset, byteLength } = account.data;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      const fields: Record<string, unknown> = {};
      for (const [name, [offset, kind]] of entries) fields[name] = readers[kind](bytes, offset);
      return fields as FieldsOf<Table>;
    },
    write: (data, fields) => {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      for (const [name, value] of Object.entries(fields)) {
        const field = table[name];
        if (field === undefined) throw new RangeError(`the account has no field ${name}`);
        writeField(bytes, field[0], field[1], value);
      }
    },
  };
}

const readers: { readonly [K in Kind]: (bytes: Buffer, offset: number) => KindValues[K] } = {
  u8: (bytes, offset) => bytes.readUInt8(offset),
  u16: (bytes, offset) => bytes.readUInt16LE(offset),
  u32: (bytes, offset) => bytes.readUInt32LE(offset),
  u64: (bytes, offset) => bytes.readBigUInt64LE(offset),
  u128: readU128,
  u256: (bytes, offset) => readU128(bytes, offset) + (readU128(bytes, offset + 16) << 128n),
  address: (bytes, offset) => encodeAddress(bytes.subarray(offset, offset + 32)),
};

function readU128(bytes: Buffer, offset: number): bigint {
  const high = bytes.readBigUInt64LE(offset + 8);
  const low = bytes.readBigUInt64LE(offset);
  return high === 0n ? low : low + (high << 64n);
}

function writeField(bytes: Buffer, offset: number, kind: Kind, value: unknown): void {
  switch (kind) {
    case 'u8':
      bytes.writeUInt8(value as number, offset);
      break;
    case 'u16':
      bytes.writeUInt16LE(value as number, offset);
      break;
    case 'u32':
      bytes.writeUInt32LE(value as number, offset);
      break;
    case 'address':
      writeAddress(bytes, offset, value as Address);
      break;
    default:
      writeWide(bytes, offset, value as bigint, wideBytes[kind]);
  }
}

const wideBytes = { u64: 8, u128: 16, u256: 32 } as const;

/** A little-endian integer of `byteCount` bytes, a multiple of 8. Throws RangeError when it does not fit. */
export function writeWide(bytes: Buffer, offset: number, value: bigint, byteCount: number): void {
  if (value < 0n || value >> BigInt(byteCount * 8) !== 0n)
    throw new RangeError('the value does not fit its field');
  for (let at = 0; at < byteCount; at += 8) {
    bytes.writeBigUInt64LE((value >> BigInt(at * 8)) & 0xffff_ffff_ffff_ffffn, offset + at);
  }
}

function writeAddress(bytes: Buffer, offset: number, address: Address): void {
  bytes.set(addressBytes(address), offset);
}
