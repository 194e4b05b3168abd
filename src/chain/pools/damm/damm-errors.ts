/** Custom errors with which a swap on DAMM v2 can fail. The names are the program's own. */
export const dammErrors = {
  MathOverflow: 6000,
  ExceededSlippage: 6002,
  PoolDisabled: 6003,
  AmountIsZero: 6006,
  PriceRangeViolation: 6015,
  FailToValidateSingleSwapInstruction: 6049,
  UndeterminedError: 6051,
} as const;

export type DammErrorName = keyof typeof dammErrors;
