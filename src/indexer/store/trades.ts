import type { PendingQuery, Row } from 'postgres';
import { NOMINAL_SLOT_MS } from '../../chain/pace/protocol.ts';
import { arrayText } from '../../db/array-text.ts';
import type { Transaction } from '../../db/client.ts';
import type { FollowedSubjects } from '../followed/followed-subjects.ts';
import { queueFollowedTrades } from '../followed/queue-trades.ts';
import { readFollowed } from '../followed/read-followed.ts';
import { foldCandles } from '../market/fold-candles.ts';
import type { IndexedTrade } from '../market/indexed-trade.ts';
import { foldMarketChanges } from '../market/market-change.ts';
import { mergeCandlesInto } from './candles.ts';
import { foldTraders, mergeTraders } from './count-traders.ts';
import { mergeMarketChanges } from './markets.ts';
import { readTraders, type StoredTraders } from './trader-rows.ts';
import { lockWaitingOrders, type OrderMoves, triggerOrders } from './trigger-orders.ts';
import { type LockedTokens, lockForTrades } from './write-locks.ts';

export interface StoredTrades {
  /** Tokens whose market changed. */
  changedMints: string[];
  /** Unknown mints of the batch. Their trades are not stored. */
  unknownMints: ReadonlySet<string>;
  /** Trades that were not stored, because another slot has them: one of the two slots was rolled back. */
  conflicts: ReadonlySet<IndexedTrade>;
  /** Number of new trades that some endpoint follows, whose events have to be made. */
  queued: number;
  /** Number of orders that the trades have triggered. */
  triggered: number;
}

/**
 * Stores trades in the caller's transaction, and updates candles, price, snapshot and traders, and
 * triggers orders. A trade that is already stored or was reverted changes nothing, so a batch may be repeated.
 *
 * @param followed the subjects that endpoints follow, kept from batch to batch. If it is unset, no trade gets an event
 * @param orders moves the orders that the trades trigger. If it is unset, no order is triggered
 */
export async function storeTrades(
  transaction: Transaction,
  trades: readonly IndexedTrade[],
  followed?: FollowedSubjects,
  orders?: OrderMoves,
): Promise<StoredTrades> {
  const mints = [...new Set(trades.map((trade) => trade.mintAddress))];
  const [tokens] = await Promise.all([
    lockForTrades(transaction, mints),
    // This comes after the lock of the tokens, in the same round trip.
    followed === undefined ? null : readFollowed(transaction, followed),
  ]);
  const known = trades.filter((trade) => tokens.has(trade.mintAddress));
  // A batch may hold one trade twice, even at two slots. The database chooses between the slots.
  const distinct = [...new Map(known.map((trade) => [landing(trade), trade])).values()];
  const traders = readTraders(transaction, distinct);
  const [inserted, foldOfAll, stored, waiting] = await Promise.all([
    insertTrades(transaction, distinct),
    foldBeside(distinct, tokens, traders),
    traders,
    orders === undefined ? [] : lockWaitingOrders(transaction, distinct, tokens),
  ]);
  const isNew = (trade: IndexedTrade) => inserted === 'all' || inserted.has(landing(trade));
  const added = distinct.filter(isNew);
  if (added.length > 0) {
    const { bars, changes, traderChanges } = inserted === 'all' ? foldOfAll : fold(added, tokens, stored);
    await Promise.all([
      mergeCandlesInto(transaction, bars),
      mergeMarketChanges(transaction, changes),
      mergeTraders(transaction, traderChanges),
    ]);
  }
  const queued = followed === undefined ? 0 : await queueFollowedTrades(transaction, added, followed);
  const triggered =
    orders === undefined ? 0 : await triggerOrders(transaction, orders, waiting, added, tokens);
  return {
    changedMints: [...new Set(added.map((trade) => trade.mintAddress))],
    unknownMints: new Set(mints.filter((mint) => !tokens.has(mint))),
    conflicts: await findConflicts(
      transaction,
      known.filter((trade) => !isNew(trade)),
    ),
    queued,
    triggered,
  };
}

function fold(trades: readonly IndexedTrade[], tokens: LockedTokens, stored: StoredTraders) {
  return {
    bars: foldCandles(trades, tokens),
    changes: foldMarketChanges(trades, tokens),
    traderChanges: foldTraders(stored, trades),
  };
}

/**
 * Computes the changes while the database inserts. Nearly always every trade is new, and then the result is
 * ready with the insertion.
 */
async function foldBeside(
  trades: readonly IndexedTrade[],
  tokens: LockedTokens,
  traders: Promise<StoredTraders>,
) {
  // The traders arrive before the insertion ends. Waiting for them lets both statements be written first.
  return fold(trades, tokens, await traders);
}

