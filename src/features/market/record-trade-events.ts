import { afterCommit } from '../../db/after-commit.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import { insertEvents } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { type TradeRow, toTrade, tradeColumns } from './list-trades.ts';

/** Trades of one step, each with one event or two. */
const TRADES_PER_STEP = 500;

export interface TradeEventsContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
}

type TakenTrade = { ofWallet: boolean; ofToken: boolean; isHidden: boolean } & (
  | (TradeRow & { mintAddress: string })
  | { id: null }
);

/** SQL: followed trades wait for their events. */
export function isTradeEventDue(db: Database): ReturnType<Database> {
  return db`exists (select from followed_trades)`;
}

/** Counting stops here: it would read the whole queue. */
const COUNTED_MAX = 10_000;

/** Counts the followed trades that wait for their events, up to 10,000. */
export async function countFollowedTrades(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int from (select from followed_trades limit ${COUNTED_MAX}) waiting`;
  return row?.count ?? 0;
}

/**
 * Records the events of the next followed trades and takes these out of the queue, in one transaction, so
 * each has them once, whichever workers do it. A trade that was reverted meanwhile, or whose token is hidden,
 * gets none. Returns whether there may be more.
 */
export async function recordTradeEvents({ db, outbox, clock }: TradeEventsContext): Promise<boolean> {
  return await db.begin(async (transaction) => {
    const taken = await takeFollowedTrades(transaction);
    const events = taken.flatMap((row) => {
      if (row.id === null || row.isHidden) return [];
      const { ofWallet, ofToken, mintAddress } = row;
      const trade = toTrade(mintAddress, row);
      const event = { accountId: null, data: trade, time: row.blockTime, knownAt: clock.now() };
      return [
        ...(ofWallet
          ? [outbox.compose({ ...event, name: 'wallet.traded', subject: trade.traderWallet })]
          : []),
        ...(ofToken ? [outbox.compose({ ...event, name: 'token.traded', subject: mintAddress })] : []),
      ];
    });
    if (events.length > 0) {
      await insertEvents(transaction, events);
      afterCommit(transaction, 'trade events', () => outbox.hint({ accountId: null }));
    }
    return taken.length === TRADES_PER_STEP;
  });
}

async function takeFollowedTrades(transaction: Transaction): Promise<TakenTrade[]> {
  return await transaction<TakenTrade[]>`
    with taken as (
      delete from followed_trades where id = any(array(
        select id from followed_trades order by id limit ${TRADES_PER_STEP} for update skip locked))
      returning id as place, trade_id, slot, of_wallet, of_token)
    select taken.of_wallet, taken.of_token, coalesce(k.hidden, false) as is_hidden, t.*
    from taken left join lateral (
      select mint_address, ${tradeColumns(transaction)} from trades
      where trades.id = taken.trade_id and trades.slot = taken.slot) t on true
    left join tokens k on k.mint_address = t.mint_address
    order by taken.place`;
}
