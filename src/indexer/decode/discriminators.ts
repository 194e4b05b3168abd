import { anchorDiscriminator, DISCRIMINATOR_BYTES } from '../../chain/anchor-discriminator.ts';
import { decodeBase58 } from '../../shared/base58.ts';
import type { Instruction } from './chain-transaction.ts';

/** Hex of the first bytes of an instruction's data. */
export function instructionDiscriminator({ data }: Instruction): string {
  return hex(instructionBytes(data).subarray(0, DISCRIMINATOR_BYTES));
}

/** Data of an instruction. Empty when the text is not base58, which no node sends. */
export function instructionBytes(data: string): Uint8Array {
  return decodeBase58(data) ?? new Uint8Array();
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function byDiscriminator<Name extends string>(
  namespace: 'global' | 'event',
  names: readonly Name[],
): ReadonlyMap<string, Name> {
  return new Map(names.map((name) => [hex(anchorDiscriminator(namespace, name)), name]));
}

/** Names of instructions by the hex of their discriminators. */
export function instructionNames<Name extends string>(names: readonly Name[]): ReadonlyMap<string, Name> {
  return byDiscriminator('global', names);
}

/** Names of events by the hex of their discriminators. */
export function eventNames<Name extends string>(names: readonly Name[]): ReadonlyMap<string, Name> {
  return byDiscriminator('event', names);
}
