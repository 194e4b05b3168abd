import type { Keypair } from '@solana/web3.js';

/** Whose rows are being made. */
export interface Owner {
  accountId: string;
  /** Its keys are pinned to it. */
  wallet: Keypair;
  /** Of another key of the account. */
  otherWallet: Keypair;
  /** Stands in every text of the account, and nowhere else. */
  mark: string;
}

export const addressOf = (wallet: Keypair) => wallet.publicKey.toBase58();
