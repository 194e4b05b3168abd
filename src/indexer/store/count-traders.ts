import type { Database, Transaction } from '../../db/client.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import {
  foldTrades,
  pairKey,
  type Trader,
  type TraderBase,
  type TraderKey,
  type TraderTrade,
} from '../market/trader.ts';
import { queueRecounts, type Recount, recountsOf, recountTraders } from './recount-traders.ts';
import {
  insertFirstTrades,
  positionColumns,
  readTraders,
  type StoredTraders,
  storeBases,
  storeTraders,
  type TraderTradeRow,
  toTraderTrade,
  traderTradeColumns,
} from './trader-rows.ts';
import { lockForTrades } from './write-locks.ts';

/** The changes by new trades. */
export interface TraderChanges {
  /** The only trades of pairs without a row. Most pairs of a batch are such pairs, and need no fold. */
  firstTrades: readonly TraderTrade[];
  traders: readonly Trader[];
  /** Whether a pair had a row before. */
  isKnown: (pair: TraderKey) => boolean;
  bases: readonly (TraderKey & { base: TraderBase })[];
  /** Pairs with a trade that is not newer than their last one. */
  recounts: readonly Recount[];
  /** Pairs that wait already to be computed again. */
  queued: readonly Recount[];
}

/** Folds distinct new trades, in any order, into the stored pairs. */
export function foldTraders(stored: StoredTraders, trades: readonly TraderTrade[]): TraderChanges {
  const firstTrades: TraderTrade[] = [];
  const traders: Trader[] = [];
  const bases: (TraderKey & { base: TraderBase })[] = [];
  const late: TraderTrade[] = [];
  const queued: TraderTrade[] = [];
  for (const group of Map.groupBy(trades, pairKey).values()) {
    const [one] = group;
    if (one === undefined) continue;
    const key = pairKey(one);
    const known = stored.traders.get(key) ?? null;
    const through = stored.unfolded.get(one.mintAddress);
    if (stored.queued.has(key)) queued.push(...group);
    else if (!isInOrder(known, group)) late.push(...group);
    else if (known === null && group.length === 1 && through === undefined) firstTrades.push(one);
    else {
      // The walk through older trades folds those after its position later.
      const ready = through === undefined ? group : group.filter((trade) => chainPosition(trade) <= through);
      const folded = foldTrades(known, inOrder(ready));
      if (folded.trader !== null && folded.trader !== known) traders.push(folded.trader);
      if (folded.base !== null) bases.push({ ...one, base: folded.base });
    }
  }
  return {
    firstTrades,
    traders,
    isKnown: (pair) => stored.traders.has(pairKey(pair)),
    bases,
    recounts: recountsOf(late, 'added'),
    queued: recountsOf(queued, 'added'),
  };
}

function isInOrder(known: Trader | null, trades: readonly TraderTrade[]): boolean {
  return known === null || trades.every((trade) => chainPosition(trade) > known.lastPosition);
}

function inOrder(trades: readonly TraderTrade[]): readonly TraderTrade[] {
  if (trades.length < 2) return trades;
  return trades
    .map((trade) => [chainPosition(trade), trade] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, trade]) => trade);
}

/** Stores the result of `foldTraders`, in the transaction that stored the trades. */
export async function mergeTraders(transaction: Transaction, changes: TraderChanges): Promise<void> {
  await Promise.all([
    insertFirstTrades(transaction, changes.firstTrades),
    storeTraders(transaction, changes.traders, changes.isKnown),
    storeBases(transaction, changes.bases),
    queueRecounts(transaction, changes.queued),
  ]);
  await recountTraders(transaction, changes.recounts);
}

/** Trades that one step of the walk through older trades folds. */
const OLDER_TRADES_AT_ONCE = 1_000;

/**
 * Folds the next trades of a token whose trades are older than `token_traders`. Returns whether there were any.
 * Several workers take several tokens.
 */
export async function foldOlderTrades(db: Database): Promise<boolean> {
  const [next] = await db<
    { mintAddress: string }[]
  >`select mint_address from trader_backfills order by mint_address limit 1`;
  if (next === undefined) return false;
  const { mintAddress } = next;
  await db.begin(async (transaction) => {
    await lockForTrades(transaction, [mintAddress]);
    const [backfill] = await transaction<{ through: string }[]>`
      select through from trader_backfills where mint_address = ${mintAddress}`;
    if (backfill === undefined) return;
    const trades = await readOlder(transaction, mintAddress, backfill.through);
    const stored = await readTraders(transaction, trades);
    const isNew = (trade: TraderTrade) =>
      chainPosition(trade) > (stored.traders.get(pairKey(trade))?.lastPosition ?? '');
    const changes = foldTraders({ ...stored, unfolded: new Map() }, trades.filter(isNew));
    await mergeTraders(transaction, changes);
    const last = trades.at(-1);
    if (last === undefined || trades.length < OLDER_TRADES_AT_ONCE)
      await transaction`delete from trader_backfills where mint_address = ${mintAddress}`;
    else
      await transaction`
        update trader_backfills set through = ${chainPosition(last)} where mint_address = ${mintAddress}`;
  });
  return true;
}

/** Trades of a token after a position, oldest first. Those below the floor are the last ones of dropped partitions. */
async function readOlder(transaction: Transaction, mint: string, through: string): Promise<TraderTrade[]> {
  const { slot, transactionIndex, outerIndex, innerIndex, id } = positionColumns(through);
  const rows = await transaction<TraderTradeRow[]>`
    select ${traderTradeColumns(transaction)} from trades t
    where t.mint_address = ${mint} and t.slot >= coalesce((select f.slot from trade_floor f), 0)
      and (t.slot, t.transaction_index, t.outer_index, t.inner_index, t.id)
        > (${slot}::int8, ${transactionIndex}::int4, ${outerIndex}::int4, ${innerIndex}::int4, ${id}::uuid)
    order by t.slot, t.transaction_index, t.outer_index, t.inner_index, t.id limit ${OLDER_TRADES_AT_ONCE}`;
  return rows.map(toTraderTrade);
}
