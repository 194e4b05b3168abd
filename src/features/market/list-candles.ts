import type { Queryable } from '../../db/client.ts';
import type { CandleInterval } from '../../indexer/market/fold-candles.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { fillSeries, type PriceBar, type PublishedCandle } from './candle-series.ts';
import type { CandleWindow } from './candle-window.ts';

/** The response of `listTokenCandles` (contract/market-data#candles). */
export interface CandleList {
  mintAddress: string;
  interval: CandleInterval;
  from: string;
  to: string;
  asOf: string;
  data: PublishedCandle[];
}

const LAST_STORABLE_MS = Date.UTC(9999, 11, 31);

interface WindowRow {
  marketAsOf: Date;
  previousClose: string | null;
}

interface BarRow {
  openTime: Date;
  open: string;
  high: string;
  low: string;
  close: string;
  volumeInSol: string;
  volumeInToken: string;
  tradeCount: number;
}

/**
 * Candles of a visible token in a window; null when there is no such token. One statement, so that bars, the close
 * before them and the age of the market are of one moment. `asOf` is `now`, or the time of the newest trade when the
 * chain's clock is ahead: otherwise a trade would be listed whose candle is not.
 */
export async function listCandles(
  db: Queryable,
  mintAddress: string,
  window: CandleWindow,
  now: Date,
): Promise<CandleList | null> {
  const { interval, from, to } = window;
  const firstOpen = storable(window.firstOpen);
  const endOpen = storable(window.endOpen);
  const rows = await db<(WindowRow & (BarRow | { openTime: null }))[]>`
    select m.as_of as market_as_of, p.close as previous_close, b.*
    from tokens t join token_markets m using (mint_address)
    left join lateral (
      select close from candles
      where mint_address = ${mintAddress} and interval = ${interval} and open_time < ${firstOpen}
      order by open_time desc limit 1) p on true
    left join lateral (
      select open_time, open, high, low, close, volume_in_sol, volume_in_token, trade_count from candles
      where mint_address = ${mintAddress} and interval = ${interval}
        and open_time >= ${firstOpen} and open_time < ${endOpen}) b on true
    where t.mint_address = ${mintAddress} and not t.hidden
    order by b.open_time`;
  const [first] = rows;
  if (first === undefined) return null;
  const asOf = first.marketAsOf > now ? first.marketAsOf : now;
  const previousClose = first.previousClose === null ? null : normaliseDecimal(first.previousClose);
  const bars = rows.filter((row): row is WindowRow & BarRow => row.openTime !== null).map(toBar);
  return {
    mintAddress,
    interval,
    from: from.toISOString(),
    to: to.toISOString(),
    asOf: asOf.toISOString(),
    data: fillSeries(window, bars, previousClose, asOf),
  };
}

/** Postgres reads no year 0 and no five-digit years; trades are of neither. */
function storable(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), 0), LAST_STORABLE_MS));
}

function toBar(row: BarRow): PriceBar {
  return {
    openTime: row.openTime,
    open: normaliseDecimal(row.open),
    high: normaliseDecimal(row.high),
    low: normaliseDecimal(row.low),
    close: normaliseDecimal(row.close),
    volumeInSol: normaliseDecimal(row.volumeInSol),
    volumeInToken: normaliseDecimal(row.volumeInToken),
    tradeCount: row.tradeCount,
  };
}
