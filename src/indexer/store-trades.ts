import type { Transaction } from '../db/client.ts';
import { foldCandles } from './candles.ts';
import { foldMarketChanges } from './market-change.ts';
import { mergeCandlesInto } from './store-candles.ts';
import { mergeMarketChanges } from './store-market.ts';
import type { IndexedTrade } from './trade.ts';

export interface StoredTrades {
  /** Tokens whose market changed. */
  changedMints: string[];
  /** Mints of the batch that no token has; their trades are not stored. */
  unknownMints: ReadonlySet<string>;
}

/**
 * Stores trades and everything that follows from them (candles, price, snapshot) in the caller's transaction.
 * A trade that is stored already changes nothing, so a batch may be repeated.
 */
export async function storeTrades(
  transaction: Transaction,
  trades: readonly IndexedTrade[],
): Promise<StoredTrades> {
  const mints = [...new Set(trades.map((trade) => trade.mintAddress))];
  const graduatedAt = await lockTokens(transaction, mints);
  const known = trades.filter((trade) => graduatedAt.has(trade.mintAddress));
  const newIds = await insertTrades(transaction, known);
  // A batch may name one trade twice: the first of equal ids counts.
  const added = known.filter((trade) => newIds.delete(trade.id));
  if (added.length > 0) {
    await Promise.all([
      mergeCandlesInto(transaction, foldCandles(added)),
      mergeMarketChanges(transaction, foldMarketChanges(added, graduatedAt)),
    ]);
  }
  return {
    changedMints: [...new Set(added.map((trade) => trade.mintAddress))],
    unknownMints: new Set(mints.filter((mint) => !graduatedAt.has(mint))),
  };
}

/** Known mints with their graduation. Locked in one order, so that batches of several workers never deadlock. */
async function lockTokens(
  transaction: Transaction,
  mints: readonly string[],
): Promise<Map<string, Date | null>> {
  const rows = await transaction<{ mintAddress: string; graduatedAt: Date | null }[]>`
    select mint_address, graduated_at from tokens
    where mint_address = any(${mints as string[]}) order by mint_address for no key update`;
  return new Map(rows.map((row) => [row.mintAddress, row.graduatedAt]));
}

/** Inserts what is new and returns its ids. */
async function insertTrades(transaction: Transaction, trades: readonly IndexedTrade[]): Promise<Set<string>> {
  if (trades.length === 0) return new Set();
  const column = <Key extends keyof IndexedTrade>(key: Key) => trades.map((trade) => trade[key]);
  const rows = await transaction<{ id: string }[]>`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
      spot_price_in_sol, liquidity_in_sol, slot, transaction_index, outer_index, inner_index, block_time,
      transaction_signature)
    select * from unnest(
      ${column('id')}::uuid[], ${column('mintAddress')}::text[], ${column('type')}::text[],
      ${column('traderWallet')}::text[], ${column('solAmount')}::numeric[], ${column('tokenAmount')}::numeric[],
      ${column('pricePerTokenInSol')}::numeric[], ${column('spotPriceInSol')}::numeric[],
      ${column('liquidityInSol')}::numeric[], ${column('slot').map(String)}::int8[],
      ${column('transactionIndex')}::int4[], ${column('outerIndex')}::int4[], ${column('innerIndex')}::int4[],
      ${column('blockTime').map((time) => time.toISOString())}::timestamptz[],
      ${column('transactionSignature')}::text[])
    on conflict do nothing returning id`;
  return new Set(rows.map((row) => row.id));
}
