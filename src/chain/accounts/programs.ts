/** Programs whose accounts are read (reference/solana#programs), the same on mainnet and devnet. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
export const SPL_TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const ADDRESS_LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111';
export const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111';
export const BONDING_CURVE = 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN';
export const DAMM_V2 = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
/** The predecessor of DAMM v2. Old curves still migrate into it. */
export const DAMM_V1 = 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB';
/** Holds the tokens of DAMM v1 pools, in one vault for each mint. */
export const DYNAMIC_VAULT = '24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi';
/** The vault of wrapped SOL. All DAMM v1 pools with SOL share it. */
export const SOL_DYNAMIC_VAULT = 'FERjPVNEa7Udq8CEv68h6tPL46Tq7ieE49HrE2wea3XT';
export const JUP_LOCK = 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn';

/** Each authority owns the token accounts of all pools of its program. */
export const CURVE_POOL_AUTHORITY = 'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM';
export const DAMM_V2_POOL_AUTHORITY = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC';
/** Each event authority is the only account of the calls by which its program reports events. */
export const CURVE_EVENT_AUTHORITY = '8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF';
export const DAMM_V2_EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';

export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111';
export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';

export const TOKEN_METADATA = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

export const tokenProgramNames: ReadonlyMap<string, 'spl_token' | 'token_2022'> = new Map([
  [SPL_TOKEN, 'spl_token'],
  [TOKEN_2022, 'token_2022'],
]);

export const tokenProgramAddress = { spl_token: SPL_TOKEN, token_2022: TOKEN_2022 } as const;
