import { tokenProgramNames } from '../../chain/accounts/programs.ts';
import type { Instruction } from './chain-transaction.ts';
import { instructionBytes } from './discriminators.ts';

/** Tokens that moved from one token account to another, raw. */
interface TokenTransfer {
  source: string;
  destination: string;
  raw: bigint;
}

/** Transfer instructions of both token programs, by first byte: offset of the amount, and receiver. */
const transferShapes: ReadonlyMap<number, { amountOffset: number; destination: number }> = new Map([
  [3, { amountOffset: 1, destination: 1 }], // Transfer
  [12, { amountOffset: 1, destination: 2 }], // TransferChecked
  [26, { amountOffset: 2, destination: 2 }], // TransferCheckedWithFee, sub-instruction 1
]);

/** The transfer of an instruction. Null when the instruction is no transfer. */
export function tokenTransfer({ programAddress, accounts, data }: Instruction): TokenTransfer | null {
  if (!tokenProgramNames.has(programAddress)) return null;
  const bytes = Buffer.from(instructionBytes(data));
  const shape = transferShapes.get(bytes[0] ?? -1);
  if (shape === undefined || bytes.length < shape.amountOffset + 8) return null;
  const [source, destination] = [accounts[0], accounts[shape.destination]];
  if (source === undefined || destination === undefined) return null;
  return { source, destination, raw: bytes.readBigUInt64LE(shape.amountOffset) };
}

/** Sum of the transfers out of a token account. */
export function transferredRaw(instructions: readonly Instruction[], source: string | undefined): bigint {
  let sum = 0n;
  for (const instruction of instructions) {
    const transfer = tokenTransfer(instruction);
    if (transfer !== null && transfer.source === source) sum += transfer.raw;
  }
  return sum;
}
