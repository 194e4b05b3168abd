import type { Transaction } from '../../db/client.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import {
  foldTrades,
  pairKey,
  type Trader,
  type TraderBase,
  type TraderKey,
  type TraderTrade,
} from '../market/trader.ts';
import { type Recount, recountsOf, recountTraders } from './recount-traders.ts';
import { insertFirstTrades, type StoredTraders, storeBases, storeTraders } from './trader-rows.ts';

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
    if (stored.queued.has(key)) queued.push(...group);
    else if (!isInOrder(known, group)) late.push(...group);
    else if (known === null && group.length === 1) firstTrades.push(one);
    else {
      const folded = foldTrades(known, inOrder(group));
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
  ]);
  await recountTraders(transaction, changes.recounts, changes.queued);
}
