import { encodeAddress } from '../../shared/address.ts';
import { readTransaction } from '../transaction-reader.ts';
import type { Instruction } from '../transactions/instruction.ts';
import { instructionErrors } from './runtime-errors.ts';

/** The facts about a failed simulation. A node's text is never among them. */
export type SimulationFailure =
  | {
      kind: 'instruction';
      /** Its index among the instructions of the caller. Negative for one before them. */
      at: number;
      /** Null for an instruction that is not the caller's. */
      program: string | null;
      /** The program's own error number. Null for an error of the runtime. */
      number: number | null;
      /** The runtime's name of the error. Null for an unknown error. */
      error: string | null;
    }
  | {
      kind: 'transaction';
      /** The fee payer does not exist, cannot pay the fee, or would hold less than its rent. */
      isUnfunded: boolean;
      /** Another account, of the transaction's own keys, that would hold less than its rent. Else null. */
      belowRent: string | null;
    };

/**
 * @param failure the chain's error as JSON, such as `{"InstructionError":[index,{"Custom":number}]}`
 * @param before number of instructions in the transaction before the given ones
 * @param bytes the simulated transaction, whose accounts the error names by number
 */
export function readSimulationFailure(
  failure: string,
  instructions: readonly Pick<Instruction, 'program'>[],
  before: number,
  bytes: Uint8Array,
): SimulationFailure {
  const error = Object(JSON.parse(failure)) as {
    InstructionError?: unknown;
    InsufficientFundsForRent?: unknown;
  };
  const { InstructionError: pair } = error;
  if (!Array.isArray(pair) || typeof pair[0] !== 'number') {
    const { account_index: index } = Object(error.InsufficientFundsForRent) as { account_index?: unknown };
    const isOther = typeof index === 'number' && index !== FEE_PAYER;
    return {
      kind: 'transaction',
      isUnfunded:
        !isOther && /AccountNotFound|InsufficientFundsForFee|InsufficientFundsForRent/.test(failure),
      belowRent: isOther ? staticKey(bytes, index) : null,
    };
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
/** The index of the account that pays the fee. */
const FEE_PAYER = 0;

/** Null for an account of a lookup table. */
function staticKey(bytes: Uint8Array, index: number): string | null {
  const view = readTransaction(bytes);
  const isStatic = view !== null && Number.isInteger(index) && index >= 0 && index < view.keyCount;
  return isStatic ? keyAt(bytes, view.keysOffset, index) : null;
}

function keyAt(bytes: Uint8Array, keysOffset: number, index: number): string {
  const start = keysOffset + index * KEY_BYTES;
  return encodeAddress(bytes.subarray(start, start + KEY_BYTES));
}

/**
 * Reads a failure like `readSimulationFailure` when only the bytes are known: `at` counts all instructions.
 * @param bytes wire bytes
 */
export function readTransactionFailure(failure: string, bytes: Uint8Array): SimulationFailure {
  const view = readTransaction(bytes);
  const programs = view?.instructions.map(({ programIndex }) => ({
    program: keyAt(bytes, view.keysOffset, programIndex),
  }));
  return readSimulationFailure(failure, programs ?? [], 0, bytes);
}
