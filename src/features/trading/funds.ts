import type { RentOf } from '../../chain/accounts/sysvars.ts';

/** The balances of a wallet for swaps of one token, in one slot. */
export interface WalletFunds {
  slot: bigint;
  /** Null when the node does not report the wallet: then it refuses nothing. */
  lamports: bigint | null;
  tokenRaw: bigint;
  /** The wallet's account for wrapped SOL: its lamports, and whether it is open. */
  wrapped: OpenableAccount;
  /** Its account for the token. */
  token: OpenableAccount;
  /** Null when no node reports the rent: then only what is missing before any rent is known to be missing. */
  rentOf: RentOf | null;
}

export interface OpenableAccount {
  isOpen: boolean;
  lamports: bigint;
}
