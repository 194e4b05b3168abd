import type { Database, Transaction } from '../../db/client.ts';
import { chainPosition } from '../market/indexed-trade.ts';
import {
  earlierOf,
  foldTrade,
  pairKey,
  slotOf,
  type Trader,
  type TraderBase,
  type TraderKey,
  type TraderTrade,
  withoutTrade,
} from '../market/trader.ts';
import { finishRecounts, NO_SLOT, type QueuedRecount, queueRecounts } from './recount-rows.ts';
import { columnsOf, readBases, readTraders, storeBases, storeTraders } from './trader-rows.ts';
import { type Walk, walkTraders } from './walk-traders.ts';
import { lockForTrades } from './write-locks.ts';

/** Pairs that one transaction computes again. The worker's loop takes the others. */
const PAIRS_AT_ONCE = 200;

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
  const [{ traders, queued }, bases, floor] = await Promise.all([
    readTraders(transaction, all),
    readBases(transaction, all),
    readFloor(transaction),
  ]);
  const isKnown = (pair: TraderKey) => traders.has(pairKey(pair));
  const walks: Walk[] = [];
  const left: Walk[] = [];
  const changed: { pair: TraderKey; trader: Trader | null }[] = [];
  for (const [at, recount] of all.entries()) {
    const key = pairKey(recount);
    // A queued pair has changes that neither its row nor its base has.
    const fromSlot = earlierOf(recount.fromSlot, queued.get(key) ?? recount.fromSlot);
    const start = startOf({ ...recount, fromSlot }, traders.get(key) ?? null, bases.get(key) ?? null, floor);
    if (start.kind === 'known') changed.push({ pair: recount, trader: start.trader });
    else if (at < recounts.length && walks.length < PAIRS_AT_ONCE) walks.push({ ...recount, ...start });
    else left.push({ ...recount, ...start });
  }
  await storeTraders(
    transaction,
    changed.flatMap(({ trader }) => (trader === null ? [] : [trader])),
    isKnown,
  );
  await finishRecounts(
    transaction,
    changed.map(({ pair }) => pair),
  );
  await queueWalks(transaction, left);
  await walkTraders(transaction, walks, floor, isKnown);
}

/** Leaves walks to the worker's loop. Their bases keep the changes, which the queue does not have. */
async function queueWalks(transaction: Transaction, walks: readonly Walk[]): Promise<void> {
  await storeBases(
    transaction,
    walks.flatMap((walk) => (walk.base === null ? [] : [{ ...walk, base: walk.base }])),
  );
  await queueRecounts(transaction, walks);
}

/**
 * Where the computation of a pair begins. `known`: its older trades are no longer stored, so the stored row
 * is changed.
 */
type Start =
  | { kind: 'walk'; base: TraderBase | null; fromSlot: bigint }
  | { kind: 'known'; trader: Trader | null };

function startOf(recount: Recount, known: Trader | null, base: TraderBase | null, floor: bigint): Start {
  if (base !== null && slotOf(base.through) < recount.fromSlot) return walkAfter(base);
  // A step of a computation may have found earlier trades than the row has.
  const firstSlots = [known?.firstSlot, base?.state?.firstSlot].filter((slot) => slot !== undefined);
  if (firstSlots.every((slot) => slot >= floor))
    return { kind: 'walk', base: null, fromSlot: firstSlots.reduce(earlierOf, recount.fromSlot) };
  if (base !== null) return walkAfter(withChanges(base, recount));
  if (known !== null && slotOf(known.lastPosition) < floor)
    return walkAfter({ through: known.lastPosition, state: known });
  return { kind: 'known', trader: applyChanges(known, recount) };
}

function walkAfter(base: TraderBase): Start {
  return { kind: 'walk', base, fromSlot: NO_SLOT };
}

/**
 * The base with the changes up to its end. Those after it are read by the walk, also when they are in the
 * same slot.
 */
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
    const queued = await transaction<QueuedRecount[]>`
      select r.mint_address, r.trader_wallet, r.from_slot from trader_recounts r
      join unnest(${mints}::text[], ${wallets}::text[]) as p (mint_address, trader_wallet) using (mint_address, trader_wallet)`;
    await recountTraders(
      transaction,
      queued.map((pair) => ({ ...pair, added: [], removed: [] })),
    );
  });
  return true;
}
