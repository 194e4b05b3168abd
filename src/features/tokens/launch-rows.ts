import type { LaunchedPool } from '../../chain/pools/curve/launched-pool.ts';
import type { Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { EventName } from '../../shared/events/catalogue.ts';
import { type TokenRow, tokenColumns, toToken } from './record.ts';
import { type LaunchState, launchEvents } from './state.ts';

/** The stored lifecycle of a token, with the facts that decide whether a change sends an event. */
export interface LaunchRecord extends LaunchState {
  hidden: boolean;
  hasPool: boolean;
  announceHistory: boolean;
  toldEvents: string[];
  createdAt: Date;
}

/** Serialises changes of one token until the end of the transaction, even for a mint without a row. */
export async function lockMint(transaction: Transaction, mintAddress: string): Promise<void> {
  await transaction`select pg_advisory_xact_lock(hashtextextended(${`token:${mintAddress}`}, 0))`;
}

/** Locks the mint and reads the stored lifecycle. */
export async function lockLaunch(
  transaction: Transaction,
  mintAddress: string,
): Promise<LaunchRecord | null> {
  await lockMint(transaction, mintAddress);
  const [row] = await transaction<LaunchRecord[]>`
    select status, launched_at, graduated_at, curve_stage, curve_created_at, curve_completed_at, curve_migrated_at,
      hidden, pool_address is not null as has_pool, announce_history, told_events, created_at
    from tokens where mint_address = ${mintAddress} for update`;
  return row ?? null;
}

/**
 * Sends the events of a stored change, and records that they were sent. With `announceHistory` this is the
 * first announced report, so every event that was not sent before is news. A hidden token sends none
 * (contract/tokens#visibility).
 *
 * @param pool state of the pool on the chain, for `launch.created`
 */
export async function sendLaunchEvents(
  transaction: Transaction,
  outbox: Outbox,
  mintAddress: string,
  previous: LaunchRecord | null,
  next: LaunchState,
  announcesNow: boolean,
  pool: LaunchedPool | null,
): Promise<EventName[]> {
  if (previous?.hidden === true) return [];
  const events = launchEvents(announcesNow ? null : previous, next, {
    registeredAt: previous?.createdAt ?? null,
    announceHistory: announcesNow || previous?.announceHistory === true,
    toldEvents: previous?.toldEvents ?? [],
  });
  if (events.length === 0) return [];
  await transaction`
    update tokens set told_events = told_events || ${events}::text[] where mint_address = ${mintAddress}`;
  const token = await readToken(transaction, mintAddress);
  for (const name of events) {
    const data = name === 'launch.created' ? { ...token, pool } : token;
    await outbox.append(transaction, { name, subject: mintAddress, accountId: null, data });
  }
  return events;
}

async function readToken(transaction: Transaction, mintAddress: string) {
  const [row] = await transaction<TokenRow[]>`
    select ${tokenColumns(transaction)}
    from tokens t left join token_markets m using (mint_address) where t.mint_address = ${mintAddress}`;
  if (row === undefined) throw new Error(`token ${mintAddress} vanished inside its own transaction`);
  return toToken(row);
}
