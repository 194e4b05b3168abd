/** Custom errors that a swap on the bonding curve can end with. The names are the program's. */
export const curveErrors = {
  MathOverflow: 6000,
  ExceededSlippage: 6002,
  AmountIsZero: 6005,
  NotEnoughLiquidity: 6012,
  PoolIsCompleted: 6013,
  InsufficientLiquidity: 6033,
  FailToValidateSingleSwapInstruction: 6043,
  UndeterminedError: 6045,
} as const;

export type CurveErrorName = keyof typeof curveErrors;
