import type { Queryable } from '../../db/client.ts';
import { bucketStart, type CandleInterval } from '../../indexer/market/fold-candles.ts';
import { closeBefore } from '../../indexer/store/close-before.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';
import { fillSeries, type TradedBar } from './candle-series.ts';
import type { CandlePrice, CandleWindow } from './candle-window.ts';
import { type MarketTimes, marketAsOf, marketTimes } from './proven-time.ts';
import type { CandleList } from './schema.ts';

const LAST_STORABLE_MS = Date.UTC(9999, 11, 31);

interface WindowRow extends MarketTimes {
  previousClose: string | null;
}

/** Columns of `candles` for one kind of price. */
export interface BarRow {
  openTime: Date;
  /** All four prices are null for a bucket whose trades report none of this kind. */
  open: string | null;
  high: string | null;
  low: string | null;
  close: string | null;
  volumeInSol: string;
  volumeInToken: string;
  tradeCount: number;
}

/**
 * Reads the candles of a visible token in a window; null when there is no such token. One statement reads the
 * bars, the close before them and the proven time, so that all are of the same moment.
 */
export async function listCandles(
  db: Queryable,
  mintAddress: string,
  window: CandleWindow,
  price: CandlePrice = 'trade',
): Promise<CandleList | null> {
  const { interval, from, to } = window;
  const firstOpen = storable(window.firstOpen);
  const endOpen = storable(window.endOpen);
  const isSpot = price === 'spot';
  const rows = await db<(WindowRow & (BarRow | { openTime: null }))[]>`
    select ${marketTimes(db, mintAddress)}, p.close as previous_close, b.*
    from visible_tokens t join token_markets m using (mint_address) left join source_proofs s using (mint_address)
    left join lateral (${isSpot ? lastSpotClose(db, mintAddress, interval, firstOpen) : lastClose(db, mintAddress, interval, firstOpen)}) p on true
    left join lateral (
      select open_time, ${isSpot ? db`spot_open as open, spot_high as high, spot_low as low, spot_close as close` : db`open, high, low, close`}, volume_in_sol, volume_in_token,
        trade_count
      from candles
      where mint_address = ${mintAddress} and interval = ${interval}
        and open_time >= ${firstOpen} and open_time < ${endOpen}) b on true
    where t.mint_address = ${mintAddress}
    order by b.open_time`;
  const [first] = rows;
  if (first === undefined) return null;
  const asOf = marketAsOf(first);
  const previousClose = first.previousClose === null ? null : normaliseDecimal(first.previousClose);
  const bars = rows.filter((row): row is WindowRow & BarRow => row.openTime !== null).map(toBar);
  return {
    mintAddress,
    interval,
    from: from.toISOString(),
    to: to.toISOString(),
    asOf: asOf.toISOString(),
    data: fillSeries(window, bars, previousClose, { asOf, provenThrough: first.provenThrough }),
  };
}

function lastClose(db: Queryable, mintAddress: string, interval: CandleInterval, before: Date) {
  return closeBefore(db, {
    mint: db`${mintAddress}`,
    interval: db`${interval}`,
    before: db`${before}::timestamptz`,
    price: 'paid',
  });
}

/**
 * There may be many bars without a spot price, so this searches one day's bars and then day bars: about 1,440
 * bars at most, and one for each day of the token's life.
 */
function lastSpotClose(db: Queryable, mintAddress: string, interval: CandleInterval, before: Date) {
  const dayStart = bucketStart('1d', before);
  return db`
    select coalesce(
      (select spot_close from candles
        where mint_address = ${mintAddress} and interval = ${interval} and spot_close is not null
          and open_time >= ${dayStart} and open_time < ${before}
        order by open_time desc limit 1),
      (select spot_close from candles
        where mint_address = ${mintAddress} and interval = '1d' and spot_close is not null
          and open_time < ${dayStart}
        order by open_time desc limit 1)) as close`;
}

/** Postgres reads no year 0 and no five-digit years; no trade has one. */
function storable(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), 0), LAST_STORABLE_MS));
}

export function toBar({
  openTime,
  open,
  high,
  low,
  close,
  volumeInSol,
  volumeInToken,
  tradeCount,
}: BarRow): TradedBar {
  const isPriced = open !== null && high !== null && low !== null && close !== null;
  return {
    openTime,
    prices: isPriced
      ? {
          open: normaliseDecimal(open),
          high: normaliseDecimal(high),
          low: normaliseDecimal(low),
          close: normaliseDecimal(close),
        }
      : null,
    volumeInSol: normaliseDecimal(volumeInSol),
    volumeInToken: normaliseDecimal(volumeInToken),
    tradeCount,
  };
}
