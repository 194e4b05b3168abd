import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  COMPUTE_BUDGET,
  DAMM_V2,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  TOKEN_METADATA,
} from '../accounts/programs.ts';

/** The meaning of a custom error number. Names are the program's own, meanings are ours. */
interface KnownError {
  name: string;
  meaning: string;
}

export interface KnownProgram {
  title: string;
  errors: ReadonlyMap<number, KnownError>;
}

/** An error of a program by its number, with its name where this service knows it. */
export interface ProgramError {
  program: string;
  number: number;
  name: string | null;
}

export function namedError(program: string, number: number): ProgramError {
  return { program, number, name: knownPrograms.get(program)?.errors.get(number)?.name ?? null };
}

type Row = readonly [number: number, name: string, meaning: string];

function program(title: string, ...tables: readonly (readonly Row[])[]): KnownProgram {
  const errors = tables.flat().map(([number, name, meaning]) => [number, { name, meaning }] as const);
  return { title, errors: new Map(errors) };
}

const SLIPPAGE = 'the price moved past the limit of the swap';
const ZERO_AMOUNT = 'an amount is zero, or rounds to zero';
const OVERFLOW = 'an amount is too large for the arithmetic';
const LONE_SWAP = 'the rate limiter takes one swap of this pool in a transaction';
const OPEN_TOKEN_2022 = 'wrapped SOL of Token-2022 is not supported';

const systemErrors: readonly Row[] = [
  [0, 'AccountAlreadyInUse', 'the account to be created exists already'],
  [1, 'ResultWithNegativeLamports', 'the account has not enough SOL'],
  [2, 'InvalidProgramId', 'an account cannot be assigned to this program'],
  [3, 'InvalidAccountDataLength', 'the account cannot have this size'],
  [4, 'MaxSeedLengthExceeded', 'the seed of an address is too long'],
  [5, 'AddressWithSeedMismatch', 'the address does not follow from its seed'],
  [6, 'NonceNoRecentBlockhashes', 'a nonce cannot be made without recent blockhashes'],
  [7, 'NonceBlockhashNotExpired', 'the nonce cannot be advanced twice in one block'],
  [8, 'NonceUnexpectedBlockhashValue', 'the nonce account holds another nonce'],
];

const tokenErrors: readonly Row[] = [
  [0, 'NotRentExempt', 'an account has not enough SOL to stay on chain'],
  [1, 'InsufficientFunds', 'the token account has not enough tokens'],
  [2, 'InvalidMint', 'an account is not a mint'],
  [3, 'MintMismatch', 'a token account is of another mint'],
  [4, 'OwnerMismatch', 'the signer does not own the token account'],
  [5, 'FixedSupply', 'the supply of the mint is fixed'],
  [6, 'AlreadyInUse', 'the account exists already'],
  [7, 'InvalidNumberOfProvidedSigners', 'a multisig has another number of signers'],
  [8, 'InvalidNumberOfRequiredSigners', 'a multisig cannot require this number of signers'],
  [9, 'UninitializedState', 'the account does not exist'],
  [10, 'NativeNotSupported', 'wrapped SOL does not take this instruction'],
  [11, 'NonNativeHasBalance', 'the token account to be closed still holds tokens'],
  [12, 'InvalidInstruction', 'the token program does not know the instruction'],
  [13, 'InvalidState', 'an account is in a state that does not allow this'],
  [14, 'Overflow', OVERFLOW],
  [15, 'AuthorityTypeNotSupported', 'the account has no such authority'],
  [16, 'MintCannotFreeze', 'the mint cannot freeze accounts'],
  [17, 'AccountFrozen', 'the token account is frozen'],
  [18, 'MintDecimalsMismatch', 'the mint has other decimals'],
  [19, 'NonNativeNotSupported', 'only wrapped SOL takes this instruction'],
];

/** Errors of extensions that transfers and closed accounts can meet (`TokenError` of spl-token-2022). */
const token2022Errors: readonly Row[] = [
  [30, 'TransferFeeExceedsMaximum', 'the transfer fee is above the most that a mint may take'],
  [31, 'MintRequiredForTransfer', 'the token can be transferred only with its mint named'],
  [32, 'FeeMismatch', 'the transfer fee is another one'],
  [34, 'ImmutableOwner', 'the owner of the token account cannot be changed'],
  [35, 'AccountHasWithheldTransferFees', 'the token account to be closed still holds transfer fees'],
  [36, 'NoMemo', 'the token account takes transfers with a memo only'],
  [37, 'NonTransferable', 'the token cannot be transferred'],
  [42, 'CpiGuardTransferBlocked', 'the token account lets no program transfer its tokens'],
  [44, 'CpiGuardCloseAccountBlocked', 'the token account lets no program close it'],
  [67, 'MintPaused', 'the mint is paused'],
];

/**
 * Errors of every program made with Anchor. A number below 100 comes from a called program: the table takes
 * it for a token program's, and 1 for the system program's too.
 */
