import type { NamedAccount } from './anchor/accounts.ts';
import type { CallAccount, ProgramCall, TopLevelInstruction } from './model.ts';

export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111';

/** The instructions before a call in its transaction, when the call is given the sysvar that lists them. */
export function instructionsBefore(
  call: ProgramCall,
  firstRemaining: number,
): readonly TopLevelInstruction[] | null {
  const sysvar: CallAccount | undefined = call.accounts[firstRemaining];
  if (sysvar?.address !== INSTRUCTIONS_SYSVAR) return null;
  const { instructions, index } = call.transaction;
  return instructions.slice(0, index);
}

/** Whether the call is the top-level instruction itself. */
export function isTopLevel(call: ProgramCall, program: string): boolean {
  const { instructions, index } = call.transaction;
  return instructions[index]?.program === program;
}

interface SwapShape {
  readonly program: string;
  readonly discriminators: readonly Uint8Array[];
  /** Where a swap of the program names its pool. */
  readonly poolIndex: number;
}

/**
 * Whether a swap proves that it is the first of its pool in its transaction: no instruction before it swaps there or
 * gives the pool to another program. A swap that another program calls is refused: it cannot prove this.
 */
export function isSingleSwap(
  call: ProgramCall,
  firstRemaining: number,
  pool: NamedAccount,
  { program, discriminators, poolIndex }: SwapShape,
): boolean {
  const before = instructionsBefore(call, firstRemaining);
  if (before === null || !isTopLevel(call, program)) return false;
  return before.every((instruction) => {
    if (instruction.program !== program)
      return instruction.accounts.every(({ address }) => address !== pool.address);
    const isSwap = discriminators.some((bytes) => bytes.every((byte, at) => byte === instruction.data[at]));
    return !isSwap || instruction.accounts[poolIndex]?.address !== pool.address;
  });
}
