import { advisoryLocks } from '../../db/advisory-lock.ts';
import type { Transaction } from '../../db/client.ts';

export interface LockedToken {
  graduatedAt: Date | null;
  decimals: number;
}

/** Tokens that are locked until the transaction ends, by mint. */
export type LockedTokens = ReadonlyMap<string, LockedToken>;

/** Locks the known tokens of these mints in one order, so that batches of several workers never deadlock. */
export async function lockTokens(transaction: Transaction, mints: readonly string[]): Promise<LockedTokens> {
  const rows = await transaction<(LockedToken & { mintAddress: string })[]>`
    select mint_address, graduated_at, decimals from tokens
    where mint_address = any(${mints as string[]}) order by mint_address for no key update`;
  return new Map(rows.map(({ mintAddress, ...token }) => [mintAddress, token]));
}

/** The mints that have a pool: the chain decides about their fees (contract/ingest#chain-decides). */
export async function mintsWithPool(
  transaction: Transaction,
  mints: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction<{ mintAddress: string }[]>`
    select mint_address from tokens where mint_address = any(${mints as string[]}) and pool_address is not null`;
  return new Set(rows.map(({ mintAddress }) => mintAddress));
}

/**
 * Locks tokens for a writer of trades: no reversal runs at the same time. The two statements share one round
 * trip. A writer that waits for a reversal must not hold tokens yet, because the reversal may need them.
 */
export async function lockForTrades(
  transaction: Transaction,
  mints: readonly string[],
): Promise<LockedTokens> {
  const [, tokens] = await Promise.all([shareReversalLock(transaction), lockTokens(transaction, mints)]);
  return tokens;
}

/** A function, because the driver sends a bare statement of a `Promise.all` after those of the functions in it. */
async function shareReversalLock(transaction: Transaction): Promise<void> {
  await transaction`select pg_advisory_xact_lock_shared(${advisoryLocks.tradeReversal})`;
}

/** Keeps all trades from being written, because a reversal does not know its tokens in advance. */
export async function lockForReversal(transaction: Transaction): Promise<void> {
  await transaction`select pg_advisory_xact_lock(${advisoryLocks.tradeReversal})`;
}
