import { candleIntervals } from '../../db/schema/trades.ts';
import { addDecimals, compareDecimals, type DecimalString } from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';

export type CandleInterval = (typeof candleIntervals)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const intervalMs: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

/** A price bar over some trades of one bucket. Bars of the same bucket merge, in any order (contract/market-data#candles). */
export interface Candle {
  mintAddress: string;
  interval: CandleInterval;
  openTime: Date;
  open: DecimalString;
  high: DecimalString;
  low: DecimalString;
  close: DecimalString;
  volumeInSol: DecimalString;
  volumeInToken: DecimalString;
  tradeCount: number;
  /** Chain positions of the first and the last trade: they decide `open` and `close` when bars merge. */
  openPosition: string;
  closePosition: string;
}

/** Start of the bucket that holds `time`; buckets are aligned to the epoch. */
export function bucketStart(interval: CandleInterval, time: Date): Date {
  const lengthMs = intervalMs[interval];
  return new Date(Math.floor(time.getTime() / lengthMs) * lengthMs);
}

/** The bars of all six intervals over distinct trades, in whatever order those come; sorted by bucket. */
export function foldCandles(trades: readonly IndexedTrade[]): Candle[] {
  const minutes = foldMinutes(trades);
  // Longer bars come from minutes, not from trades: a sixth of the arithmetic in a busy minute.
  const bars = candleIntervals.flatMap((interval) =>
    interval === '1m' ? minutes : mergeInto(interval, minutes),
  );
  const keyed = bars.map(
    (bar) => [`${bar.mintAddress} ${bar.interval} ${bar.openTime.getTime()}`, bar] as const,
  );
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bar]) => bar);
}

/** The one-minute bars over distinct trades, in no order. */
export function foldMinutes(trades: readonly IndexedTrade[]): Candle[] {
  return mergeInto('1m', trades.map(singleTradeCandle));
}

/** The bars of an interval over bars of a shorter one that divides it, in no order. */
export function mergeInto(interval: CandleInterval, shorter: readonly Candle[]): Candle[] {
  const merged = new Map<string, Candle>();
  for (const one of shorter) {
    const openTime = bucketStart(interval, one.openTime);
    const key = `${one.mintAddress} ${openTime.getTime()}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? { ...one, interval, openTime } : mergeCandles(known, one));
  }
  return [...merged.values()];
}

/** One bar over the trades of both: associative and commutative, as the SQL merge in `store/candles.ts`. */
export function mergeCandles(left: Candle, right: Candle): Candle {
  const [first] = left.openPosition < right.openPosition ? [left] : [right];
  const [last] = left.closePosition > right.closePosition ? [left] : [right];
  return {
    ...left,
    open: first.open,
    openPosition: first.openPosition,
    close: last.close,
    closePosition: last.closePosition,
    high: compareDecimals(left.high, right.high) >= 0 ? left.high : right.high,
    low: compareDecimals(left.low, right.low) <= 0 ? left.low : right.low,
    volumeInSol: addDecimals(left.volumeInSol, right.volumeInSol),
    volumeInToken: addDecimals(left.volumeInToken, right.volumeInToken),
    tradeCount: left.tradeCount + right.tradeCount,
  };
}

/** Opens at the trade itself; `mergeInto` puts it into its bucket. */
function singleTradeCandle(trade: IndexedTrade): Candle {
  const price = trade.pricePerTokenInSol;
  const position = chainPosition(trade);
  return {
    mintAddress: trade.mintAddress,
    interval: '1m',
    openTime: trade.blockTime,
    open: price,
    high: price,
    low: price,
    close: price,
    volumeInSol: trade.solAmount,
    volumeInToken: trade.tokenAmount,
    tradeCount: 1,
    openPosition: position,
    closePosition: position,
  };
}
