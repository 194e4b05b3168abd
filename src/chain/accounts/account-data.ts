import { type Address, encodeAddress } from '../../shared/address.ts';
import { DISCRIMINATOR_BYTES } from '../anchor-discriminator.ts';

/** An account as a node returned it: the program that owns it, and its bytes. */
export interface ChainAccount {
  owner: string;
  data: Uint8Array;
}

/** Little-endian fields of account data; every read throws RangeError beyond the end. */
export interface AccountFields {
  u8(offset: number): number;
  u16(offset: number): number;
  u32(offset: number): number;
  u64(offset: number): bigint;
  u128(offset: number): bigint;
  address(offset: number): Address;
}

export function fieldsOf(data: Uint8Array): AccountFields {
  const bytes = Buffer.from(data);
  const u64 = (offset: number) => bytes.readBigUInt64LE(offset);
  return {
    u8: (offset) => bytes.readUInt8(offset),
    u16: (offset) => bytes.readUInt16LE(offset),
    u32: (offset) => bytes.readUInt32LE(offset),
    u64,
    u128: (offset) => u64(offset) + (u64(offset + 8) << 64n),
    address: (offset) => encodeAddress(bytes.subarray(offset, offset + 32)),
  };
}

/**
 * The conditions for reading an Anchor account: its owner, its possible discriminators, and its least size.
 */
export interface AccountShape {
  program: string;
  /** The first 8 bytes as hex. */
  discriminators: readonly string[];
  /** Programs append fields in upgrades, so longer data is read too. */
  bytesMin: number;
}

export function hasShape({ owner, data }: ChainAccount, shape: AccountShape): boolean {
  if (owner !== shape.program || data.length < shape.bytesMin) return false;
  return shape.discriminators.includes(Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString('hex'));
}
