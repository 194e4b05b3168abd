import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  DAMM_V2,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
} from '../../chain/accounts/programs.ts';
import type { CurveCapacity } from '../../chain/pools/curve/curve-capacity.ts';
import { curveErrors } from '../../chain/pools/curve/curve-errors.ts';
import { dammErrors } from '../../chain/pools/damm/damm-errors.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { Problem } from '../../shared/problem.ts';
import type { ListedToken } from './find-listed-token.ts';
import { notTradable } from './pool-snapshots.ts';

/** An error of a program, by its number; the name where this service knows it. */
export interface ProgramError {
  program: string;
  number: number;
  name: string | null;
}

/** Names of errors that a swap's instructions can end with, by program. */
const errorNames: Readonly<Record<string, ReadonlyMap<number, string>>> = {
  [BONDING_CURVE]: namesOf(curveErrors),
  [DAMM_V2]: namesOf(dammErrors),
  [SPL_TOKEN]: namesOf({ InsufficientFunds: 1, OwnerMismatch: 4, AccountFrozen: 17 }),
  [TOKEN_2022]: namesOf({ InsufficientFunds: 1, OwnerMismatch: 4, AccountFrozen: 17 }),
  [SYSTEM_PROGRAM]: namesOf({ InsufficientFunds: 1 }),
  // It opens accounts by calls to both of them; paying the rent is what can fail.
  [ASSOCIATED_TOKEN]: namesOf({ InvalidOwner: 0, InsufficientFunds: 1 }),
};

function namesOf(errors: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  return new Map(Object.entries(errors).map(([name, number]) => [number, name]));
}

/** Refusals that a smaller amount avoids. */
const tooMuch: readonly string[] = [
  'NotEnoughLiquidity',
  'InsufficientLiquidity',
  'PriceRangeViolation',
  'MathOverflow',
];

/** The problem of a swap that the pool's program would refuse as things are in the snapshot. */
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

/** @param reason one of contract/trading#amounts */
export function outOfRange(
  reason: 'zero' | 'above_u64' | 'too_small' | 'exceeds_liquidity',
  facts: Readonly<Record<string, unknown>> = {},
): Problem {
  return new Problem('swap_amount_out_of_range', { context: { reason, ...facts } });
}

/** Chain errors of a transaction whose blockhash the node does not know. */
export function isUnknownBlockhash(failure: string): boolean {
  return failure === '"BlockhashNotFound"';
}

/**
 * The problem of a swap whose simulation ended with this error of the chain, as JSON. Tells facts, never the node's text.
 *
 * @param before instructions that stand before those given
 */
export function refusedBySimulation(
  failure: string,
  instructions: readonly Instruction[],
  before: number,
): Problem {
  const failed = readInstructionError(failure);
  if (failed === null) {
    // The fee payer: it does not exist, or cannot pay.
    const isUnfunded = /AccountNotFound|InsufficientFundsForFee|InsufficientFundsForRent/.test(failure);
    return new Problem('swap_refused', {
      context: { reason: isUnfunded ? 'insufficient_funds' : 'refused' },
    });
  }
  const program = instructions[failed.index - before]?.program ?? '';
  const { number } = failed;
  if (number === null) return new Problem('swap_refused', { context: { reason: 'refused', program } });
  const name = errorNames[program]?.get(number) ?? null;
  const programError: ProgramError = { program, number, name };
  const reason = name === 'InsufficientFunds' ? 'insufficient_funds' : 'program_error';
  return new Problem('swap_refused', { context: { reason, programError } });
}

/** `{"InstructionError":[index, {"Custom":number}]}`; the number is null for errors of the runtime. */
function readInstructionError(failure: string): { index: number; number: number | null } | null {
  const parsed: unknown = JSON.parse(failure);
  if (typeof parsed !== 'object' || parsed === null || !('InstructionError' in parsed)) return null;
  const { InstructionError: error } = parsed;
  if (!Array.isArray(error) || typeof error[0] !== 'number') return null;
  const detail: unknown = error[1];
  const custom = typeof detail === 'object' && detail !== null && 'Custom' in detail ? detail.Custom : null;
  return { index: error[0], number: typeof custom === 'number' ? custom : null };
}
