import type { TransactionSigner } from './signer.ts';
import { readWireTransaction, signaturesOf, withSignature } from './wire-transaction.ts';

/** The used part of a `TransactionPartialSigner` of `@solana/kit`, for example of a `KeyPairSigner`. */
export interface KitSigner {
  readonly address: string;
  // biome-ignore lint/suspicious/noExplicitAny: the branded transactions of another package
  signTransactions(transactions: readonly any[], config?: any): Promise<readonly object[]>;
}

/** Signs with a signer of `@solana/kit`. */
export function kitSigner(signer: KitSigner): TransactionSigner {
  const { address } = signer;
  return {
    address,
    async signTransaction(transaction, options) {
      const { message } = readWireTransaction(transaction);
      const unsigned = { messageBytes: message, signatures: signaturesOf(transaction) };
      const config = options?.signal === undefined ? undefined : { abortSignal: options.signal };
      const [made] = (await signer.signTransactions([unsigned], config)) as Record<
        string,
        Uint8Array | undefined
      >[];
      const signature = made?.[address];
      if (signature === undefined)
        throw new TypeError(`the signer of ${address} returned no signature of it`);
      return withSignature(transaction, address, signature);
    },
  };
}
