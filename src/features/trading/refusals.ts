import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { namedError, type ProgramError } from '../../chain/failures/program-errors.ts';
import type { SimulationFailure } from '../../chain/failures/simulation-failure.ts';
import type { CurveCapacity } from '../../chain/pools/curve/curve-capacity.ts';
import { U64_MAX } from '../../chain/pools/fixed-point.ts';
import { type Shortfall, shownShortfall } from '../../chain/transactions/shortfall.ts';
import { Problem } from '../../shared/problem.ts';
import type { ListedToken } from './find-listed-token.ts';

/** Why a token cannot be traded now (contract/trading#not-tradable). */
export const untradableReasons = [
  'not_launched',
  'migrating',
  'amm_unsupported',
  'quote_token_unsupported',
  'pool_disabled',
  'pool_refuses',
] as const;

export function notTradable(
  { status }: ListedToken,
  reason: (typeof untradableReasons)[number],
  facts: Readonly<Record<string, unknown>> = {},
): Problem {
  return new Problem('token_not_tradable', { context: { status, reason, ...facts } });
}

/** Refusals that a smaller amount avoids. */
const tooMuch: readonly string[] = [
  'NotEnoughLiquidity',
  'InsufficientLiquidity',
  'PriceRangeViolation',
  'MathOverflow',
];

/** The problem of a swap that the pool's program would refuse in the snapshot. */
export function refusedByProgram(
  program: string,
  { name, number }: { name: string; number: number },
  token: ListedToken,
  capacity: CurveCapacity | null,
): Problem {
  const programError: ProgramError = { program, number, name };
  if (name === 'PoolIsCompleted') return notTradable(token, 'migrating');
  if (name === 'PoolDisabled') return notTradable(token, 'pool_disabled');
  if (name === 'AmountIsZero') return outOfRange('too_small', { programError });
  if (tooMuch.includes(name)) {
    return outOfRange('exceeds_liquidity', {
      programError,
      ...(capacity !== null && {
        remainingQuoteRaw: String(capacity.quoteRaw),
        remainingBaseRaw: String(capacity.baseRaw),
      }),
    });
  }
  return notTradable(token, 'pool_refuses', { programError });
}

type RangeFacts = Readonly<Record<string, unknown>>;

/** What each reason of contract/trading#amounts says, with the facts of the occurrence. */
const rangeTexts = {
  too_small: () => 'Nothing would come out for this amount: it is zero, or too small.',
  exceeds_liquidity: ({ remainingQuoteRaw, remainingBaseRaw }: RangeFacts) =>
    remainingBaseRaw === undefined
      ? 'The amount is more than the pool can fill.'
      : `The amount is more than the curve can fill: buys can still pay ${remainingQuoteRaw} lamports without fees, and get ${remainingBaseRaw} raw units.`,
  above_u64: () => `The amount is more than an instruction can hold, which is ${U64_MAX}.`,
  balance_empty: () => 'The wallet holds none of the token.',
  rounds_to_zero: ({ amountBps, balanceRaw }: RangeFacts) =>
    `${amountBps} basis points of the ${balanceRaw} raw units that the wallet holds are less than one.`,
};

export function outOfRange(reason: keyof typeof rangeTexts, facts: RangeFacts = {}): Problem {
  return new Problem('swap_amount_out_of_range', {
    detail: rangeTexts[reason](facts),
    context: { reason, ...facts },
  });
}

/** Whether a refused swap is worth another request (contract/trading#refusals). */
export const refusalRetries = ['no', 'repeat', 'quote_again'] as const;
export type RefusalRetry = (typeof refusalRetries)[number];

/** Errors after which the caller should retry, because the pool has changed since it was read. */
const poolMoved: Readonly<Record<string, RefusalRetry>> = {
  ExceededSlippage: 'repeat',
  NotEnoughLiquidity: 'quote_again',
  InsufficientLiquidity: 'quote_again',
  PriceRangeViolation: 'quote_again',
  PoolIsCompleted: 'quote_again',
  PoolDisabled: 'quote_again',
};

/** Names of errors of an account with too low a balance. */
const tooLittle: readonly string[] = ['InsufficientFunds', 'ResultWithNegativeLamports'];

/** Why a swap was refused. */
export interface SwapRefusal {
  reason: 'insufficient_funds' | 'program_error' | 'refused';
  retry: RefusalRetry;
  /** For an error without its own number: the program, and the name of the runtime's error. */
  program?: string;
  error?: string | null;
  programError?: ProgramError;
}

/** Reads the refusal from a failed simulation. */
export function readRefusal(failure: SimulationFailure): SwapRefusal {
  if (failure.kind === 'transaction')
    return { reason: failure.isUnfunded ? 'insufficient_funds' : 'refused', retry: 'no' };
  const { number, error } = failure;
  const program = failure.program ?? '';
  if (number === null) return { reason: 'refused', retry: 'no', program, error };
  const programError = namedError(program, number);
  const name = programError.name ?? '';
  if (tooLittle.includes(name)) return { reason: 'insufficient_funds', retry: 'no', programError };
  return { reason: 'program_error', retry: poolMoved[name] ?? 'no', programError };
}

const advice: Readonly<Record<RefusalRetry, string>> = {
  no: 'The same request would be refused again.',
  repeat: 'The pool moved meanwhile: send the request again.',
  quote_again: 'The pool moved meanwhile: quote again before the next request.',
};

/**
 * The problem of a swap whose simulation failed.
 * @param hasLimit true for a request with its own limit, which cannot be repeated at another price
 */
export function refusedSwap(refusal: SwapRefusal, hasLimit: boolean): Problem {
  const retry = refusal.retry === 'repeat' && hasLimit ? 'quote_again' : refusal.retry;
  return new Problem('swap_refused', {
    detail: `${refusalText(refusal)} ${advice[retry]}`,
    context: { ...refusal, retry },
  });
}

function refusalText({ reason, programError, program, error = null }: SwapRefusal): string {
  if (programError !== undefined) {
    const { name, number } = programError;
    return `The chain would end this swap with error ${number}${name === null ? '' : ` ${name}`} of ${programError.program}.`;
  }
  if (reason === 'insufficient_funds') return 'The wallet has not enough SOL for this swap.';
  if (error !== null) return `The chain would end this swap with ${error} in ${program}.`;
  return 'The chain would refuse this swap now.';
}

/** The problem of a swap that exceeds a balance of the wallet. */
export function unfundedSwap(shortfall: Shortfall): Problem {
  const { have, need, facts } = shownShortfall(shortfall);
  const text =
    shortfall.mintAddress === WRAPPED_SOL_MINT
      ? `The wallet has ${have} SOL, and the swap needs ${need} SOL with fees and the rent of accounts to open.`
      : `The wallet has ${have} of the token, and the swap sells ${need}.`;
  return new Problem('swap_refused', {
    detail: `${text} ${advice.no}`,
    context: { reason: 'insufficient_funds', retry: 'no', ...facts },
  });
}
