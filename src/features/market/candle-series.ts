import { intervalMs } from '../../indexer/market/fold-candles.ts';
import { type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import type { CandleWindow } from './candle-window.ts';
import type { PublishedCandle } from './schema.ts';

export interface BarPrices {
  open: DecimalString;
  high: DecimalString;
  low: DecimalString;
  close: DecimalString;
}

/** A bucket that had trades. */
export interface TradedBar {
  openTime: Date;
  /** Null when its trades report no price of the requested kind. */
  prices: BarPrices | null;
  volumeInSol: DecimalString;
  volumeInToken: DecimalString;
  tradeCount: number;
}

/** The end of a series, and the end of its final part. */
export interface SeriesEnd {
  asOf: Date;
  /** Null for a token whose source has no proof: then no candle is closed. */
  provenThrough: Date | null;
}

const ZERO = normaliseDecimal('0');
const NO_TRADES = { volumeInSol: ZERO, volumeInToken: ZERO, tradeCount: 0 };

/**
 * Fills the holes in a window: from the first price on, a bucket without one repeats the previous close. The
 * series has nothing before the first price and no bucket that opens after `asOf`.
 *
 * @param bars buckets of the window with trades, oldest first
 * @param previousClose close of the last bar before the window; null without a price by then
 */
export function fillSeries(
  { interval, firstOpen, endOpen }: CandleWindow,
  bars: readonly TradedBar[],
  previousClose: DecimalString | null,
  { asOf, provenThrough }: SeriesEnd,
): PublishedCandle[] {
  const lengthMs = intervalMs[interval];
  const asOfMs = asOf.getTime();
  const barAt = new Map(bars.map((bar) => [bar.openTime.getTime(), bar]));
  const series: PublishedCandle[] = [];
  let close = previousClose;
  for (let openMs = firstOpen.getTime(); openMs < endOpen.getTime() && openMs <= asOfMs; openMs += lengthMs) {
    const bar = barAt.get(openMs);
    const prices = bar?.prices ?? (close === null ? null : flatAt(close));
    if (prices === null) continue;
    close = prices.close;
    const { volumeInSol, volumeInToken, tradeCount } = bar ?? NO_TRADES;
    series.push({
      openTime: new Date(openMs).toISOString(),
      ...prices,
      volumeInSol,
      volumeInToken,
      tradeCount,
      closed: provenThrough !== null && openMs + lengthMs <= provenThrough.getTime(),
    });
  }
  return series;
}

const flatAt = (price: DecimalString): BarPrices => ({ open: price, high: price, low: price, close: price });
