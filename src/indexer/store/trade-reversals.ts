import type { Database, Transaction } from '../../db/client.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import type { RevertedTrade } from '../market/indexed-trade.ts';
import { rewriteCandles } from './candles-after-reversal.ts';
import { rewriteMarkets } from './markets-after-reversal.ts';
import { recountsOf, recountTraders } from './recount-traders.ts';
import { type OrderMoves, takeBackTriggers } from './trigger-orders.ts';
import { lockForReversal } from './write-locks.ts';

/** The ingest stream keeps messages for this time. After it no copy of a reverted trade can come. */
const REVERSALS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** A trade to be reverted. */
export interface Reversal {
  tradeId: string;
  /**
   * The slot that was rolled back. Null when the source does not report it: the stored trade's slot counts.
   */
  slot: bigint | null;
}

export interface StoredReversals {
  /** Tokens whose market changed. */
  changedMints: string[];
  /** Reversals without a slot whose trades were never seen. They cannot be applied yet. */
  unmatched: ReadonlySet<Reversal>;
  /** Number of orders that another trade has triggered instead. */
  triggered: number;
}

/**
 * Reverts trades in the caller's transaction: rows, candles, price, sums and traders are then those of a database that
 * never had these trades. A repetition changes nothing. A reversal is remembered by trade and slot, even when
 * the trade has not arrived yet: a late copy is then ignored, but the same transaction may land again in
 * another slot.
 *
 * @param orders takes back the orders that the trades have triggered. If it is unset, they stay triggered
 */
export async function storeReversals(
  transaction: Transaction,
  reversals: readonly Reversal[],
  now: Date,
  orders?: OrderMoves,
): Promise<StoredReversals> {
  await lockForReversal(transaction);
  const seen = await findReverted(transaction, reversals);
  const open = reversals.filter(({ tradeId, slot }) => slot !== null || !seen.has(tradeId));
  const reverted = await deleteTrades(transaction, open);
  await remember(transaction, [...reverted, ...open.flatMap(withSlot)], now);
  await rewriteCandles(transaction, reverted);
  await rewriteMarkets(transaction, reverted);
  await recountTraders(transaction, recountsOf(reverted, 'removed'));
  const triggered = orders === undefined ? 0 : await takeBackTriggers(transaction, orders, reverted);
  const found = new Set(reverted.map(({ id }) => id));
  return {
    changedMints: [...new Set(reverted.map(({ mintAddress }) => mintAddress))],
    unmatched: new Set(open.filter(({ tradeId, slot }) => slot === null && !found.has(tradeId))),
    triggered,
  };
}

function withSlot({ tradeId, slot }: Reversal): { id: string; slot: bigint }[] {
  return slot === null ? [] : [{ id: tradeId, slot }];
}

async function findReverted(transaction: Transaction, reversals: readonly Reversal[]): Promise<Set<string>> {
  const rows = await transaction<{ tradeId: string }[]>`
    select trade_id from reverted_trades where trade_id = any(${reversals.map(({ tradeId }) => tradeId)}::uuid[])`;
  return new Set(rows.map(({ tradeId }) => tradeId));
}

/** Trades below the floor stay, because their minutes cannot be made again, and prices go back to them. */
async function deleteTrades(
  transaction: Transaction,
  reversals: readonly Reversal[],
): Promise<RevertedTrade[]> {
  const rows = await transaction<RevertedTrade[]>`
    delete from trades t using unnest(
      ${reversals.map(({ tradeId }) => tradeId)}::uuid[],
      ${reversals.map(({ slot }) => slot?.toString() ?? null)}::int8[]) as r (id, slot)
    where t.id = r.id
      and t.slot between coalesce(r.slot, (select slot from trade_floor), 0) and coalesce(r.slot, 9223372036854775807)
      and t.slot >= coalesce((select slot from trade_floor), 0)
    returning t.id, t.mint_address, t.trader_wallet, t.type, t.sol_amount, t.token_amount, t.liquidity_in_sol, t.on_curve, t.slot,
      t.transaction_index, t.outer_index, t.inner_index, t.block_time`;
  return rows.map((row) => ({
    ...row,
    solAmount: normaliseDecimal(row.solAmount),
    tokenAmount: normaliseDecimal(row.tokenAmount),
    liquidityInSol: row.liquidityInSol === null ? null : normaliseDecimal(row.liquidityInSol),
  }));
}

async function remember(
  transaction: Transaction,
  reverted: readonly { id: string; slot: bigint }[],
  now: Date,
): Promise<void> {
  await transaction`
    insert into reverted_trades (trade_id, slot, reverted_at)
    select id, slot, ${now}::timestamptz from unnest(
      ${reverted.map(({ id }) => id)}::uuid[], ${reverted.map(({ slot }) => slot.toString())}::int8[]) as t (id, slot)
    on conflict do nothing`;
}

/** Deletes remembered reversals that no message of the stream can concern any more. Returns their number. */
export async function deleteOldReversals(db: Database, now: Date, limit: number): Promise<number> {
  const deleted = await db`
    delete from reverted_trades where (trade_id, slot) in (
      select trade_id, slot from reverted_trades
      where reverted_at < ${new Date(now.getTime() - REVERSALS_KEPT_MS)}
      order by reverted_at limit ${limit} for update skip locked)`;
  return deleted.count;
}
