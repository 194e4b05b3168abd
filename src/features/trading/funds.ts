import type { RentOf } from '../../chain/accounts/sysvars.ts';

/** What a wallet has for swaps of one token, in one slot. */
export interface WalletFunds {
  slot: bigint;
  /** Null where the node does not say: then nothing is judged by it. */
  lamports: bigint | null;
  tokenRaw: bigint;
  /** The wallet's account for wrapped SOL: its lamports, and whether it is open. */
  wrapped: OpenableAccount;
  /** Its account for the token. */
  token: OpenableAccount;
  /** Null where the node does not say what rent is. */
  rentOf: RentOf | null;
}

export interface OpenableAccount {
  isOpen: boolean;
  lamports: bigint;
}

/** Too little of one thing; SOL goes by the mint of wrapped SOL. */
export interface Shortfall {
  mintAddress: string;
  decimals: number;
  haveRaw: bigint;
  needRaw: bigint;
}
