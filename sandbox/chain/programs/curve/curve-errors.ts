import { U64_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import { errorsOf } from '../anchor/anchor-error.ts';

/** Errors of the bonding-curve program that the model ends with: number and message of the published interface. */
const table = {
  MathOverflow: [6000, 'Math operation overflow'],
  InvalidFee: [6001, 'Invalid fee setup'],
  ExceededSlippage: [6002, 'Exceeded slippage tolerance'],
  ExceedMaxFeeBps: [6003, 'Exceeded max fee bps'],
  AmountIsZero: [6005, 'Amount is zero'],
  TypeCastFailed: [6006, 'Type cast error'],
  InvalidQuoteMint: [6008, 'Invalid quote mint'],
  InvalidCollectFeeMode: [6009, 'Invalid collect fee mode'],
  InvalidMigrationFeeOption: [6010, 'Invalid migration fee option'],
  InvalidInput: [6011, 'Invalid input'],
  NotEnoughLiquidity: [6012, 'Not enough liquidity'],
  PoolIsCompleted: [6013, 'Pool is completed'],
  PoolIsIncompleted: [6014, 'Pool is incompleted'],
  InvalidMigrationOption: [6015, 'Invalid migration option'],
  InvalidTokenDecimals: [6016, 'Invalid token decimals'],
  InvalidTokenType: [6017, 'Invalid token type'],
  InvalidFeePercentage: [6018, 'Invalid fee percentage'],
  InvalidQuoteThreshold: [6019, 'Invalid quote threshold'],
  InvalidTokenSupply: [6020, 'Invalid token supply'],
  InvalidCurve: [6021, 'Invalid curve'],
  NotPermitToDoThisAction: [6022, 'Not permit to do this action'],
  InvalidConfigAccount: [6024, 'Invalid config account'],
  SurplusHasBeenWithdraw: [6025, 'Surplus has been withdraw'],
  LeftoverHasBeenWithdraw: [6026, 'Leftover has been withdraw'],
  InsufficientLiquidityForMigration: [6029, 'Insufficient liquidity for migration'],
  MissingPoolConfigInRemainingAccount: [6030, 'Missing pool config in remaining account'],
  InvalidVestingParameters: [6031, 'Invalid vesting parameters'],
  InvalidLeftoverAddress: [6032, 'Invalid leftover address'],
  InsufficientLiquidity: [6033, 'Liquidity in bonding curve is insufficient'],
  InvalidFeeScheduler: [6034, 'Invalid fee scheduler'],
  InvalidCreatorTradingFeePercentage: [6035, 'Invalid creator trading fee percentage'],
  InvalidNewCreator: [6036, 'Invalid new creator'],
  InvalidTokenAuthorityOption: [6037, 'Invalid token authority option'],
  InvalidAccount: [6038, 'Invalid account for the instruction'],
  InvalidMigratorFeePercentage: [6039, 'Invalid migrator fee percentage'],
  MigrationFeeHasBeenWithdraw: [6040, 'Migration fee has been withdraw'],
  InvalidBaseFeeMode: [6041, 'Invalid base fee mode'],
  InvalidFeeRateLimiter: [6042, 'Invalid fee rate limiter'],
  FailToValidateSingleSwapInstruction: [6043, 'Fail to validate single swap instruction in rate limiter'],
  InvalidMigratedPoolFee: [6044, 'Invalid migrated pool fee params'],
  UndeterminedError: [6045, 'Undertermined error'],
  InvalidMinBaseFee: [6049, 'Invalid min base fee'],
  InvalidPoolCreationFee: [6051, 'Invalid pool creation fee'],
  Unauthorized: [6053, 'Not permit to do this action'],
  InvalidMigrationLockedLiquidity: [6055, 'Invalid migration locked liquidity'],
  IncorrectATA: [6058, 'Incorrect ATA'],
  InvalidPermission: [6060, 'Invalid permission'],
} as const;

export const { error: curveError, require: requireCurve } = errorsOf(table);

export function asCurveU64(value: bigint): bigint {
  requireCurve(value >= 0n && value <= U64_MAX, 'MathOverflow');
  return value;
}
