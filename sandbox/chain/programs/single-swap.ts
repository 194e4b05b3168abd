import type { NamedAccount } from './anchor/accounts.ts';
import type { CallAccount, ProgramCall, TopLevelInstruction } from './model.ts';

export const INSTRUCTIONS_SYSVAR = 'Sysvar1nstructions1111111111111111111111111';

/** What precedes a call in its transaction, when the call hands over the sysvar that shows it. */
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
 * Whether a swap shows itself to be the only one of its pool so far: nothing before it swaps there, and no other
 * program is handed the pool. A swap that another program calls cannot be shown to be alone here, and is refused.
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
