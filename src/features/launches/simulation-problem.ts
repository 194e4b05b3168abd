import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { namedError, type ProgramError } from '../../chain/failures/program-errors.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import { Problem } from '../../shared/problem.ts';
import type { LaunchShortfall } from './launch-funds.ts';

/** Errors of the runtime itself that mean that the wallet holds too little. */
const POVERTY = ['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'];
/** A transfer or a rent that the wallet cannot pay: the same number in every program that a launch calls. */
const INSUFFICIENT_FUNDS = 1;
const SOL_DECIMALS = 9;

/** Facts of a refused launch. */
export interface LaunchRefusal {
  reason: 'insufficient_funds' | 'program_error' | 'refused';
  programError?: Omit<ProgramError, 'program' | 'number'> & { program: string | null; number: number | null };
}

/**
 * What a failed simulation says of the launch; `blockhash_unknown` when it says nothing. Tells facts, never the node's text.
 *
 * @param failure the chain's error as JSON
 * @param instructions all but those of the compute budget, which come first
 */
export function readLaunchRefusal(
  failure: string,
  instructions: readonly Instruction[],
  budgetInstructions: number,
): LaunchRefusal | 'blockhash_unknown' {
  const error: unknown = JSON.parse(failure);
  if (error === 'BlockhashNotFound') return 'blockhash_unknown';
  const failed = instructionError(error);
  if (failed === null) {
    const isPoor = POVERTY.some((name) => failure.includes(name));
    return { reason: isPoor ? 'insufficient_funds' : 'refused' };
  }
  const { index, number } = failed;
  const program = instructions[index - budgetInstructions]?.program ?? null;
  const name = program === null || number === null ? null : namedError(program, number).name;
  const reason = number === INSUFFICIENT_FUNDS ? 'insufficient_funds' : 'program_error';
  return { reason, programError: { program, number, name } };
}

/** The problem of a launch whose simulation failed; with what the wallet lacks, where that is known. */
export function refusedLaunch(refusal: LaunchRefusal, shortfall: LaunchShortfall | null): Problem {
  if (shortfall === null) return new Problem('launch_refused', { context: { ...refusal } });
  const [have, need] = [shortfall.have, shortfall.need].map((raw) => rawToDecimal(raw, SOL_DECIMALS));
  return new Problem('launch_refused', {
    detail: `The wallet has ${have} SOL, and the launch needs at least ${need} SOL for its accounts, the fees and the first buy. The same request would be refused again.`,
    context: {
      ...refusal,
      mintAddress: WRAPPED_SOL_MINT,
      haveRaw: String(shortfall.have),
      needRaw: String(shortfall.need),
    },
  });
}

/** `{"InstructionError":[index,{"Custom":number}]}`; the number is null for errors of the runtime. */
function instructionError(error: unknown): { index: number; number: number | null } | null {
  const { InstructionError: pair } = Object(error) as { InstructionError?: unknown };
  if (!Array.isArray(pair) || typeof pair[0] !== 'number') return null;
  const { Custom: number } = Object(pair[1]) as { Custom?: unknown };
  return { index: pair[0], number: typeof number === 'number' ? number : null };
}
