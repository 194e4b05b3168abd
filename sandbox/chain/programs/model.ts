import type { StoredAccount } from '../vm.ts';
import type { Effect } from './effects.ts';

/**
 * A program whose arithmetic is TypeScript: it computes the effects of a call, and the virtual machine carries them
 * out.
 */
export interface ProgramModel {
  /** base58. */
  readonly address: string;
  /** Accounts that the program needs. A chain that lacks one creates it at its start. */
  readonly accounts?: readonly { readonly address: string; readonly account: StoredAccount }[];
  /**
   * Yields the effects of one call in order. After each, `call.account` shows the state with that effect.
   * Ends early by yielding a `fail`, or by throwing a `ProgramError`.
   */
  run(call: ProgramCall): Generator<Effect, void, void>;
}

export interface ProgramCall {
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
  readonly clock: ChainClock;
  /** Top-level instructions of the transaction, and which of them this call belongs to. */
  readonly transaction: { readonly instructions: readonly TopLevelInstruction[]; readonly index: number };
  /** An account with the effects of this call so far; null when there is none. */
  account(address: string): StoredAccount | null;
  rentExemptLamports(dataBytes: number): bigint;
}

export interface CallAccount {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

export interface ChainClock {
  readonly slot: bigint;
  readonly unixSeconds: bigint;
}

export interface TopLevelInstruction {
  readonly program: string;
  readonly accounts: readonly CallAccount[];
  readonly data: Uint8Array;
}

/** A custom error of a program: the number that the transaction fails with, and what the program logs about it. */
export class ProgramError extends Error {
  readonly number: number;

  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}
