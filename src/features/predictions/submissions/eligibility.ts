/**
 * Reasons why a wallet may not predict (contract/predictions#eligibility), in their order in the response.
 */
export const eligibilityReasons = [
  'username_required',
  'wallet_not_verified',
  'insufficient_balance',
  'round_not_open',
  'token_not_enabled',
] as const;
export type EligibilityReason = (typeof eligibilityReasons)[number];

/** Facts that the requirements need. */
export interface EligibilityFacts {
  /** Null when the wallet has none. */
  username: string | null;
  isVerified: boolean;
  tokenIsEnabled: boolean;
  roundIsOpen: boolean;
  minimumBalanceRaw: bigint;
}

/**
 * Lists every failed requirement, each judged by itself (contract/predictions#eligibility); an unknown
 * balance (null) fails none.
 */
export function failedRequirements(facts: EligibilityFacts, balanceRaw: bigint | null): EligibilityReason[] {
  const fails: Record<EligibilityReason, boolean> = {
    username_required: facts.username === null,
    wallet_not_verified: !facts.isVerified,
    insufficient_balance: balanceRaw !== null && balanceRaw < facts.minimumBalanceRaw,
    round_not_open: !facts.roundIsOpen,
    token_not_enabled: !facts.tokenIsEnabled,
  };
  return eligibilityReasons.filter((reason) => fails[reason]);
}
