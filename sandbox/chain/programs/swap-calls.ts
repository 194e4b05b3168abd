import { INSTRUCTIONS_SYSVAR } from '../../../src/chain/accounts/programs.ts';
import type { SwapMode } from '../../../src/chain/pools/swap-request.ts';
import type { NamedAccount } from './anchor/accounts.ts';
import type { ArgumentReader } from './anchor/borsh.ts';
import type { CallAccount, ProgramCall, TopLevelInstruction } from './model.ts';

/** The arguments of `swap` or `swap2`, equal in both programs. */
export interface SwapArguments {
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly modeNumber: number;
  /** Null for a mode that does not exist. */
  readonly mode: SwapMode | null;
}

const modes: readonly SwapMode[] = ['exact_in', 'partial_fill', 'exact_out'];

/** `swap`: an exact amount in. */
export function readSwap(args: ArgumentReader): SwapArguments {
  return { amount0: args.u64(), amount1: args.u64(), modeNumber: 0, mode: 'exact_in' };
}

/** `swap2`: with a mode. */
export function readSwap2(args: ArgumentReader): SwapArguments {
  const [amount0, amount1, modeNumber] = [args.u64(), args.u64(), args.u8()];
  return { amount0, amount1, modeNumber, mode: modes[modeNumber] ?? null };
}

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
