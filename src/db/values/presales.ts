/** Presale status (contract/presales#transitions). */
export const presaleStatuses = [
  'draft',
  'initializing',
  'active',
  'settling',
  'settled',
  'refunding',
  'failed',
] as const;

export const participationStatuses = ['deposited', 'refunded', 'settled'] as const;

/** Movements of lamports or tokens between a presale and a wallet. */
export const presaleMovementKinds = ['deposit', 'refund', 'claim'] as const;
