import {
  BONDING_CURVE,
  CURVE_EVENT_AUTHORITY,
  CURVE_POOL_AUTHORITY,
  DAMM_V2,
  DAMM_V2_EVENT_AUTHORITY,
  DAMM_V2_POOL_AUTHORITY,
  INSTRUCTIONS_SYSVAR,
} from '../accounts/programs.ts';
import type { SwapMode } from '../pools/swap-request.ts';
import { type AccountUse, type Instruction, readonly, signer, writable } from './instruction.ts';

// sha256('global:swap2')[..8], the same in both programs (reference/solana#swap-trader).
const SWAP2 = Buffer.from('414b3f4ceb5b5b88', 'hex');
const modeNumbers: Readonly<Record<SwapMode, number>> = { exact_in: 0, partial_fill: 1, exact_out: 2 };

/** PDAs of the seeds `pool_authority` and `__event_authority`. They are constants of each program. */
export const authorities = {
  [BONDING_CURVE]: { pool: CURVE_POOL_AUTHORITY, event: CURVE_EVENT_AUTHORITY },
  [DAMM_V2]: { pool: DAMM_V2_POOL_AUTHORITY, event: DAMM_V2_EVENT_AUTHORITY },
} as const;

export interface PoolSide {
  mint: string;
  tokenProgram: string;
  vault: string;
}

export interface SwapPool {
  program: typeof BONDING_CURVE | typeof DAMM_V2;
  address: string;
  /** The config of a curve. Null for an AMM pool, whose instruction has none. */
  config: string | null;
  /** Base and quote of a curve, or A and B of an AMM pool. */
  sides: readonly [PoolSide, PoolSide];
}

export interface SwapOrder {
  mode: SwapMode;
  /** The amount that goes in, or with `exact_out` the amount that comes out. */
  amountRaw: bigint;
  /** The least amount that may come out, or with `exact_out` the most that may go in. */
  limitRaw: bigint;
  /** Proves to the program that the swap is alone in its transaction. An active rate limiter demands this. */
  provesSingleSwap: boolean;
}

/** The instruction `swap2` of either program, without a referral. */
export function swapInstruction(
  { program, address, config, sides: [first, second] }: SwapPool,
  trader: { wallet: string; inputAccount: string; outputAccount: string },
  order: SwapOrder,
): Instruction {
  const { pool, event } = authorities[program];
  const accounts: AccountUse[] = [
    readonly(pool),
    ...(config === null ? [] : [readonly(config)]),
    writable(address),
    writable(trader.inputAccount),
    writable(trader.outputAccount),
    writable(first.vault),
    writable(second.vault),
    readonly(first.mint),
    readonly(second.mint),
    signer(trader.wallet),
    readonly(first.tokenProgram),
    readonly(second.tokenProgram),
    // The program's own address marks an optional account that is absent.
    readonly(program),
    readonly(event),
    readonly(program),
    ...(order.provesSingleSwap ? [readonly(INSTRUCTIONS_SYSVAR)] : []),
  ];
  const data = Buffer.alloc(25);
  SWAP2.copy(data);
  data.writeBigUInt64LE(order.amountRaw, 8);
  data.writeBigUInt64LE(order.limitRaw, 16);
  data.writeUInt8(modeNumbers[order.mode], 24);
  return { program, accounts, data };
}
