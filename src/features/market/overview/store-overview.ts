import type { Database, Transaction } from '../../../db/client.ts';
import { tokenStatuses } from '../../../db/values/tokens.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import { type StatsWindow, statsWindows, windowMinutes } from '../stats/windows.ts';
import type { OverviewBody, OverviewWindow } from './schema.ts';

interface WindowRow {
  asOf: Date;
  name: StatsWindow;
  from: Date;
  tradeCount: number;
  buyCount: number;
  volumeInSol: string;
  tradedTokenCount: number;
  traderCount: number;
  graduationCount: number;
}

/**
 * Computes the totals of the platform and stores them, unless they are younger than `pauseMs` or another worker
 * computes them now: true when it did. Reads bars of the tokens that were traded within a day, and a row for each
 * wallet that traded one of them; no trades.
 */
export async function storeOverview(db: Database, pauseMs: number): Promise<boolean> {
  return db.begin(async (transaction) => {
    const due = await transaction`
      select from market_overview
      where computed_at is null or computed_at <= clock_timestamp() - ${pauseMs}::float8 * interval '1 millisecond'
      for update skip locked`;
    if (due.count === 0) return false;
    const windows = await readWindows(transaction);
    const [first] = windows;
    if (first === undefined) throw new Error('the overview has no windows');
    const body: OverviewBody = {
      windows: Object.fromEntries(windows.map((row) => [row.name, toWindow(row)])) as OverviewBody['windows'],
      tokens: await countTokens(transaction),
    };
    await transaction`
      update market_overview set as_of = ${first.asOf}, computed_at = clock_timestamp(),
        body = ${JSON.stringify(body)}::text::json`;
    return true;
  });
}

/**
 * `as_of` is the latest time through which the source of any token is proven; without a proof the time of the newest
 * trade, without a trade the present. An hour's bars say which tokens were traded in it; the minutes before the
 * first whole hour are read of the tokens of that hour.
 */
async function readWindows(transaction: Transaction): Promise<WindowRow[]> {
  const minutes = statsWindows.map((window) => windowMinutes[window]);
  return transaction<WindowRow[]>`
    with n as materialized (
      select coalesce(
        (select proven_through from stream_progress),
        (select max(m.as_of) from candles c join token_markets m using (mint_address)
          where c.interval = '1h' and c.open_time =
            (select open_time from candles where interval = '1h' order by open_time desc limit 1)),
        clock_timestamp()) as as_of
    ), w as materialized (
      select named.*, date_bin('1 hour', starts + interval '59 minutes', '1970-01-01Z') as hour
      from (select n.as_of, l.name, l.minutes,
          date_bin('1 minute', n.as_of, '1970-01-01Z') - (l.minutes - 1) * interval '1 minute' as starts
        from n cross join unnest(${[...statsWindows]}::text[], ${minutes}::int4[]) as l (name, minutes)) named
    ), totals as materialized (
      select w.name, b.* from w cross join lateral (
        select coalesce(sum(bar.trade_count), 0)::int as trade_count,
          coalesce(sum(bar.buy_count), 0)::int as buy_count,
          coalesce(sum(bar.volume_in_sol), 0) as volume_in_sol,
          count(distinct bar.mint_address)::int as traded_token_count
        from (
          select c.* from candles c where c.interval = '1h' and c.open_time >= w.hour
          union all
          select c.* from candles h join candles c on c.mint_address = h.mint_address and c.interval = '1m'
            and c.open_time >= w.starts and c.open_time < w.hour
          where h.interval = '1h' and h.open_time >= w.hour - interval '1 hour' and h.open_time < w.hour
            and w.starts < w.hour
        ) bar join visible_tokens t on t.mint_address = bar.mint_address) b
    ), longest as materialized (
      select min(starts) as starts, date_bin('1 hour', min(starts), '1970-01-01Z') as hour from w
    ), traders as materialized (
      select trader.trader_wallet, max(trader.last_trade_at) as last_trade_at
      from longest cross join lateral (
        select distinct c.mint_address from candles c join visible_tokens t on t.mint_address = c.mint_address
        where c.interval = '1h' and c.open_time >= longest.hour) traded
      join token_traders trader on trader.mint_address = traded.mint_address
        and trader.last_trade_hour >= longest.hour and trader.last_trade_at >= longest.starts
      group by trader.trader_wallet
    )
    select w.as_of, w.name, w.starts as "from", totals.trade_count, totals.buy_count, totals.volume_in_sol,
      totals.traded_token_count,
      (select count(*) from traders where traders.last_trade_at >= w.starts)::int as trader_count,
      (select count(*) from visible_tokens t
        where t.graduated_at is not null and t.graduated_at >= w.starts)::int as graduation_count
    from w join totals using (name)
    order by w.minutes`;
}

async function countTokens(transaction: Transaction): Promise<OverviewBody['tokens']> {
  const rows = await transaction<{ status: string; count: number }[]>`
    select status, count(*)::int as count from visible_tokens group by status`;
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const byStatus = Object.fromEntries(tokenStatuses.map((status) => [status, counts.get(status) ?? 0]));
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    byStatus: byStatus as OverviewBody['tokens']['byStatus'],
  };
}

function toWindow({ from, tradeCount, buyCount, volumeInSol, ...counts }: WindowRow): OverviewWindow {
  const { tradedTokenCount, traderCount, graduationCount } = counts;
  return {
    from: from.toISOString(),
    tradeCount,
    buyCount,
    sellCount: tradeCount - buyCount,
    volumeInSol: normaliseDecimal(volumeInSol),
    tradedTokenCount,
    traderCount,
    graduationCount,
  };
}
