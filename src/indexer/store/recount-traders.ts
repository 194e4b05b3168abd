import type { Database, Transaction } from '../../db/client.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import {
  earlierOf,
  foldTrade,
  foldTrades,
  pairKey,
  slotOf,
  type Trader,
  type TraderBase,
  type TraderKey,
  type TraderTrade,
  withoutTrade,
} from '../market/trader.ts';
import {
  columnsOf,
  deleteBases,
  deleteTraders,
  positionColumns,
  readBases,
  readTraders,
  storeBases,
  storeTraders,
  type TraderTradeRow,
  toTraderTrade,
  traderTradeColumns,
} from './trader-rows.ts';
import { lockForTrades } from './write-locks.ts';

/** Pairs that one transaction computes again. The worker's loop takes the others. */
const PAIRS_AT_ONCE = 200;
/** Trades of its wallet that one step of a pair looks at: some 10 ms. */
const TRADES_AT_ONCE = 2_000;
/** Later than every slot: nothing has changed before the base. */
const NO_SLOT = 9_223_372_036_854_775_807n;

/** A pair with trades that came or were removed before its last one. */
export interface Recount extends TraderKey {
  /** The earliest slot of these trades. */
  fromSlot: bigint;
  added: readonly TraderTrade[];
  removed: readonly TraderTrade[];
}

/** Groups trades by pair. */
export function recountsOf(trades: readonly TraderTrade[], kind: 'added' | 'removed'): Recount[] {
  const groups = Map.groupBy(trades, pairKey);
  return [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (one === undefined) return [];
    const { mintAddress, traderWallet } = one;
    const fromSlot = group.map(({ slot }) => slot).reduce(earlierOf);
    return [{ mintAddress, traderWallet, fromSlot, added: [], removed: [], [kind]: group }];
  });
}

/**
 * Computes pairs again from their trades, in the caller's transaction, which has locked their tokens. Pairs that take
 * longer than a step, or are too many for one transaction, are queued.
 *
 * @param waiting changes of pairs that are queued already, and stay so
 */
export async function recountTraders(
  transaction: Transaction,
  recounts: readonly Recount[],
  waiting: readonly Recount[] = [],
): Promise<void> {
  const all = [...recounts, ...waiting];
  if (all.length === 0) return;
  const [{ traders }, bases, floor] = await Promise.all([
    readTraders(transaction, all),
    readBases(transaction, all),
    readFloor(transaction),
  ]);
  const starts = all.map((recount, at) => {
    const key = pairKey(recount);
    const known = traders.get(key) ?? null;
    const start = startOf(recount, known, bases.get(key) ?? null, floor);
    return { recount, start, known, isWaiting: at >= recounts.length };
  });
  const changed = starts.filter(({ start }) => start.kind === 'known');
  const isKnown = (pair: TraderKey) => traders.has(pairKey(pair));
  await storeTraders(
    transaction,
    changed.flatMap(({ start }) => (start.kind === 'known' && start.trader !== null ? [start.trader] : [])),
    isKnown,
  );
  await finishRecounts(
    transaction,
    changed.map(({ recount }) => recount),
  );
  const walks = starts.flatMap(({ recount, start, known, isWaiting }) =>
    start.kind === 'walk' ? [{ ...recount, known, base: start.base, isWaiting }] : [],
  );
  const ready = walks.filter(({ isWaiting }) => !isWaiting).slice(0, PAIRS_AT_ONCE);
  await queueWalks(
    transaction,
    walks.filter((walk) => !ready.includes(walk)),
  );
  await walkTraders(transaction, ready, floor, isKnown);
}

/** Leaves walks to the worker's loop. Their bases keep the changes, which the queue does not have. */
async function queueWalks(transaction: Transaction, walks: readonly Walk[]): Promise<void> {
  await storeBases(
    transaction,
    walks.flatMap((walk) => (walk.base === null ? [] : [{ ...walk, base: walk.base }])),
  );
  await queueRecounts(
    transaction,
    walks.map((walk) => (walk.base === null ? walk : { ...walk, fromSlot: NO_SLOT })),
  );
}

/** Where the computation of a pair begins. `known`: its older trades are no longer stored, so the stored row is changed. */
type Start = { kind: 'walk'; base: TraderBase | null } | { kind: 'known'; trader: Trader | null };

