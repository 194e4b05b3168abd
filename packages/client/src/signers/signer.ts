/** A wallet: signs a serialised transaction without changing its message. */
export interface TransactionSigner {
  /** Base58 address of the wallet. */
  readonly address: string;
  /** The same transaction with the wallet's signature in its slot. */
  signTransaction(
    transaction: Uint8Array,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Uint8Array>;
}
