import { encodeAddress } from '../../shared/address.ts';
import { readTransaction } from '../transaction-reader.ts';
import { knownPrograms } from './program-errors.ts';
import { instructionErrors, transactionErrors } from './runtime-errors.ts';

const KEY_BYTES = 32;
const CUSTOM_ERROR_MAX = 0xffff_ffff;

/**
 * One sentence about the reason why the chain failed a transaction (contract/intents#error-detail): the
 * instruction, the program, the error number, and its meaning where the program is known. It is built from
 * closed tables and the transaction alone, never from a node's text.
 *
 * @param failure the chain's error as JSON, as a node returned it
 * @param transaction wire bytes
 * @returns null when the form of the error is unknown, or it does not fit the transaction
 */
export function describeFailure(failure: string, transaction: Uint8Array): string | null {
  const error = parse(failure);
  const [name, content] = typeof error === 'string' ? [error, null] : onlyEntry(error);
  if (name === null) return null;
  if (name === 'InstructionError') return describeInstruction(content, transaction);
  const meaning = transactionErrors.get(name);
  return meaning === undefined ? null : `The transaction failed with ${named(name, meaning)}.`;
}

function describeInstruction(content: unknown, transaction: Uint8Array): string | null {
  if (!Array.isArray(content) || content.length !== 2) return null;
  const [index, error] = content as [unknown, unknown];
  const programAddress = Number.isInteger(index) ? programOf(transaction, index as number) : null;
  if (programAddress === null) return null;
  const how = describeError(error, programAddress);
  const title = knownPrograms.get(programAddress)?.title ?? 'a program';
  // Nodes and explorers count from 0 too, so the numbers can be compared.
  return how && `Instruction ${index}, of ${title} (${programAddress}), failed with ${how}.`;
}

function describeError(error: unknown, programAddress: string): string | null {
  const [name, content] = typeof error === 'string' ? [error, null] : onlyEntry(error);
  if (name === null) return null;
  if (name !== 'Custom') {
    const meaning = instructionErrors.get(name);
    return meaning === undefined ? null : named(name, meaning);
  }
  if (!Number.isInteger(content)) return null;
  const number = content as number;
  if (number < 0 || number > CUSTOM_ERROR_MAX) return null;
  const known = knownPrograms.get(programAddress)?.errors.get(number);
  return known === undefined ? `error ${number}` : `error ${number} ${known.name}: ${known.meaning}`;
}

function named(name: string, meaning: string | null): string {
  return meaning === null ? name : `${name}: ${meaning}`;
}

function programOf(bytes: Uint8Array, instructionIndex: number): string | null {
  const view = readTransaction(bytes);
  const instruction = view?.instructions[instructionIndex];
  if (view === null || instruction === undefined) return null;
  const start = view.keysOffset + instruction.programIndex * KEY_BYTES;
  return encodeAddress(bytes.subarray(start, start + KEY_BYTES));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // An error of a node is always JSON. The caller says that nothing is known.
    return null;
  }
}

/** The key and value of an object with exactly one entry: the JSON of a Rust enum. */
function onlyEntry(value: unknown): [string, unknown] | [null, null] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [null, null];
  const [entry, another] = Object.entries(value);
  return entry === undefined || another !== undefined ? [null, null] : entry;
}
