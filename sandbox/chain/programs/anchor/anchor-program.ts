import { SwapRefusal } from '../../../../src/chain/pools/swap-refusal.ts';
import { MalformedBytes } from '../../byte-reader.ts';
import type { Effect } from '../effects.ts';
import { type ProgramCall, ProgramError, type ProgramModel } from '../model.ts';
import { frameworkError } from './anchor-error.ts';
import { ArgumentReader } from './borsh.ts';

/** Computes one instruction. */
export type Handler = (call: ProgramCall, args: ArgumentReader) => Generator<Effect, void, void>;

export const DISCRIMINATOR_BYTES = 8;

/** The first 8 bytes of an instruction's data, an event or an account: `sighash('global', 'swap2')`. */
export function sighash(namespace: 'global' | 'event' | 'account', name: string): Uint8Array {
  const digest = new Bun.CryptoHasher('sha256').update(`${namespace}:${name}`).digest();
  return Uint8Array.from(digest.subarray(0, DISCRIMINATOR_BYTES));
}

/**
 * A model of an Anchor program, which finds an instruction by the hash of its name.
 * @param uncomputed names of instructions that the real program has and the model has not
 * @param overflow the error of the program when a number is too large outside of a swap
 */
export function anchorProgram(
  address: string,
  instructions: Readonly<Record<string, Handler>>,
  uncomputed: readonly string[],
  overflow?: () => ProgramError,
): ProgramModel {
  const byDiscriminator = new Map(
    Object.entries(instructions).map(([name, handler]) => [
      hexOf(sighash('global', name)),
      { name, handler },
    ]),
  );
  const missing = new Map(uncomputed.map((name) => [hexOf(sighash('global', name)), name]));
  return {
    address,
    *run(call) {
      const discriminator = hexOf(call.data.subarray(0, DISCRIMINATOR_BYTES));
      const known = byDiscriminator.get(discriminator);
      if (known === undefined) {
        const absent = missing.get(discriminator);
        if (absent !== undefined) throw notComputed(absent);
        throw frameworkError('InstructionFallbackNotFound');
      }
      yield { kind: 'log', message: `Instruction: ${pascalCase(known.name)}` };
      try {
        yield* known.handler(call, new ArgumentReader(call.data, DISCRIMINATOR_BYTES));
      } catch (error) {
        if (error instanceof MalformedBytes) throw frameworkError('InstructionDidNotDeserialize');
        throw error instanceof SwapRefusal && overflow !== undefined ? overflow() : error;
      }
    },
  };
}

/** The failure of a call that the sandbox cannot compute, with the number of an unknown instruction. */
export function notComputed(what: string): ProgramError {
  return new ProgramError(
    101,
    `the sandbox does not compute ${what}; start it with --program and the program's binary`,
  );
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}
