import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { publishedPrice } from '../../shared/published-value.ts';
import { type MarketTimes, marketAsOf, marketTimes } from './proven-time.ts';
import type { Trade } from './schema.ts';

/**
 * A page of trades: complete for block times before `asOf`, with newer trades as far as they have been read.
 */
export interface TradePage extends KeysetPage<Trade, TradePosition> {
  asOf: Date;
}

/** Chain position of a trade as the keys of `trades_chain_order`: slot, three indexes, id. */
export type TradePosition = readonly [
  slot: string,
  transactionIndex: string,
  outerIndex: string,
  innerIndex: string,
  id: string,
];

/** Public columns of `trades`, and those of the chain position. */
export interface TradeRow {
  id: string;
  type: Trade['type'];
  traderWallet: string;
  solAmount: string;
  tokenAmount: string;
  pricePerTokenInSol: string;
  spotPriceInSol: string | null;
  slot: bigint;
  transactionIndex: number;
  outerIndex: number;
  innerIndex: number;
  blockTime: Date;
  transactionSignature: string;
}

// Sorts before the newest trade: the first page runs the same statement as the others.
export const BEFORE_ALL: TradePosition = [
  '9223372036854775807',
  '2147483647',
  '2147483647',
  '2147483647',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

interface TradeWindow {
  limit: number;
  /** The last trade of the previous page. */
  after?: TradePosition | undefined;
  /** Only the trades of this transaction. */
  signature?: string | undefined;
}

/**
 * Lists the trades of a visible token, newest first in chain order, by one range of the index
 * `trades_chain_order`, or those of one transaction by the index `trades_signature`; null when there is no
 * such token.
 */
export async function listTrades(
  db: Queryable,
  mintAddress: string,
  { limit, after = BEFORE_ALL, signature }: TradeWindow,
): Promise<TradePage | null> {
  const [slot, transactionIndex, outerIndex, innerIndex, id] = after;
  // A token without trades has a single row of nulls.
  const rows = await db<(MarketTimes & (TradeRow | { id: null }))[]>`
    select ${marketTimes(db, mintAddress)}, r.*
    from visible_tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    left join lateral (
      select ${tradeColumns(db)} from ${tradeSource(db, signature)}
      where mint_address = ${mintAddress}
        and (slot, transaction_index, outer_index, inner_index, id)
          < (${slot}::int8, ${transactionIndex}::int4, ${outerIndex}::int4, ${innerIndex}::int4, ${id}::uuid)
      order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc
      limit ${limit + 1}) r on true
    where t.mint_address = ${mintAddress}`;
  const [first] = rows;
  if (first === undefined) return null;
  const found = rows.filter((row): row is MarketTimes & TradeRow => row.id !== null);
  return {
    asOf: marketAsOf(first),
    ...keysetPage(found, limit, (row) => toTrade(mintAddress, row), positionOf),
  };
}

export function positionOf({ slot, transactionIndex, outerIndex, innerIndex, id }: TradeRow): TradePosition {
  return [slot.toString(), String(transactionIndex), String(outerIndex), String(innerIndex), id];
}

/**
 * SQL: all trades, or those of a transaction. These are materialised before sorting: otherwise the plan would walk
 * through all trades of the token, in its order, to find them.
 */
export function tradeSource(db: Queryable, signature: string | undefined) {
  return signature === undefined
    ? db`trades`
    : db`(select * from trades where transaction_signature = ${signature} offset 0) trades`;
}

/** SQL: the columns of a TradeRow, from `trades`. */
export function tradeColumns(db: Queryable) {
  return db`
    id, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, spot_price_in_sol, slot,
    transaction_index, outer_index, inner_index, block_time, transaction_signature`;
}

export function toTrade(mintAddress: string, row: TradeRow): Trade {
  return {
    id: row.id,
    mintAddress,
    type: row.type,
    traderWallet: row.traderWallet,
    solAmount: normaliseDecimal(row.solAmount),
    tokenAmount: normaliseDecimal(row.tokenAmount),
    pricePerTokenInSol: normaliseDecimal(row.pricePerTokenInSol),
    spotPriceInSol: publishedPrice(row.spotPriceInSol),
    slot: row.slot.toString(),
    blockTime: row.blockTime.toISOString(),
    transactionSignature: row.transactionSignature,
  };
}
