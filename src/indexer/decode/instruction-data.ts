import { decodeBase58 } from '../../shared/base58.ts';
import type { Instruction } from './chain-transaction.ts';

/** The first bytes by which an Anchor program recognises an instruction, an account or an event. */
export const DISCRIMINATOR_BYTES = 8;

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
