import { encodeBase58 } from '../base58.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
const VERSION_1 = 0x81;
const VERSION_FLAG = 0x80;

/** The places of the parts of a serialised transaction. */
export interface WireTransaction {
  /** The bytes that wallets sign. */
  message: Uint8Array<ArrayBuffer>;
  /** Addresses of the required signers, in the order of their slots. */
  signers: readonly string[];
  /** Offset of the first signature. */
  signaturesAt: number;
}

/** Reads the parts of a legacy, version 0 or version 1 transaction that signing needs; throws on other bytes. */
export function readWireTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes[0] === VERSION_1) {
    const count = byteAt(bytes, 1);
    const signaturesAt = Math.max(0, bytes.length - count * SIGNATURE_BYTES);
    // Header 3, mask 4, blockhash 32, number of instructions and of addresses.
    const signers = readAddresses(bytes.subarray(0, signaturesAt), 42, count);
    return { message: bytes.slice(0, signaturesAt), signers, signaturesAt };
  }
  const [count, signaturesAt] = readLength(bytes, 0);
  const messageAt = signaturesAt + count * SIGNATURE_BYTES;
  const message = bytes.slice(messageAt);
  const headerAt = byteAt(message, 0) >= VERSION_FLAG ? 1 : 0;
  if (byteAt(message, headerAt) !== count)
    throw new TypeError('not a transaction: the count of signatures is wrong');
  const [, addressesAt] = readLength(message, headerAt + 3);
  return { message, signers: readAddresses(message, addressesAt, count), signaturesAt };
}

/** A copy of the transaction with a signature in the slot of `address`. */
export function withSignature(
  bytes: Uint8Array,
  address: string,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { signers, signaturesAt } = readWireTransaction(bytes);
  const index = signers.indexOf(address);
  if (index === -1) throw new TypeError(`${address} is not a signer of this transaction`);
  if (signature.length !== SIGNATURE_BYTES) throw new TypeError('a signature has 64 bytes');
  const signed = Uint8Array.from(bytes);
  signed.set(signature, signaturesAt + index * SIGNATURE_BYTES);
  return signed;
}

/** The signatures by address; null where a slot is empty. */
export function signaturesOf(bytes: Uint8Array): Record<string, Uint8Array<ArrayBuffer> | null> {
  const { signers, signaturesAt } = readWireTransaction(bytes);
  return Object.fromEntries(
    signers.map((address, index) => {
      const at = signaturesAt + index * SIGNATURE_BYTES;
      const signature = bytes.slice(at, at + SIGNATURE_BYTES);
      return [address, signature.every((byte) => byte === 0) ? null : signature];
    }),
  );
}

function readAddresses(bytes: Uint8Array, at: number, count: number): string[] {
  if (count < 1 || at + count * ADDRESS_BYTES > bytes.length)
    throw new TypeError('not a transaction: it is too short');
  return Array.from({ length: count }, (_, index) => {
    const start = at + index * ADDRESS_BYTES;
    return encodeBase58(bytes.subarray(start, start + ADDRESS_BYTES));
  });
}

/** A shortvec: its value, and the offset after it. */
function readLength(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 3; index += 1) {
    const byte = byteAt(bytes, at + index);
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return [value, at + index + 1];
  }
  throw new TypeError('not a transaction: a length has too many bytes');
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new TypeError('not a transaction: it is too short');
  return byte;
}
