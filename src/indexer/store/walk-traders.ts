import type { Transaction } from '../../db/client.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import { foldTrades, type TraderBase, type TraderKey, type TraderTrade } from '../market/trader.ts';
import { finishRecounts, NO_SLOT, type QueuedRecount, queueRecounts } from './recount-rows.ts';
import {
  columnsOf,
  deleteBases,
  deleteTraders,
  positionColumns,
  storeBases,
  storeTraders,
  type TraderTradeRow,
  toTraderTrade,
  traderTradeColumns,
} from './trader-rows.ts';

/** Trades of its wallet that one step of a pair looks at: some 10 ms. */
const TRADES_AT_ONCE = 2_000;

/**
 * The computation of a pair from its trades. With a base it reads those after the base, and `fromSlot` is
 * `NO_SLOT`.
 */
export interface Walk extends QueuedRecount {
  base: TraderBase | null;
}

/**
 * Takes each computation one step further. A pair that is finished leaves the queue. Any other is queued, and
 * its base has what was read.
 */
export async function walkTraders(
  transaction: Transaction,
  walks: readonly Walk[],
  floor: bigint,
  isKnown: (pair: TraderKey) => boolean,
): Promise<void> {
  if (walks.length === 0) return;
  const trades = await readWalkTrades(transaction, walks, floor);
  const results = walks.map((walk, at) => ({ walk, ...foldWalk(walk, trades.get(at + 1) ?? []) }));
  const finished = results.filter(({ isWhole }) => isWhole);
  await storeBases(
    transaction,
    results.flatMap(({ walk, base }) => (base === null ? [] : [{ ...walk, base }])),
  );
  await deleteBases(
    transaction,
    results.flatMap(({ walk, base }) => (base === null ? [walk] : [])),
  );
  await storeTraders(
    transaction,
    finished.flatMap(({ trader }) => (trader === null ? [] : [trader])),
    isKnown,
  );
  await deleteTraders(
    transaction,
    finished.flatMap(({ walk, trader }) => (trader === null ? [walk] : [])),
  );
  await finishRecounts(transaction, walks);
  await queueRecounts(
    transaction,
    results.filter(({ isWhole }) => !isWhole).map(({ walk }) => ({ ...walk, fromSlot: NO_SLOT })),
  );
}

type WalkTrade = TraderTrade & { isLast: boolean };

function foldWalk({ base, mintAddress }: Walk, trades: readonly WalkTrade[]) {
  const pairTrades = trades.filter((trade) => trade.mintAddress === mintAddress);
  const fold = foldTrades(base?.state ?? null, pairTrades);
  const end = trades.at(-1);
  // More trades of the wallet follow: the walk goes on from here.
  if (end?.isLast === true)
    return { isWhole: false, trader: null, base: { through: chainPosition(end), state: fold.trader } };
  return { isWhole: true, trader: fold.trader, base: fold.base ?? base };
}

/**
 * The next trades of each walk in chain order: those of its token, and the last trade that was read if more may
 * follow. A wallet's trades are read by their index, from the first that may concern the pair.
 */
async function readWalkTrades(
  transaction: Transaction,
  walks: readonly Walk[],
  floor: bigint,
): Promise<ReadonlyMap<number, WalkTrade[]>> {
  const { mints, wallets } = columnsOf(walks);
  const after = walks.map(({ base, fromSlot }) =>
    base === null ? { ...positionColumns(''), slot: fromSlot.toString() } : positionColumns(base.through),
  );
  const rows = await transaction<(TraderTradeRow & { at: number; isLast: boolean })[]>`
    select p.at::int4 as at, w.*, w.n = ${TRADES_AT_ONCE}::int4 as is_last
    from unnest(${mints}::text[], ${wallets}::text[], ${after.map(({ slot }) => slot)}::int8[],
      ${after.map(({ transactionIndex }) => transactionIndex)}::int4[], ${after.map(({ outerIndex }) => outerIndex)}::int4[],
      ${after.map(({ innerIndex }) => innerIndex)}::int4[], ${after.map(({ id }) => id)}::uuid[])
      with ordinality as p (mint_address, trader_wallet, slot, transaction_index, outer_index, inner_index, id, at)
    cross join lateral (
      select x.*, row_number() over (order by slot, transaction_index, outer_index, inner_index, id)::int4 as n
      from (select ${traderTradeColumns(transaction)} from trades t
        where t.trader_wallet = p.trader_wallet and t.slot >= p.slot and t.slot >= ${floor.toString()}::int8
          and (t.slot, t.transaction_index, t.outer_index, t.inner_index, t.id)
            > (p.slot, p.transaction_index, p.outer_index, p.inner_index, p.id)
        order by t.slot, t.transaction_index, t.outer_index, t.inner_index, t.id limit ${TRADES_AT_ONCE}) x) w
    where w.mint_address = p.mint_address or w.n = ${TRADES_AT_ONCE}::int4
    order by p.at, w.n`;
  return Map.groupBy(rows.map(toTraderTrade), ({ at }) => at);
}
