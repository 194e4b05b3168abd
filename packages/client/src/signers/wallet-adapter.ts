import type { TransactionSigner } from './signer.ts';

/** The used part of a connected wallet of `@solana/wallet-adapter`. */
export interface AdapterWallet<Transaction> {
  readonly publicKey: { toBase58(): string } | null;
  readonly signTransaction?: ((transaction: Transaction) => Promise<Transaction>) | undefined;
}

/** The used part of `VersionedTransaction` of web3.js 1.x. */
export interface TransactionClass<Transaction> {
  deserialize(bytes: Uint8Array): Transaction;
}

/**
 * Signs with a wallet of wallet-adapter. `transactions` is `VersionedTransaction` of web3.js 1.x, which wallets expect.
 * A wallet that changes the transaction, for example adds a priority fee, is refused by the service as
 * `transaction_intent_tampered`.
 */
export function walletAdapterSigner<Transaction extends { serialize(): Uint8Array }>(
  // biome-ignore lint/suspicious/noExplicitAny: its method is generic over the kinds of transactions
  wallet: AdapterWallet<any>,
  transactions: TransactionClass<Transaction>,
): TransactionSigner {
  const { publicKey } = wallet;
  if (publicKey === null) throw new TypeError('the wallet is not connected');
  if (wallet.signTransaction === undefined) throw new TypeError('the wallet cannot sign transactions');
  return {
    address: publicKey.toBase58(),
    async signTransaction(bytes, options) {
      options?.signal?.throwIfAborted();
      const signed: Transaction | undefined = await wallet.signTransaction?.(transactions.deserialize(bytes));
      if (signed === undefined) throw new TypeError('the wallet returned no transaction');
      return Uint8Array.from(signed.serialize());
    },
  };
}
