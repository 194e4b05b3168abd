import type { Keypair } from '@solana/web3.js';

/** Whose rows are being made. */
export interface Owner {
  accountId: string;
  /** Its keys are pinned to it. */
  wallet: Keypair;
  /** Another key of the account is pinned to it. */
  otherWallet: Keypair;
  /** Part of every text of the account, and of no other. */
  mark: string;
}

export const addressOf = (wallet: Keypair) => wallet.publicKey.toBase58();
