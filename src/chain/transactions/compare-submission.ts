import { decodeAddress } from '../../shared/address.ts';
import { equalBytes } from '../../shared/bytes.ts';
import { readTransaction, type TransactionView } from '../transaction-reader.ts';
import { verifyStrict } from '../verify-signature.ts';

const SIGNATURE_BYTES = 64;
const EMPTY_SIGNATURE = new Uint8Array(SIGNATURE_BYTES);

/** A prepared transaction, as stored. */
export interface PreparedTransaction {
  /** Wire bytes; the expected signer's slot is zero. */
  bytes: Uint8Array;
  /** Offset of the expected signer's signature in the bytes. */
  signatureOffset: number;
  expectedSigner: string;
}

/**
 * Outcome of the byte comparison (contract/intents#byte-comparison): the bytes to broadcast, or the fault of
 * the submission.
 */
export type Comparison =
  | { outcome: 'same'; signed: Uint8Array }
  | { outcome: 'malformed' }
  | { outcome: 'tampered'; lacksExpectedSigner: boolean };

/**
 * Compares a submission with the prepared transaction. A correct submission is compared byte by byte and
 * never parsed: it must be the prepared bytes with one signature filled in. Signatures of other signers that
 * the client sends as zeros are restored.
 */
export function compareWithPrepared(submitted: Uint8Array, prepared: PreparedTransaction): Comparison {
  const { bytes, signatureOffset } = prepared;
  const signatureEnd = signatureOffset + SIGNATURE_BYTES;
  if (
    submitted.byteLength === bytes.byteLength &&
    equalBytes(submitted.subarray(0, signatureOffset), bytes.subarray(0, signatureOffset)) &&
    equalBytes(submitted.subarray(signatureEnd), bytes.subarray(signatureEnd))
  ) {
    return { outcome: 'same', signed: submitted };
  }
  return explainDifference(submitted, prepared);
}

function explainDifference(submitted: Uint8Array, prepared: PreparedTransaction): Comparison {
  const view = readTransaction(submitted);
  if (view === null) return { outcome: 'malformed' };
  const preparedView = readTransaction(prepared.bytes);
  if (preparedView === null) throw new Error('a stored prepared transaction is malformed');
  if (!equalBytes(messageOf(submitted, view), messageOf(prepared.bytes, preparedView))) {
    return { outcome: 'tampered', lacksExpectedSigner: !hasSigner(submitted, view, prepared.expectedSigner) };
  }
  const signed = Uint8Array.from(prepared.bytes);
  for (let slot = 0; slot < view.signatureCount; slot += 1) {
    const start = view.signaturesOffset + slot * SIGNATURE_BYTES;
    const signature = submitted.subarray(start, start + SIGNATURE_BYTES);
    if (start === prepared.signatureOffset) signed.set(signature, start);
    else if (
      !equalBytes(signature, EMPTY_SIGNATURE) &&
      !equalBytes(signature, prepared.bytes.subarray(start, start + SIGNATURE_BYTES))
    ) {
      return { outcome: 'tampered', lacksExpectedSigner: false };
    }
  }
  return { outcome: 'same', signed };
}

/** True when the expected slot of `signed` holds a signature of `wallet` over its message. */
export function isSignedBy(signed: Uint8Array, signatureOffset: number, wallet: string): boolean {
  const signature = signed.subarray(signatureOffset, signatureOffset + SIGNATURE_BYTES);
  return !isUnsigned(signed, signatureOffset) && verifyStrict(wallet, signedMessage(signed), signature);
}

/** True when the expected slot is empty. */
export function isUnsigned(signed: Uint8Array, signatureOffset: number): boolean {
  return equalBytes(signed.subarray(signatureOffset, signatureOffset + SIGNATURE_BYTES), EMPTY_SIGNATURE);
}

/** The bytes that signatures cover: everything except the signatures and their count. */
function signedMessage(bytes: Uint8Array): Uint8Array {
  const isV1 = bytes[0] === 0x81;
  if (!isV1) return bytes.subarray(1 + (bytes[0] ?? 0) * SIGNATURE_BYTES);
  return bytes.subarray(0, bytes.byteLength - (bytes[1] ?? 0) * SIGNATURE_BYTES);
}

function messageOf(bytes: Uint8Array, { messageOffset, messageLength }: TransactionView): Uint8Array {
  return bytes.subarray(messageOffset, messageOffset + messageLength);
}

function hasSigner(
  bytes: Uint8Array,
  { keysOffset, signatureCount }: TransactionView,
  wallet: string,
): boolean {
  const publicKey = decodeAddress(wallet);
  if (publicKey === null) return false;
  for (let slot = 0; slot < signatureCount; slot += 1) {
    const start = keysOffset + slot * 32;
    if (equalBytes(bytes.subarray(start, start + 32), publicKey)) return true;
  }
  return false;
}
