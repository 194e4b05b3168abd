export const LAMPORTS_PER_SOL = 1_000_000_000n;
export const TOKEN_DECIMALS = 6;
/** Every token of the market has this supply. */
export const SUPPLY_RAW = 1_000_000_000_000_000n;
