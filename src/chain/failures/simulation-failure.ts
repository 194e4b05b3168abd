import { encodeAddress } from '../../shared/address.ts';
import { readTransaction } from '../transaction-reader.ts';
import type { Instruction } from '../transactions/instruction.ts';
import { instructionErrors } from './runtime-errors.ts';

/** Why a simulation failed, as facts. A node's text is never among them. */
export type SimulationFailure =
  | {
      kind: 'instruction';
      /** Its place among the instructions that the caller gave; negative before them. */
      at: number;
      /** Null for an instruction that the caller did not give. */
      program: string | null;
      /** The program's own error number. Null for an error of the runtime. */
      number: number | null;
      /** The runtime's name of the error. Null for an unknown error. */
      error: string | null;
    }
  | {
      kind: 'transaction';
      /** The fee payer does not exist, or cannot pay the fee. */
      isUnfunded: boolean;
    };

/**
 * @param failure the chain's error as JSON, such as `{"InstructionError":[index,{"Custom":number}]}`
 * @param before number of instructions in the transaction before the given ones
 */
export function readSimulationFailure(
  failure: string,
  instructions: readonly Pick<Instruction, 'program'>[],
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
    at: index - before,
    program: instructions[index - before]?.program ?? null,
    number: typeof number === 'number' ? number : null,
    error: instructionErrors.has(name) ? name : null,
  };
}

const KEY_BYTES = 32;

/**
 * As `readSimulationFailure`, for a transaction of which only the bytes are known: `at` counts all of its instructions.
 * @param bytes wire bytes
 */
export function readTransactionFailure(failure: string, bytes: Uint8Array): SimulationFailure {
  const view = readTransaction(bytes);
  const programs = view?.instructions.map(({ programIndex }) => {
    const start = view.keysOffset + programIndex * KEY_BYTES;
    return { program: encodeAddress(bytes.subarray(start, start + KEY_BYTES)) };
  });
  return readSimulationFailure(failure, programs ?? [], 0);
}