function startOf(recount: Recount, known: Trader | null, base: TraderBase | null, floor: bigint): Start {
  if (base !== null && slotOf(base.through) < recount.fromSlot) return { kind: 'walk', base };
  const isAllStored = (known?.firstSlot ?? floor) >= floor && (base?.state?.firstSlot ?? floor) >= floor;
  if (isAllStored) return { kind: 'walk', base: null };
  if (base !== null) return { kind: 'walk', base: withChanges(base, recount) };
  if (known !== null && slotOf(known.lastPosition) < floor)
    return { kind: 'walk', base: { through: known.lastPosition, state: known } };
  return { kind: 'known', trader: applyChanges(known, recount) };
}

/** The base with the changes up to its end. Those after it are read by the walk, also when they are in the same slot. */
function withChanges(base: TraderBase, { added, removed, ...recount }: Recount): TraderBase {
  const isWithin = (trade: TraderTrade) => chainPosition(trade) <= base.through;
  const changes = { ...recount, added: added.filter(isWithin), removed: removed.filter(isWithin) };
  return { ...base, state: applyChanges(base.state, changes) };
}

/** Applies the changes in the order of their arrival, because dropped trades cannot be folded again. */
function applyChanges(state: Trader | null, { added, removed }: Recount): Trader | null {
  const withAdded = added.reduce<Trader | null>(foldTrade, state);
  return removed.reduce<Trader | null>((left, trade) => left && withoutTrade(left, trade), withAdded);
}

async function readFloor(transaction: Transaction): Promise<bigint> {
  const [row] = await transaction<{ slot: bigint }[]>`select slot from trade_floor`;
  return row?.slot ?? 0n;
}

interface Walk extends Recount {
  known: Trader | null;
  base: TraderBase | null;
}

async function walkTraders(
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
  const after = walks.map(({ base, known, fromSlot }) => {
    const through = base?.through ?? '';
    if (through !== '') return positionColumns(through);
    const start = earlierOf(fromSlot, known?.firstSlot ?? fromSlot);
    return { ...positionColumns(''), slot: start.toString() };
  });
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

async function queueRecounts(
  transaction: Transaction,
  recounts: readonly Pick<Recount, 'mintAddress' | 'traderWallet' | 'fromSlot'>[],
): Promise<void> {
  if (recounts.length === 0) return;
  const { mints, wallets } = columnsOf(recounts);
  await transaction`
    insert into trader_recounts as r (mint_address, trader_wallet, from_slot)
    select * from unnest(${mints}::text[], ${wallets}::text[], ${recounts.map(({ fromSlot }) => fromSlot.toString())}::int8[])
    on conflict (mint_address, trader_wallet) do update set from_slot = least(r.from_slot, excluded.from_slot)`;
}

async function finishRecounts(transaction: Transaction, pairs: readonly TraderKey[]): Promise<void> {
  if (pairs.length === 0) return;
  const { mints, wallets } = columnsOf(pairs);
  await transaction`
    delete from trader_recounts r using unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet)
    where r.mint_address = p.mint_address and r.trader_wallet = p.trader_wallet`;
}

/** Pairs that one step of the loop takes. */
const QUEUED_AT_ONCE = 50;

/** Takes some queued pairs a step further. Returns whether there were any. */
export async function recountQueuedTraders(db: Database): Promise<boolean> {
  const next = await db<TraderKey[]>`
    select mint_address, trader_wallet from trader_recounts order by mint_address, trader_wallet limit ${QUEUED_AT_ONCE}`;
  if (next.length === 0) return false;
  const { mints, wallets } = columnsOf(next);
  await db.begin(async (transaction) => {
    await lockForTrades(transaction, [...new Set(mints)]);
    // Another worker may have taken them in the meantime.
    const queued = await transaction<Pick<Recount, 'mintAddress' | 'traderWallet' | 'fromSlot'>[]>`
      select r.mint_address, r.trader_wallet, r.from_slot from trader_recounts r
      join unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet) using (mint_address, trader_wallet)`;
    await recountTraders(
      transaction,
      queued.map((pair) => ({ ...pair, added: [], removed: [] })),
    );
  });
  return true;
}
