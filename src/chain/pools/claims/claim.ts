/** The kinds of claims. Each is paid by its own instruction (contract/claims#kinds). */
export const claimKinds = [
  'creator_trading_fee',
  'partner_trading_fee',
  'creator_surplus',
  'partner_surplus',
  'creator_migration_fee',
  'partner_migration_fee',
  'leftover',
  'position_fee',
] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** One token of a claim: the amount that is paid, and the vault that pays it. */
export interface ClaimSide {
  mint: string;
  tokenProgram: string;
  vault: string;
  /** Base units; 0 when the claim pays nothing in this token. */
  amountRaw: bigint;
}

interface ClaimFacts {
  /** The token of the service. */
  mint: string;
  /** The curve's pool; for a position its AMM pool. */
  pool: string;
  /** The wallet that is paid. It signs, except for a leftover, which anybody may have paid out. */
  claimer: string;
  /** The side of `mint`. */
  base: ClaimSide;
  /** Lamports when `quote.mint` is wrapped SOL. */
  quote: ClaimSide;
  /** All accounts of the claim were read at this slot, at commitment confirmed. */
  slot: bigint;
}

/** A claim on the bonding curve. */
export interface CurveClaim extends ClaimFacts {
  kind: Exclude<ClaimKind, 'position_fee'>;
  config: string;
  /** Pools with a transfer hook need other instructions, which name the accounts of the hook. */
  hasTransferHook: boolean;
}

/** The fees of a DAMM v2 position. */
export interface PositionClaim extends ClaimFacts {
  kind: 'position_fee';
  position: string;
  nftMint: string;
  /** The token account of the claimer that holds the position's NFT. */
  nftAccount: string;
  /** Whether `base` is the pool's token A. */
  isBaseTokenA: boolean;
}

/** Something that a program would pay a wallet now. At least one amount is above 0. */
export type Claim = CurveClaim | PositionClaim;
