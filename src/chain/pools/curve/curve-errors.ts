/** Custom errors with which a swap on the bonding curve can fail. The names are the program's own. */
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
