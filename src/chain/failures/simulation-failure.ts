import type { Instruction } from '../transactions/instruction.ts';
import { instructionErrors } from './runtime-errors.ts';

/** What a simulation ended with: facts, never the node's text. */
export type SimulationFailure =
  | {
      kind: 'instruction';
      /** Null for an instruction that the caller did not give. */
      program: string | null;
      /** Of the program's own errors; null for an error of the runtime. */
      number: number | null;
      /** The runtime's name of the error; null for an unknown one. */
      error: string | null;
    }
  | {
      kind: 'transaction';
      /** The fee payer does not exist, or cannot pay. */
      isUnfunded: boolean;
    };

/**
 * @param failure the chain's error as JSON, such as `{"InstructionError":[index,{"Custom":number}]}`
 * @param before instructions of the transaction that come before those given
 */
export function readSimulationFailure(
  failure: string,
  instructions: readonly Instruction[],
  before: number,
): SimulationFailure {
  const { InstructionError: pair } = Object(JSON.parse(failure)) as { InstructionError?: unknown };
  if (!Array.isArray(pair) || typeof pair[0] !== 'number') {
    const isUnfunded = /AccountNotFound|InsufficientFundsForFee|InsufficientFundsForRent/.test(failure);
    return { kind: 'transaction', isUnfunded };
  }
  const [index, detail] = pair as [number, unknown];
  const { Custom: number } = Object(detail) as { Custom?: unknown };
  const [name = ''] = typeof detail === 'string' ? [detail] : Object.keys(Object(detail));
  return {
    kind: 'instruction',
    program: instructions[index - before]?.program ?? null,
    number: typeof number === 'number' ? number : null,
    error: instructionErrors.has(name) ? name : null,
  };
}
