import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from '../../../db/client.ts';
import { marketPrices } from '../../../indexer/store/bar-prices.ts';
import { closeBefore } from '../../../indexer/store/close-before.ts';
import { type StatsRow, toTokenStats } from './record.ts';
import type { TokenStats } from './schema.ts';
import { statsWindows, windowMinutes } from './windows.ts';

/** Statistics of a visible token; null when there is no such token. */
export async function findTokenStats(db: Queryable, mintAddress: string): Promise<TokenStats | null> {
  return (await findStatsOfTokens(db, [mintAddress])).get(mintAddress) ?? null;
}

/**
 * Statistics of the visible ones of the tokens, by mint. One statement, so that all of them are of one moment.
 * A window is the bars that fill it from its start on, at most 18, and not its trades.
 */
export async function findStatsOfTokens(
  db: Queryable,
  mints: readonly string[],
): Promise<Map<string, TokenStats>> {
  if (mints.length === 0) return new Map();
  const minutes = statsWindows.map((window) => windowMinutes[window]);
  const rows = await db<StatsRow[]>`
    with t as materialized (
      select t.mint_address, t.status, t.curve_stage, t.pool_address, p.program,
        p.graduation_threshold_in_sol as threshold_in_sol, m.sol_collected_in_sol,
        m.collected_position = '' as is_sum,
        coalesce(s.through, (select last.block_time from trades last where last.mint_address = t.mint_address
          order by slot desc, transaction_index desc, outer_index desc, inner_index desc, id desc limit 1),
          m.as_of) as as_of,
        not exists (select from trader_recounts r where r.mint_address = t.mint_address) as has_traders
      from visible_tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
      left join token_pools p on p.pool_address = t.pool_address and p.mint_address = t.mint_address
      where t.mint_address = any(${mints as string[]})
    ), w as materialized (
      select named.*, date_bin('5 minutes', starts + interval '4 minutes', '1970-01-01Z') as five_minutes,
        date_bin('15 minutes', starts + interval '14 minutes', '1970-01-01Z') as quarter,
        date_bin('1 hour', starts + interval '59 minutes', '1970-01-01Z') as hour,
        date_bin('4 hours', starts + interval '239 minutes', '1970-01-01Z') as four_hours
      from (select t.mint_address, n.name, n.minutes,
          date_bin('1 minute', t.as_of, '1970-01-01Z') - (n.minutes - 1) * interval '1 minute' as starts
        from t cross join unnest(${[...statsWindows]}::text[], ${minutes}::int4[]) as n (name, minutes)) named
    )
    select t.mint_address, t.as_of, t.status, t.curve_stage, t.pool_address, t.program, t.threshold_in_sol,
      t.sol_collected_in_sol, t.is_sum, w.name as "window", w.starts as "from", b.trade_count, b.volume_in_sol, b.volume_in_token,
      b.buy_count, b.buy_volume_in_sol, r.buyer_count, r.seller_count, p.open, coalesce(b.high, p.open) as high,
      coalesce(b.low, p.open) as low, p.close,
      div((p.close - p.open) * 100000000, nullif(p.open, 0)) * 0.000001 as price_change_percent
    from t join w using (mint_address)
    cross join lateral (${windowBars(db)}) b
    cross join lateral (select coalesce(before.close, b.first_price) as open, coalesce(b.last_price, before.close) as close
      from (${closeBefore(db, {
        mint: db`w.mint_address`,
        interval: db`'1m'`,
        before: db`w.starts`,
        price: 'market',
      })}) before) p
    cross join lateral (${windowTraders(db)}) r
    order by w.minutes`;
  const byMint = Map.groupBy(rows, ({ mintAddress }) => mintAddress);
  return new Map([...byMint].map(([mint, ofMint]) => [mint, toTokenStats(ofMint)]));
}

/**
 * SQL: the bars of a window, added up. Its start is a whole minute: bars of a minute lead to the next five, those
 * to the next quarter of an hour, and so on; the longest ones follow without an end.
 */
function windowBars(db: Queryable) {
  const market = marketPrices(db);
  const bars = (interval: PendingQuery<Row[]>, from: PendingQuery<Row[]>) => db`
    select c.trade_count, c.volume_in_sol, c.volume_in_token, c.buy_count, c.buy_volume_in_sol,
      ${market.open} as open, ${market.close} as close, ${market.first} as first_at, ${market.last} as last_at,
      ${market.high} as high, ${market.low} as low from candles c where c.mint_address = w.mint_address and c.interval = ${interval} and c.open_time >= ${from}`;
  return db`
    select coalesce(sum(trade_count), 0)::int as trade_count,
      coalesce(sum(volume_in_sol), 0) as volume_in_sol, coalesce(sum(volume_in_token), 0) as volume_in_token,
      coalesce(sum(buy_count), 0)::int as buy_count, coalesce(sum(buy_volume_in_sol), 0) as buy_volume_in_sol,
      (array_agg(open order by first_at) filter (where open is not null))[1] as first_price,
      (array_agg(close order by last_at desc) filter (where close is not null))[1] as last_price,
      max(high) as high, min(low) as low
    from (
      ${bars(db`'1m'`, db`w.starts and c.open_time < w.five_minutes`)}
      union all ${bars(db`'5m'`, db`w.five_minutes and c.open_time < w.quarter`)}
      union all ${bars(db`'15m'`, db`w.quarter and c.open_time < w.hour`)}
      union all ${bars(db`'1h'`, db`w.hour and c.open_time < w.four_hours`)}
      union all ${bars(db`'4h'`, db`w.four_hours`)}) bar`;
}

/** SQL: the wallets whose last buy or sale is in the window; null while those of the token are counted. */
function windowTraders(db: Queryable) {
  return db`
    select
      case when t.has_traders then count(*) filter (where trader.last_buy_at >= w.starts) end::int as buyer_count,
      case when t.has_traders then count(*) filter (where trader.last_sell_at >= w.starts) end::int as seller_count
    from token_traders trader
    where t.has_traders and trader.mint_address = w.mint_address
      and trader.last_trade_hour >= date_bin('1 hour', w.starts, '1970-01-01Z') and trader.last_trade_at >= w.starts`;
}
