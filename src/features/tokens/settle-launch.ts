import type { LaunchedPool } from '../../chain/pools/curve/launched-pool.ts';
import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { lockMint } from './launch-rows.ts';
import { type ReportedToken, upsertToken } from './upsert-token.ts';

/** The end of a launch. `launchedAt`: creation time of the pool on the chain; `pool`: its state then. */
export type LaunchOutcome =
  | { status: 'bonding'; poolAddress: string; launchedAt: Date | null; pool: LaunchedPool | null }
  | { status: 'failed' | 'expired' };

/** Puts the token of a signed launch into the lists. Returns false when it was there already. */
export async function listLaunchToken(transaction: Transaction, mintAddress: string): Promise<boolean> {
  const rows = await transaction`
    update tokens set listed = true where mint_address = ${mintAddress} and not listed returning 1`;
  return rows.length > 0;
}

/**
 * Moves the token of a launch to the status in which the launch ended, with its event; a token that other
 * facts have moved on keeps its status. An unsigned launch sends no event, because nobody knows of it
 * (contract/launches#unsigned).
 */
export async function settleLaunchToken(
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  mintAddress: string,
  outcome: LaunchOutcome,
): Promise<void> {
  await lockMint(transaction, mintAddress);
  const { status } = outcome;
  if (status === 'bonding') {
    await listLaunchToken(transaction, mintAddress);
    await transaction`
      update tokens set pool_address = ${outcome.poolAddress}
      where mint_address = ${mintAddress} and pool_address is null`;
  }
  const [token] = await transaction<(Omit<ReportedToken, 'status'> & { listed: boolean })[]>`
    select mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, listed from tokens
    where mint_address = ${mintAddress} and status = 'pending_launch_init'`;
  if (token === undefined) return;
  if (!token.listed) {
    await transaction`
      update tokens set status = ${status}, updated_at = ${clock.now()} where mint_address = ${mintAddress}`;
    return;
  }
  const launchedAt = status === 'bonding' ? (outcome.launchedAt?.toISOString() ?? null) : null;
  const pool = outcome.status === 'bonding' ? outcome.pool : null;
  await upsertToken(transaction, outbox, clock, { ...token, status, launchedAt }, pool);
}
