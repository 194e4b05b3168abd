import { intervalMs } from '../../indexer/market/fold-candles.ts';
import { type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import type { CandleWindow } from './candle-window.ts';

/** A bucket that had trades. */
export interface PriceBar {
  openTime: Date;
  open: DecimalString;
  high: DecimalString;
  low: DecimalString;
  close: DecimalString;
  volumeInSol: DecimalString;
  volumeInToken: DecimalString;
  tradeCount: number;
}

/** A candle as it is published (contract/market-data#candles). */
export interface PublishedCandle extends Omit<PriceBar, 'openTime'> {
  openTime: string;
  /** False while `asOf` lies inside the bucket. */
  closed: boolean;
}

const ZERO = normaliseDecimal('0');

/**
 * The series of a window without holes: from the first trade on, a bucket without trades repeats the previous close
 * with zero volume. Nothing before the first trade, no bucket that opens after `asOf`.
 *
 * @param bars buckets of the window that had trades, oldest first.
 * @param previousClose close of the last bar before the window; null when the token had not traded by then.
 */
export function fillSeries(
  { interval, firstOpen, endOpen }: CandleWindow,
  bars: readonly PriceBar[],
  previousClose: DecimalString | null,
  asOf: Date,
): PublishedCandle[] {
  const lengthMs = intervalMs[interval];
  const asOfMs = asOf.getTime();
  const barAt = new Map(bars.map((bar) => [bar.openTime.getTime(), bar]));
  const series: PublishedCandle[] = [];
  let close = previousClose;
  for (let openMs = firstOpen.getTime(); openMs < endOpen.getTime() && openMs <= asOfMs; openMs += lengthMs) {
    const openTime = new Date(openMs);
    const bar = barAt.get(openMs) ?? (close === null ? undefined : emptyBar(openTime, close));
    if (bar === undefined) continue;
    close = bar.close;
    series.push({ ...bar, openTime: openTime.toISOString(), closed: openMs + lengthMs <= asOfMs });
  }
  return series;
}

function emptyBar(openTime: Date, price: DecimalString): PriceBar {
  return {
    openTime,
    open: price,
    high: price,
    low: price,
    close: price,
    volumeInSol: ZERO,
    volumeInToken: ZERO,
    tradeCount: 0,
  };
}
