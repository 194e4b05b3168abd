/** Wrapped SOL, the quote token of every launch. */
export const nativeMint = 'So11111111111111111111111111111111111111112';

export const tokenPrograms = [
  { name: 'spl_token', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' },
  { name: 'token_2022', address: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' },
] as const;

/** Programs that launches and trades go through (solana.md, section 3.1); the same on mainnet and devnet. */
export const programs = [
  { name: 'meteora_dynamic_bonding_curve', address: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN' },
  { name: 'meteora_damm_v1', address: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB' },
  { name: 'meteora_damm_v2', address: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG' },
  { name: 'jup_lock', address: 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn' },
  { name: 'metaplex_token_metadata', address: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' },
] as const;

/** The numbers of spec 8. */
export const contractLimits = {
  requestBodyBytes: 1_048_576,
  idempotencyKeyLengthMin: 8,
  idempotencyKeyLengthMax: 128,
  fieldErrors: 100,
  pageLimitDefault: 50,
  pageLimitMax: 100,
  candlePoints: 1_000,
  walletHoldings: 500,
  cursorLengthMin: 16,
  cursorLengthMax: 2_048,
  webhookEndpointsPerAccount: 20,
  webhookReplaysPerDelivery: 10,
  webhookDeadlineSeconds: 10,
  webhookRedirects: 3,
  predictionPriceIntegerDigits: 12,
  predictionPriceFractionDigits: 18,
  pollingRetryAfterSeconds: 2,
} as const;
