import type { SwapMode } from '../../../src/chain/pools/swap-request.ts';
import type { ArgumentReader } from './anchor/borsh.ts';

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
