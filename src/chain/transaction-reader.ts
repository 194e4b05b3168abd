/**
 * Reads Solana wire transactions of all three versions without copying: the result holds offsets into the
 * given bytes.
 *
 * Layouts: legacy and v0 as in the Solana documentation ("Transaction format"), v1 as in SIMD-0385.
 * Strict: minimal compact-u16, exact lengths, a header that fits signatures and keys, no trailing bytes.
 */

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const LEGACY_BYTES_MAX = 1_232;
const V1_BYTES_MAX = 4_096;
const V1_PREFIX = 0x81;
const V0_PREFIX = 0x80;
/** SIMD-0160 bounds top-level instructions of every version. */
const INSTRUCTIONS_MAX = 64;
const V1_SIGNATURES_MAX = 12;
const V1_ADDRESSES_MAX = 64;
/** Each bit announces 4 bytes: bits 0 and 1 the priority fee, then compute units, loaded data and heap. */
const V1_CONFIG_MASK = 0b11111;
const V1_PRIORITY_FEE_BITS = 0b11;
const V1_COMPUTE_UNITS_BIT = 0b100;
const V1_LOADED_DATA_BIT = 0b1000;
const V1_HEAP_BIT = 0b10000;
/** Heap sizes that the runtime grants, in steps of `HEAP_BYTES_STEP`. It refuses every other size. */
const HEAP_BYTES_MIN = 32 * 1_024;
const HEAP_BYTES_MAX = 256 * 1_024;
const HEAP_BYTES_STEP = 1_024;
const ACCOUNT_INDEXES_MAX = 256;

export interface InstructionView {
  /** Index of the called program among the static account keys. */
  programIndex: number;
  /**
   * Offset of its account indexes, one byte each: first the static keys, then accounts from lookup tables.
   */
  accountsOffset: number;
  accountCount: number;
  dataOffset: number;
  dataLength: number;
}

/** One address lookup table of a v0 message: the offsets of its address and of its one-byte indexes. */
export interface LookupView {
  tableOffset: number;
  writableOffset: number;
  writableCount: number;
  readonlyOffset: number;
  readonlyCount: number;
}

/** The price fields of a v1 message. Legacy and v0 messages set the price with instructions. */
export interface PriceView {
  priorityFeeLamports: bigint;
  /** Zero when absent. */
  computeUnitLimit: number;
}

/** The offsets of all parts. Signature i belongs to account key i. The transaction id is signature 0. */
export interface TransactionView {
  version: 'legacy' | 0 | 1;
  signatureCount: number;
  signaturesOffset: number;
  messageOffset: number;
  messageLength: number;
  keysOffset: number;
  keyCount: number;
  blockhashOffset: number;
  instructions: readonly InstructionView[];
  lookups: readonly LookupView[];
  /** Null unless the version is 1. */
  price: PriceView | null;
  /** The heap size that a version 1 header requests. Null when it requests none. */
  heapBytes: number | null;
}

/** The view of exactly one well-formed transaction, else null. Never throws. */
export function readTransaction(bytes: Uint8Array): TransactionView | null {
  const view = readLayout(bytes);
  return view === null || isGrantedHeap(view.heapBytes) ? view : null;
}

/**
 * The heap size because of which the runtime refuses an otherwise well-formed version 1 transaction. Null
 * when there is none.
 */
export function refusedHeapBytes(bytes: Uint8Array): number | null {
  const heapBytes = readLayout(bytes)?.heapBytes ?? null;
  return isGrantedHeap(heapBytes) ? null : heapBytes;
}

/** Whether the runtime grants a heap of this size. True for null, which requests none. */
export function isGrantedHeap(heapBytes: number | null): boolean {
  if (heapBytes === null) return true;
  return heapBytes >= HEAP_BYTES_MIN && heapBytes <= HEAP_BYTES_MAX && heapBytes % HEAP_BYTES_STEP === 0;
}

