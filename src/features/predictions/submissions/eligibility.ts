/** Why a wallet may not predict (contract/predictions#eligibility), in the order in which reasons are listed. */
export const eligibilityReasons = [
  'username_required',
  'wallet_not_verified',
  'insufficient_balance',
  'round_not_open',
  'token_not_enabled',
] as const;
export type EligibilityReason = (typeof eligibilityReasons)[number];

/** What the requirements are judged by. */
export interface EligibilityFacts {
  /** Null: the wallet has none. */
  username: string | null;
  isVerified: boolean;
  tokenIsEnabled: boolean;
  roundIsOpen: boolean;
  minimumBalanceRaw: bigint;
}

/** Every requirement that fails, each judged for itself (contract/predictions#eligibility); a balance that is not known (null) fails none. */
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
