import type { Instruction } from '../../chain/transactions/instruction.ts';
import { Problem } from '../../shared/problem.ts';

/** Errors of the runtime itself that mean that the wallet holds too little. */
const POVERTY = ['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'];
/** A transfer or a rent that the wallet cannot pay: the same number in every program that a launch calls. */
const INSUFFICIENT_FUNDS = 1;

/**
 * What a failed simulation says to the caller; `blockhash_unknown` when it says nothing about the launch. Tells facts,
 * never the node's text.
 *
 * @param failure the chain's error as JSON
 * @param instructions all but those of the compute budget, which come first
 */
export function simulationProblem(
  failure: string,
  instructions: readonly Instruction[],
  budgetInstructions: number,
): Problem | 'blockhash_unknown' {
  const error: unknown = JSON.parse(failure);
  if (error === 'BlockhashNotFound') return 'blockhash_unknown';
  const failed = instructionError(error);
  if (failed === null) {
    const isPoor = POVERTY.some((name) => failure.includes(name));
    return new Problem('launch_refused', { context: { reason: isPoor ? 'insufficient_funds' : 'refused' } });
  }
  const { index, number } = failed;
  const program = instructions[index - budgetInstructions]?.program ?? null;
  const reason = number === INSUFFICIENT_FUNDS ? 'insufficient_funds' : 'program_error';
  return new Problem('launch_refused', { context: { reason, programError: { program, number } } });
}

/** `{"InstructionError":[index,{"Custom":number}]}`; the number is null for errors of the runtime. */
function instructionError(error: unknown): { index: number; number: number | null } | null {
  const { InstructionError: pair } = Object(error) as { InstructionError?: unknown };
  if (!Array.isArray(pair) || typeof pair[0] !== 'number') return null;
  const { Custom: number } = Object(pair[1]) as { Custom?: unknown };
  return { index: pair[0], number: typeof number === 'number' ? number : null };
}