function readLayout(bytes: Uint8Array): TransactionView | null {
  const reader = new Reader(bytes);
  const view = bytes[0] === V1_PREFIX ? readV1(reader) : readEnvelope(reader);
  return reader.ok && reader.offset === bytes.byteLength ? view : null;
}

function readEnvelope(reader: Reader): TransactionView | null {
  if (reader.bytes.byteLength > LEGACY_BYTES_MAX) return null;
  const signatureCount = reader.compactU16();
  const signaturesOffset = reader.skip(signatureCount * SIGNATURE_BYTES);
  const messageOffset = reader.offset;
  const first = reader.bytes[messageOffset] ?? 0;
  if (first > V0_PREFIX) return null;
  const isV0 = first === V0_PREFIX;
  if (isV0) reader.skip(1);

  const header = readHeader(reader);
  const keyCount = reader.compactU16();
  const keysOffset = reader.skip(keyCount * KEY_BYTES);
  const blockhashOffset = reader.skip(KEY_BYTES);
  const instructions: InstructionView[] = [];
  let highestAccount = 0;
  const instructionCount = reader.compactU16();
  if (instructionCount > INSTRUCTIONS_MAX) return null;
  for (let index = 0; index < instructionCount; index += 1) {
    const programIndex = reader.u8();
    const accountCount = reader.compactU16();
    const accountsOffset = reader.offset;
    highestAccount = Math.max(highestAccount, reader.highest(accountCount));
    const dataLength = reader.compactU16();
    const dataOffset = reader.skip(dataLength);
    instructions.push({ programIndex, accountsOffset, accountCount, dataOffset, dataLength });
  }
  const lookups = isV0 ? readLookups(reader) : [];
  if (lookups === null) return null;

  const accountCount = lookups.reduce(
    (sum, { writableCount, readonlyCount }) => sum + writableCount + readonlyCount,
    keyCount,
  );
  if (accountCount > ACCOUNT_INDEXES_MAX || highestAccount >= accountCount) return null;
  if (!isConsistent(header, signatureCount, keyCount, instructions)) return null;
  return {
    version: isV0 ? 0 : 'legacy',
    signatureCount,
    signaturesOffset,
    messageOffset,
    messageLength: reader.offset - messageOffset,
    keysOffset,
    keyCount,
    blockhashOffset,
    instructions,
    lookups,
    price: null,
    heapBytes: null,
  };
}

function readLookups(reader: Reader): LookupView[] | null {
  const lookups: LookupView[] = [];
  const tableCount = reader.compactU16();
  // Past the end both counts are 0, so the loop does no further work whatever the table count is.
  for (let index = 0; index < tableCount; index += 1) {
    const tableOffset = reader.skip(KEY_BYTES);
    const writableCount = reader.compactU16();
    const writableOffset = reader.skip(writableCount);
    const readonlyCount = reader.compactU16();
    const readonlyOffset = reader.skip(readonlyCount);
    if (writableCount + readonlyCount === 0) return null;
    lookups.push({ tableOffset, writableOffset, writableCount, readonlyOffset, readonlyCount });
  }
  return lookups;
}

