import type { Queryable } from '../../db/client.ts';
import type { DecimalString } from '../../shared/decimal.ts';
import { parseInstant } from '../../shared/instant.ts';
import {
  BEFORE_ALL,
  positionOf,
  type TradePage,
  type TradePosition,
  type TradeRow,
  toTrade,
  tradeColumns,
  tradeSource,
} from './list-trades.ts';
import { type MarketTimes, marketAsOf, marketTimes } from './proven-time.ts';
import type { Trade } from './schema.ts';

/** Which trades of a token to list; each part is optional. */
export interface TradeFilter {
  traderWallet?: string | undefined;
  type?: Trade['type'] | undefined;
  minSolAmount?: DecimalString | undefined;
  /** Block time, included. */
  from?: string | undefined;
  /** Block time, not included. */
  to?: string | undefined;
}

interface FilteredWindow {
  limit: number;
  /** The last trade of the previous page, or the last one that it looked at. */
  after?: TradePosition | undefined;
  signature?: string | undefined;
  filter: TradeFilter;
}

/** Trades that a page looks at: some 10 ms. Beyond them the next page goes on. */
const WALKED_MAX = 2_000;

interface WalkedRow extends TradeRow {
  isMatch: boolean;
  /** 1 for the first trade of the walk. */
  place: bigint;
}

/**
 * Lists the trades of a visible token that match, newest first in chain order; null when there is no such token. A
 * page walks a bounded part of `trades_chain_order`, or of the wallet's trades by `trades_wallet`, between the
 * slots of the times, which the bars of one minute know. So it may hold fewer trades than `limit` and still have
 * a next page.
 */
export async function listFilteredTrades(
  db: Queryable,
  mintAddress: string,
  { limit, after = BEFORE_ALL, signature, filter }: FilteredWindow,
): Promise<TradePage | null> {
  const [slot, transactionIndex, outerIndex, innerIndex, id] = after;
  const { traderWallet, type, minSolAmount } = filter;
  // The trades of one transaction are few: they are walked whoever made them.
  const walkedWallet = signature === undefined ? traderWallet : undefined;
  const [from, to] = [parseInstant(filter.from), parseInstant(filter.to)];
  const rows = await db<(MarketTimes & (WalkedRow | { id: null }))[]>`
    select ${marketTimes(db, mintAddress)}, r.*
    from visible_tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    left join lateral (
      select * from (
        select w.*, row_number() over (order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc) as place,
          w.mint_address = ${mintAddress}
            ${traderWallet === undefined ? db`` : db`and w.trader_wallet = ${traderWallet}`}
            ${type === undefined ? db`` : db`and w.type = ${type}`}
            ${minSolAmount === undefined ? db`` : db`and w.sol_amount >= ${minSolAmount}::numeric`}
            ${from === undefined ? db`` : db`and w.block_time >= ${from}::timestamptz`}
            ${to === undefined ? db`` : db`and w.block_time < ${to}::timestamptz`} as is_match
        from (
          select mint_address, ${tradeColumns(db)} from ${tradeSource(db, signature)}
          where ${walkedWallet === undefined ? db`mint_address = ${mintAddress}` : db`trader_wallet = ${walkedWallet}`}
            and slot <= ${slot}::int8
            and (slot, transaction_index, outer_index, inner_index, id)
              < (${slot}::int8, ${transactionIndex}::int4, ${outerIndex}::int4, ${innerIndex}::int4, ${id}::uuid)
            ${from === undefined ? db`` : db`and slot >= ${firstSlot(db, mintAddress, from)}`}
            ${to === undefined ? db`` : db`and slot <= ${lastSlot(db, mintAddress, to)}`}
            ${walkedWallet === undefined ? db`` : ofPair(db, mintAddress, walkedWallet)}
          order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc
          limit ${WALKED_MAX}) w) numbered
      where is_match or place = ${WALKED_MAX}::int8
      order by place limit ${limit + 2}) r on true
    where t.mint_address = ${mintAddress}
    order by r.place`;
  const [first] = rows;
  if (first === undefined) return null;
  const found = rows.filter((row): row is MarketTimes & WalkedRow => row.id !== null);
  const matches = found.filter(({ isMatch }) => isMatch);
  const shown = matches.slice(0, limit);
  const last = matches.length > limit ? shown.at(-1) : endOfWalk(found);
  return {
    asOf: marketAsOf(first),
    items: shown.map((row) => toTrade(mintAddress, row)),
    next: last === undefined ? null : positionOf(last),
  };
}

/** The row at which the walk ended before the trades did. */
function endOfWalk(rows: readonly WalkedRow[]): WalkedRow | undefined {
  const last = rows.at(-1);
  return last?.place === BigInt(WALKED_MAX) ? last : undefined;
}

/** SQL: no trade since `from` is in an earlier slot. Block times follow slots. */
function firstSlot(db: Queryable, mintAddress: string, from: Date) {
  return db`coalesce((
    select split_part(open_position, ':', 1)::int8 from candles
    where mint_address = ${mintAddress} and interval = '1m' and open_time >= date_trunc('minute', ${from}::timestamptz)
    order by open_time limit 1), 9223372036854775807)`;
}

/** SQL: no trade before `to` is in a later slot. */
function lastSlot(db: Queryable, mintAddress: string, to: Date) {
  return db`coalesce((
    select split_part(close_position, ':', 1)::int8 from candles
    where mint_address = ${mintAddress} and interval = '1m' and open_time < ${to}::timestamptz
    order by open_time desc limit 1), -1)`;
}

/** SQL: the slots between the first and the last trade of the pair, where its row is known to be whole. */
function ofPair(db: Queryable, mintAddress: string, wallet: string) {
  const isWhole = db`
    p.mint_address = ${mintAddress} and p.trader_wallet = ${wallet}
    and not exists (select from trader_recounts c where c.mint_address = p.mint_address and c.trader_wallet = p.trader_wallet)`;
  return db`
    and slot >= coalesce((select first_slot from token_traders p where ${isWhole}), 0)
    and slot <= coalesce((select split_part(last_position, ':', 1)::int8 from token_traders p where ${isWhole}), 9223372036854775807)`;
}