const anchorErrors: readonly Row[] = [
  [1, 'InsufficientFunds', 'a program that it called found not enough SOL or tokens in an account'],
  [4, 'OwnerMismatch', 'the signer does not own a token account'],
  [11, 'NonNativeHasBalance', 'a token account to be closed still holds tokens'],
  [17, 'AccountFrozen', 'a token account is frozen'],
  [18, 'MintDecimalsMismatch', 'the mint has other decimals'],
  [31, 'MintRequiredForTransfer', 'the token can be transferred only with its mint named'],
  [36, 'NoMemo', 'a token account takes transfers with a memo only'],
  [37, 'NonTransferable', 'the token cannot be transferred'],
  [42, 'CpiGuardTransferBlocked', 'a token account lets no program transfer its tokens'],
  [67, 'MintPaused', 'the mint is paused'],
  [101, 'InstructionFallbackNotFound', 'the program does not know the instruction'],
  [102, 'InstructionDidNotDeserialize', 'the data of the instruction are malformed'],
  [2001, 'ConstraintHasOne', 'an account belongs to another one than was given'],
  [2003, 'ConstraintRaw', 'an account does not meet a condition of the instruction'],
  [2006, 'ConstraintSeeds', 'an account is not at the derived address'],
  [2012, 'ConstraintAddress', 'an account is not the expected one'],
  [2014, 'ConstraintTokenMint', 'a token account is of another mint'],
  [2015, 'ConstraintTokenOwner', 'a token account has another owner'],
  [3002, 'AccountDiscriminatorMismatch', 'an account is of another kind'],
  [3005, 'AccountNotEnoughKeys', 'an account is missing from the instruction'],
  [3007, 'AccountOwnedByWrongProgram', 'an account belongs to another program'],
  [3012, 'AccountNotInitialized', 'an account does not exist'],
];

const curveErrors: readonly Row[] = [
  [6000, 'MathOverflow', OVERFLOW],
  [6002, 'ExceededSlippage', SLIPPAGE],
  [6005, 'AmountIsZero', ZERO_AMOUNT],
  [6006, 'TypeCastFailed', OVERFLOW],
  [6012, 'NotEnoughLiquidity', 'the curve has not enough liquidity for the swap'],
  [6013, 'PoolIsCompleted', 'the curve is complete and trades no more'],
  [6014, 'PoolIsIncompleted', 'the curve is not complete yet'],
  [6022, 'NotPermitToDoThisAction', 'the signer may not do this'],
  [6024, 'InvalidConfigAccount', 'the config is not that of the pool'],
  [6025, 'SurplusHasBeenWithdraw', 'the surplus has been claimed before'],
  [6026, 'LeftoverHasBeenWithdraw', 'the leftover has been claimed before'],
  [6028, 'UnsupportNativeMintToken2022', OPEN_TOKEN_2022],
  [6029, 'InsufficientLiquidityForMigration', 'the curve holds too little to migrate'],
  [6033, 'InsufficientLiquidity', 'the curve has not enough liquidity for the swap'],
  [6036, 'InvalidNewCreator', 'the new creator is the creator already'],
  [6038, 'InvalidAccount', 'an account is not the one that belongs to the pool'],
  [6040, 'MigrationFeeHasBeenWithdraw', 'the migration fee has been claimed before'],
  [6043, 'FailToValidateSingleSwapInstruction', LONE_SWAP],
  [6045, 'UndeterminedError', 'the program does not say why'],
  [6053, 'Unauthorized', 'the signer has not the role that the instruction asks for'],
  [
    6057,
    'FirstSwapValidationFailed',
    'the first swap at the lowest fee must be in the transaction of the launch',
  ],
];

const ammErrors: readonly Row[] = [
  [6000, 'MathOverflow', OVERFLOW],
  [6002, 'ExceededSlippage', SLIPPAGE],
  [6003, 'PoolDisabled', 'the pool does not trade now'],
  [6006, 'AmountIsZero', ZERO_AMOUNT],
  [6007, 'TypeCastFailed', OVERFLOW],
  [6015, 'PriceRangeViolation', 'the swap would leave the price range of the pool'],
  [6023, 'InsufficientLiquidity', 'the pool has not enough liquidity'],
  [6025, 'InvalidPoolStatus', 'the pool is not in a status for this'],
  [6026, 'UnsupportNativeMintToken2022', OPEN_TOKEN_2022],
  [6049, 'FailToValidateSingleSwapInstruction', LONE_SWAP],
  [6051, 'UndeterminedError', 'the program does not say why'],
];

/** Programs whose errors are reported by name (reference/solana#programs), by address. */
export const knownPrograms: ReadonlyMap<string, KnownProgram> = new Map([
  [SYSTEM_PROGRAM, program('the system program', systemErrors)],
  [COMPUTE_BUDGET, program('the compute budget program')],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', program('the memo program')],
  [SPL_TOKEN, program('the token program', tokenErrors)],
  [TOKEN_2022, program('the Token-2022 program', tokenErrors, token2022Errors)],
  [
    ASSOCIATED_TOKEN,
    program('the associated token account program', [
      [0, 'InvalidOwner', 'the account exists and belongs to another owner'],
      [1, 'InsufficientFunds', 'a program that it called found not enough SOL in an account'],
    ]),
  ],
  [TOKEN_METADATA, program('the token metadata program')],
  [BONDING_CURVE, program('the bonding curve program', anchorErrors, curveErrors)],
  [DAMM_V2, program('the DAMM v2 program', anchorErrors, ammErrors)],
]);
