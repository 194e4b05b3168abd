import { readTransaction } from '../../chain/transaction-reader.ts';
import { firstSignature } from '../../chain/transactions/transaction-id.ts';
import { isSignedBy, type PreparedTransaction } from '../../chain/transactions/verification.ts';
import { decodeSignature } from '../../shared/address.ts';

const SIGNATURE_BYTES = 64;

/** Which of the signatures of a transaction the expected signer gives; 0 is the id of the transaction. */
export function signerPosition({ bytes, signatureOffset }: PreparedTransaction): number | null {
  const view = readTransaction(bytes);
  return view === null ? null : (signatureOffset - view.signaturesOffset) / SIGNATURE_BYTES;
}

/** The id that the transaction has whatever the expected signer signs; null when it is that signature. */
export function knownId({ bytes, signatureOffset }: PreparedTransaction): Uint8Array | null {
  const view = readTransaction(bytes);
  if (view === null || view.signaturesOffset === signatureOffset) return null;
  return firstSignature(bytes, view);
}

/**
 * The prepared transaction with this signature of the expected signer, or null when it is one of something
 * else. A node cannot make it true: only the wallet can have signed these bytes.
 * @param signature base58
 */
export function signedWith(prepared: PreparedTransaction, signature: string): Uint8Array | null {
  const bytes = decodeSignature(signature);
  if (bytes === null) return null;
  const signed = Uint8Array.from(prepared.bytes);
  signed.set(bytes, prepared.signatureOffset);
  return isSignedBy(signed, prepared.signatureOffset, prepared.expectedSigner) ? signed : null;
}
