import { encodeBase58 } from '../../src/shared/base58.ts';
import { type ByteReader, MalformedBytes } from './byte-reader.ts';

export type TransactionVersion = 'legacy' | 0 | 1;

export interface MessageHeader {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
}

export interface WireInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface TableLookup {
  readonly accountKey: string;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

interface LoadedKeys {
  readonly writable: readonly string[];
}

/** Compute budget of a v1 message; null = not set by the sender. */
export interface V1Config {
  readonly priorityFeeLamports: bigint | null;
  readonly computeUnitLimit: number | null;
  readonly loadedAccountsDataSizeLimit: number | null;
  readonly heapSize: number | null;
}

export interface WireMessage {
  readonly version: TransactionVersion;
  readonly header: MessageHeader;
  /** Base58 addresses written in the message itself; looked-up ones follow these in index order. */
  readonly staticKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly WireInstruction[];
  readonly lookups: readonly TableLookup[];
  readonly config: V1Config | null;
}

const MAX_INSTRUCTIONS = 64;
const V1_MAX_ADDRESSES = 64;

/** Reads one message (legacy, v0 or v1) and checks the structural rules a validator checks before execution. */
export function readMessage(reader: ByteReader): WireMessage {
  const first = reader.bytes[reader.offset] ?? 0;
  const message = first === 0x81 ? readV1(reader) : readLegacyOrV0(reader, first);
  checkStructure(message);
  return message;
}

function readHeader(reader: ByteReader): MessageHeader {
  return {
    numRequiredSignatures: reader.u8(),
    numReadonlySignedAccounts: reader.u8(),
    numReadonlyUnsignedAccounts: reader.u8(),
  };
}

function readLegacyOrV0(reader: ByteReader, first: number): WireMessage {
  if (first >= 0x80 && reader.u8() !== 0x80) throw new MalformedBytes('unknown message version');
  const version = first >= 0x80 ? 0 : 'legacy';
  const header = readHeader(reader);
  const staticKeys = Array.from({ length: reader.compactU16() }, () => encodeBase58(reader.take(32)));
  const blockhash = encodeBase58(reader.take(32));
  const instructions = Array.from({ length: reader.compactU16() }, () => ({
    programIdIndex: reader.u8(),
    accounts: reader.take(reader.compactU16()),
    data: reader.take(reader.compactU16()),
  }));
  const lookupCount = version === 0 ? reader.compactU16() : 0;
  const lookups = Array.from({ length: lookupCount }, () => ({
    accountKey: encodeBase58(reader.take(32)),
    writableIndexes: reader.take(reader.compactU16()),
    readonlyIndexes: reader.take(reader.compactU16()),
  }));
  return { version, header, staticKeys, blockhash, instructions, lookups, config: null };
}

function readV1(reader: ByteReader): WireMessage {
  reader.u8();
  const header = readHeader(reader);
  const mask = reader.u32();
  const blockhash = encodeBase58(reader.take(32));
  const instructionCount = reader.u8();
  const addressCount = reader.u8();
  if (addressCount > V1_MAX_ADDRESSES) throw new MalformedBytes('too many addresses');
  const staticKeys = Array.from({ length: addressCount }, () => encodeBase58(reader.take(32)));
  const config = readV1Config(reader, mask);
  const heads = Array.from({ length: instructionCount }, () => ({
    programIdIndex: reader.u8(),
    accountCount: reader.u8(),
    dataLength: reader.u16(),
  }));
  const instructions = heads.map((head) => ({
    programIdIndex: head.programIdIndex,
    accounts: reader.take(head.accountCount),
    data: reader.take(head.dataLength),
  }));
  return { version: 1, header, staticKeys, blockhash, instructions, lookups: [], config };
}

/** Mask bits 0-1: priority fee in total lamports (both or neither); 2: unit limit; 3: data limit; 4: heap. */
function readV1Config(reader: ByteReader, mask: number): V1Config {
  const feeBits = mask & 0b11;
  if ((mask & ~0b11111) !== 0 || feeBits === 1 || feeBits === 2)
    throw new MalformedBytes('invalid config mask');
  return {
    priorityFeeLamports: feeBits === 3 ? reader.u64() : null,
    computeUnitLimit: (mask & 4) === 0 ? null : reader.u32(),
    loadedAccountsDataSizeLimit: (mask & 8) === 0 ? null : reader.u32(),
    heapSize: (mask & 16) === 0 ? null : reader.u32(),
  };
}

function checkStructure(message: WireMessage): void {
  const { header, staticKeys, instructions, lookups } = message;
  const lookedUp = lookups.reduce((n, l) => n + l.writableIndexes.length + l.readonlyIndexes.length, 0);
  const keyCount = staticKeys.length + lookedUp;
  const valid =
    header.numRequiredSignatures > header.numReadonlySignedAccounts &&
    header.numRequiredSignatures + header.numReadonlyUnsignedAccounts <= staticKeys.length &&
    instructions.length <= MAX_INSTRUCTIONS &&
    keyCount <= 256 &&
    instructions.every(
      ({ programIdIndex, accounts }) =>
        programIdIndex > 0 &&
        programIdIndex < staticKeys.length &&
        accounts.every((index) => index < keyCount),
    );
  if (!valid) throw new MalformedBytes('failed to sanitize accounts offsets correctly');
}

/** Whether the key at `index` of static ++ writable-loaded ++ readonly-loaded may be written. */
export function isWritable(message: WireMessage, index: number, writableLoadedCount: number): boolean {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header;
  const staticCount = message.staticKeys.length;
  if (index >= staticCount) return index < staticCount + writableLoadedCount;
  if (index < numRequiredSignatures) return index < numRequiredSignatures - numReadonlySignedAccounts;
  return index < staticCount - numReadonlyUnsignedAccounts;
}

/** Every address that a message may write, given what it takes from lookup tables. */
export function writableKeys(message: WireMessage, loaded: LoadedKeys): string[] {
  const isWritableStatic = (_: string, index: number) => isWritable(message, index, loaded.writable.length);
  return [...message.staticKeys.filter(isWritableStatic), ...loaded.writable];
}
