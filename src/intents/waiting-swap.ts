import type { Instruction } from '../chain/transactions/instruction.ts';
import type { tradeTypes } from '../db/values/trades.ts';

/** A swap of a wallet that pays exactly an amount, and gets at least a limit. */
export interface ExactSwap {
  wallet: string;
  side: (typeof tradeTypes)[number];
  amountRaw: bigint;
  limitRaw: bigint;
  /** Makes the bytes unique. */
  reference: string;
}

/** A pool at which a swap may land later. */
export interface WaitingPool {
  venue: 'curve' | 'amm';
  /** Accounts that all traders of the pool write to. */
  writtenAccounts: readonly string[];
  /** The instructions of a swap, whatever the pool's price is when it lands. */
  instructions(swap: ExactSwap): Promise<Instruction[]>;
}

/** Where a token can be traded from now on. */
export interface WaitingPools {
  decimals: number;
  /** The slot that shows it. */
  slot: bigint;
  /** The pool that trades now, then the one to which the token migrates, where its address is known. */
  pools: readonly WaitingPool[];
}

/**
 * Throws the problem of a token that cannot be traded: `token_not_found`, `token_not_tradable`, `chain_unavailable`.
 * The account is that of the request, for its share of the gate.
 */
export type WaitingPoolSource = (mint: string, accountId: string) => Promise<WaitingPools>;
