import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/**
 * The wallet of the sandbox's user. Its key stays in this process: the page asks for a launch, never for a signature.
 */
export class DemoWallet {
  readonly #keypair: Keypair;

  /** @param secretKey 64 bytes in base58, as the identity file has them */
  constructor(secretKey: string) {
    this.#keypair = Keypair.fromSecretKey(bs58.decode(secretKey));
  }

  get address(): string {
    return this.#keypair.publicKey.toBase58();
  }

  /** Signs a prepared transaction beside the signatures that it has. Takes and returns base64. */
  sign(serializedTransaction: string): string {
    const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
    transaction.sign([this.#keypair]);
    return Buffer.from(transaction.serialize()).toString('base64');
  }
}
