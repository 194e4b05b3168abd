import type { Keypair } from '@solana/web3.js';

/** The account that gets new rows. */
export interface Owner {
  accountId: string;
  /** The wallet to which the account's keys are pinned. */
  wallet: Keypair;
  /** The wallet to which another key of the account is pinned. */
  otherWallet: Keypair;
  /** Every text of the account contains this mark, and no other text does. */
  mark: string;
}

export const addressOf = (wallet: Keypair) => wallet.publicKey.toBase58();
