import bs58 from 'bs58';
import { readTransaction } from '../../chain/transaction-reader.ts';

const SIGNATURE_BYTES = 64;

/** The id of a signed transaction: base58 of its first signature. Null when the bytes are malformed or not signed. */
export function transactionId(signedTransaction: Uint8Array): string | null {
  const view = readTransaction(signedTransaction);
  if (view === null) return null;
  const { signaturesOffset } = view;
  const signature = signedTransaction.subarray(signaturesOffset, signaturesOffset + SIGNATURE_BYTES);
  return signature.every((byte) => byte === 0) ? null : bs58.encode(signature);
}
