import { errorsOf } from '../anchor/anchor-error.ts';

/** Errors of DAMM v2 that the model ends with: number and message of the published interface. */
const table = {
  MathOverflow: [6000, 'Math operation overflow'],
  InvalidFee: [6001, 'Invalid fee setup'],
  ExceededSlippage: [6002, 'Exceeded slippage tolerance'],
  PoolDisabled: [6003, 'Pool disabled'],
  ExceedMaxFeeBps: [6004, 'Exceeded max fee bps'],
  AmountIsZero: [6006, 'Amount is zero'],
  TypeCastFailed: [6007, 'Type cast error'],
  InvalidAuthorityToCreateThePool: [6009, 'Invalid authority to create the pool'],
  InvalidActivationType: [6010, 'Invalid activation type'],
  InvalidActivationPoint: [6011, 'Invalid activation point'],
  InvalidPriceRange: [6014, 'Invalid Price Range'],
  PriceRangeViolation: [6015, 'Trade is over price range'],
  InvalidParameters: [6016, 'Invalid parameters'],
  InvalidCollectFeeMode: [6017, 'Invalid collect fee mode'],
  InvalidMinimumLiquidity: [6021, 'Invalid minimum liquidity'],
  InsufficientLiquidity: [6023, 'Insufficient liquidity'],
  InvalidConfigType: [6041, 'Invalid config type'],
  InvalidBaseFeeMode: [6047, 'Invalid base fee mode'],
  InvalidFeeRateLimiter: [6048, 'Invalid fee rate limiter'],
  FailToValidateSingleSwapInstruction: [6049, 'Fail to validate single swap instruction in rate limiter'],
  InvalidFeeTimeScheduler: [6050, 'Invalid fee scheduler'],
  UndeterminedError: [6051, 'Undetermined error'],
  InvalidPermission: [6054, 'Invalid permission'],
  InvalidInput: [6018, 'Invalid input'],
  IncorrectATA: [6060, 'Incorrect ATA'],
  InvalidCompoundingFeeBps: [6067, 'Invalid compounding fee bps'],
} as const;

export const { error: ammError, require: requireAmm } = errorsOf(table);
