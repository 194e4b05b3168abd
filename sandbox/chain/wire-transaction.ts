import bs58 from 'bs58';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { ByteReader, MalformedBytes } from './byte-reader.ts';
import { readMessage, type WireMessage } from './wire-message.ts';

/** One transaction as it came over the wire, parsed but not judged. */
export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly messageBytes: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** Base58 of the first signature: the transaction's id. */
  readonly signature: string;
  /** Digest of the message; two signatures over one message are one transaction to the chain. */
  readonly messageDigest: string;
  readonly message: WireMessage;
}

/** Bytes on the wire at most: legacy and v0 fit one packet, v1 may be longer. */
export const MAX_WIRE_BYTES = 1232;
export const MAX_V1_WIRE_BYTES = 4096;
const MAX_V1_SIGNATURES = 12;

/**
 * Parses exactly one transaction: legacy and v0 (signatures first), v1 (first byte 0x81, signatures last).
 * @throws MalformedBytes on trailing bytes, non-minimal lengths, wrong signature count or any size limit.
 */
export function parseTransaction(bytes: Uint8Array): WireTransaction {
  return bytes[0] === 0x81 ? parseV1(bytes) : parseSignaturesFirst(bytes);
}

function parseSignaturesFirst(bytes: Uint8Array): WireTransaction {
  if (bytes.length > MAX_WIRE_BYTES) throw new MalformedBytes('transaction too large');
  const reader = new ByteReader(bytes);
  const signatures = Array.from({ length: reader.compactU16() }, () => reader.take(64));
  const messageBytes = bytes.subarray(reader.offset);
  if (messageBytes[0] === 0x81) throw new MalformedBytes('version 1 carries its signatures last');
  const message = readMessage(reader);
  if (reader.remaining !== 0) throw new MalformedBytes('trailing bytes');
  return assemble(bytes, messageBytes, signatures, message);
}

function parseV1(bytes: Uint8Array): WireTransaction {
  if (bytes.length > MAX_V1_WIRE_BYTES) throw new MalformedBytes('transaction too large');
  const reader = new ByteReader(bytes);
  const message = readMessage(reader);
  const messageBytes = bytes.subarray(0, reader.offset);
  const count = message.header.numRequiredSignatures;
  if (count > MAX_V1_SIGNATURES || reader.remaining !== count * 64)
    throw new MalformedBytes('wrong signature count');
  const signatures = Array.from({ length: count }, () => reader.take(64));
  return assemble(bytes, messageBytes, signatures, message);
}

function assemble(
  bytes: Uint8Array,
  messageBytes: Uint8Array,
  signatures: readonly Uint8Array[],
  message: WireMessage,
): WireTransaction {
  const first = signatures[0];
  if (first === undefined || signatures.length !== message.header.numRequiredSignatures)
    throw new MalformedBytes('wrong signature count');
  const messageDigest = new Bun.CryptoHasher('sha256').update(messageBytes).digest('base64');
  return { bytes, messageBytes, signatures, signature: encodeBase58(first), messageDigest, message };
}

/** The same transaction with another blockhash; its signatures no longer verify. */
export function withBlockhash(transaction: WireTransaction, blockhash: string): WireTransaction {
  const { version, staticKeys } = transaction.message;
  const messageStart = version === 1 ? 0 : transaction.bytes.length - transaction.messageBytes.length;
  const keyCountBytes = staticKeys.length < 128 ? 1 : 2;
  const beforeHash = version === 1 ? 8 : (version === 0 ? 4 : 3) + keyCountBytes + staticKeys.length * 32;
  const bytes = Uint8Array.from(transaction.bytes);
  bytes.set(bs58.decode(blockhash), messageStart + beforeHash);
  return parseTransaction(bytes);
}