/** A trade at one slot. The same transaction may land again in another slot after a rollback. */
const landing = ({ id, slot }: { id: string; slot: bigint }) => `${id} ${slot}`;

/**
 * The range of slots in which the same trade may be stored: nine days at the pace of mainnet, longer than the ingest
 * stream keeps messages. One or two partitions are searched.
 */
const RELANDING_SLOTS = (9 * 86_400 * 1_000) / NOMINAL_SLOT_MS;

/**
 * Inserts trades that are new and not reverted, and returns their landings, or `all`, because returning every
 * row costs as much as writing it. The unique key includes the slot, so only the lock of its token keeps a
 * trade at one slot. Trades below the floor were counted and deleted before.
 */
async function insertTrades(
  transaction: Transaction,
  trades: readonly IndexedTrade[],
): Promise<ReadonlySet<string> | 'all'> {
  if (trades.length === 0) return 'all';
  const column = (key: keyof IndexedTrade) => arrayText(trades.map((trade) => trade[key]));
  const [row] = await transaction<{ ids: string[] | null; slots: bigint[] | null }[]>`
    with inserted as (insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol,
      spot_price_in_sol, liquidity_in_sol, on_curve, slot, transaction_index, outer_index, inner_index, block_time,
      transaction_signature)
    select distinct on (new.id) new.id, new.mint_address, type, trader_wallet, sol_amount, token_amount,
      price_per_token_in_sol, spot_price_in_sol, liquidity_in_sol, on_curve, new.slot, transaction_index, outer_index, inner_index,
      block_time, transaction_signature
    from unnest(
      ${column('id')}::uuid[], ${column('mintAddress')}::text[], ${column('type')}::text[],
      ${column('traderWallet')}::text[], ${column('solAmount')}::numeric[], ${column('tokenAmount')}::numeric[],
      ${column('pricePerTokenInSol')}::numeric[], ${column('spotPriceInSol')}::numeric[],
      ${column('liquidityInSol')}::numeric[], ${column('onCurve')}::bool[], ${column('slot')}::int8[],
      ${column('transactionIndex')}::int4[], ${column('outerIndex')}::int4[], ${column('innerIndex')}::int4[],
      ${column('blockTime')}::timestamptz[],
      ${column('transactionSignature')}::text[]) with ordinality as new (id, mint_address, type, trader_wallet,
        sol_amount, token_amount, price_per_token_in_sol, spot_price_in_sol, liquidity_in_sol, on_curve, slot, transaction_index,
        outer_index, inner_index, block_time, transaction_signature, at)
    where not exists (select from reverted_trades r where r.trade_id = new.id and r.slot = new.slot)
      and not exists (${storedAround(transaction, transaction`new`)})
      and new.slot >= coalesce((select slot from trade_floor), 0)
    order by new.id, new.at
    on conflict do nothing returning id, slot)
    select case when count(*) < ${trades.length}::int then coalesce(array_agg(id), '{}') end as ids,
      case when count(*) < ${trades.length}::int then coalesce(array_agg(slot), '{}') end as slots
    from inserted`;
  if (row === undefined) throw new Error('the insertion of trades returned no row');
  if (row.ids === null || row.slots === null) return 'all';
  const { slots } = row;
  return new Set(row.ids.map((id, at) => `${id} ${slots[at]}`));
}

/** SQL: the stored trade of `reported` at any slot. */
function storedAround(transaction: Transaction, reported: PendingQuery<Row[]>) {
  return transaction`
    select from trades t where t.id = ${reported}.id
      and t.slot between ${reported}.slot - ${RELANDING_SLOTS}::int8 and ${reported}.slot + ${RELANDING_SLOTS}::int8`;
}

/**
 * Trades that are stored at another slot than reported, unless their own slot was reverted. Queried only for
 * trades that were not new, which is rare.
 */
async function findConflicts(
  transaction: Transaction,
  repeated: readonly IndexedTrade[],
): Promise<Set<IndexedTrade>> {
  if (repeated.length === 0) return new Set();
  const rows = await transaction<{ at: number }[]>`
    select reported.at::int4 as at
    from unnest(${repeated.map(({ id }) => id)}::uuid[], ${repeated.map(({ slot }) => String(slot))}::int8[])
      with ordinality as reported (id, slot, at)
    where exists (${storedAround(transaction, transaction`reported`)} and t.slot <> reported.slot)
      and not exists (select from reverted_trades r where r.trade_id = reported.id and r.slot = reported.slot)`;
  const conflicts = new Set(rows.map(({ at }) => repeated[at - 1]));
  return new Set(repeated.filter((trade) => conflicts.has(trade)));
}
