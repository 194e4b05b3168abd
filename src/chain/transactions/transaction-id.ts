import { encodeBase58 } from '../../shared/base58.ts';
import { readTransaction, type TransactionView } from '../transaction-reader.ts';

const SIGNATURE_BYTES = 64;

/** The first signature of a transaction; null when it is not signed. */
export function firstSignature(
  signedTransaction: Uint8Array,
  { signaturesOffset }: TransactionView,
): Uint8Array | null {
  const signature = signedTransaction.subarray(signaturesOffset, signaturesOffset + SIGNATURE_BYTES);
  return signature.every((byte) => byte === 0) ? null : signature;
}

/** The id of a signed transaction: base58 of its first signature. Null when the bytes are malformed or not signed. */
export function transactionId(signedTransaction: Uint8Array): string | null {
  const view = readTransaction(signedTransaction);
  const signature = view === null ? null : firstSignature(signedTransaction, view);
  return signature === null ? null : encodeBase58(signature);
}

/**
 * A transaction to send. Its id is encoded at the first use, because that takes longer than the rest of the
 * start of a send.
 */
export class UnnamedSend {
  readonly signedTransaction: Uint8Array;
  readonly #firstSignature: Uint8Array;
  #signature: string | undefined;

  /** @param signature the first one */
  constructor(signedTransaction: Uint8Array, signature: Uint8Array) {
    this.signedTransaction = signedTransaction;
    this.#firstSignature = signature;
  }

  /** base58. */
  get signature(): string {
    this.#signature ??= encodeBase58(this.#firstSignature);
    return this.#signature;
  }
}
