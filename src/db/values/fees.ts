/** A claim in an intent, as it was read when the intent was prepared. Raw amounts are IntStrings. */
export interface PreparedClaim {
  kind: string;
  mintAddress: string;
  poolAddress: string;
  positionAddress: string | null;
  quoteMint: string;
  quoteRaw: string;
  baseRaw: string;
}

/** `pending` until the recipient of the share is known; `other` is no share of the token. */
export const feeClaimStatuses = ['pending', 'distributed', 'other'] as const;

/** Recipients of the fees of a token (contract/staking-fees#fee-state). */
export const feeRoles = ['creator', 'platform', 'stakers'] as const;

/** Sources of facts about fees. For a token with a pool the chain decides (contract/ingest#chain-decides). */
export const feeSources = ['feed', 'chain'] as const;