function readV1(reader: Reader): TransactionView | null {
  if (reader.bytes.byteLength > V1_BYTES_MAX) return null;
  reader.skip(1);
  const header = readHeader(reader);
  const configMask = reader.u32();
  const hasPriorityFee = (configMask & V1_PRIORITY_FEE_BITS) === V1_PRIORITY_FEE_BITS;
  if ((configMask & ~V1_CONFIG_MASK) !== 0) return null;
  if (!hasPriorityFee && (configMask & V1_PRIORITY_FEE_BITS) !== 0) return null;
  const blockhashOffset = reader.skip(KEY_BYTES);
  const instructionCount = reader.u8();
  const keyCount = reader.u8();
  if (instructionCount > INSTRUCTIONS_MAX || keyCount > V1_ADDRESSES_MAX) return null;
  const keysOffset = reader.skip(keyCount * KEY_BYTES);
  const price = {
    priorityFeeLamports: hasPriorityFee ? reader.u64() : 0n,
    computeUnitLimit: (configMask & V1_COMPUTE_UNITS_BIT) === 0 ? 0 : reader.u32(),
  };
  if ((configMask & V1_LOADED_DATA_BIT) !== 0) reader.skip(4);
  const heapBytes = (configMask & V1_HEAP_BIT) === 0 ? null : reader.u32();

  const shapes: { programIndex: number; accountCount: number; dataLength: number }[] = [];
  for (let index = 0; index < instructionCount; index += 1) {
    shapes.push({ programIndex: reader.u8(), accountCount: reader.u8(), dataLength: reader.u16() });
  }
  const instructions: InstructionView[] = [];
  let highestAccount = 0;
  for (const { programIndex, accountCount, dataLength } of shapes) {
    const accountsOffset = reader.offset;
    highestAccount = Math.max(highestAccount, reader.highest(accountCount));
    const dataOffset = reader.skip(dataLength);
    instructions.push({ programIndex, accountsOffset, accountCount, dataOffset, dataLength });
  }
  const messageLength = reader.offset;
  const signatureCount = header.requiredSignatures;
  const signaturesOffset = reader.skip(signatureCount * SIGNATURE_BYTES);
  if (signatureCount > V1_SIGNATURES_MAX || highestAccount >= keyCount) return null;
  if (!isConsistent(header, signatureCount, keyCount, instructions)) return null;
  return {
    version: 1,
    signatureCount,
    signaturesOffset,
    messageOffset: 0,
    messageLength,
    keysOffset,
    keyCount,
    blockhashOffset,
    instructions,
    lookups: [],
    price,
    heapBytes,
  };
}

interface Header {
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
}

function readHeader(reader: Reader): Header {
  return { requiredSignatures: reader.u8(), readonlySigned: reader.u8(), readonlyUnsigned: reader.u8() };
}

/** The runtime's checks before signatures: a writable payer, a key for every index, callable programs. */
function isConsistent(
  header: Header,
  signatureCount: number,
  keyCount: number,
  instructions: readonly InstructionView[],
): boolean {
  return (
    signatureCount > 0 &&
    signatureCount === header.requiredSignatures &&
    header.readonlySigned < header.requiredSignatures &&
    header.requiredSignatures + header.readonlyUnsigned <= keyCount &&
    instructions.every(({ programIndex }) => programIndex > 0 && programIndex < keyCount)
  );
}

/** A cursor that checks bounds. Beyond the end it does not move and reads zeros, and `ok` stays false. */
class Reader {
  readonly bytes: Uint8Array;
  offset = 0;
  ok = true;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Returns the offset of the skipped bytes. */
  skip(byteCount: number): number {
    const start = this.offset;
    if (start + byteCount > this.bytes.byteLength) this.ok = false;
    else this.offset += byteCount;
    return start;
  }

  u8(): number {
    return this.bytes[this.skip(1)] ?? 0;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0;
  }

  u64(): bigint {
    return BigInt(this.u32()) | (BigInt(this.u32()) << 32n);
  }

  /**
   * A shortvec length of 1 or 2 bytes of 7 bits each, minimal. A third byte would mean 16,384 or more
   * entries, which no transaction can hold.
   */
  compactU16(): number {
    const first = this.u8();
    if (first < 0x80) return first;
    const second = this.u8();
    if (second === 0 || second >= 0x80) this.ok = false;
    return (first & 0x7f) | ((second & 0x7f) << 7);
  }

  /** Skips one-byte account indexes and returns the highest. */
  highest(indexCount: number): number {
    const start = this.skip(indexCount);
    let highest = 0;
    for (let at = start; at < this.offset; at += 1) highest = Math.max(highest, this.bytes[at] ?? 0);
    return highest;
  }
}
