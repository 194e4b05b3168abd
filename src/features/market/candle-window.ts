import { type CandleInterval, intervalMs } from '../../indexer/market/fold-candles.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';

/**
 * Kinds of candle prices: `trade` is the price that traders paid or received, `spot` the pool's own price
 * after each trade.
 */
export const candlePrices = ['trade', 'spot'] as const;
export type CandlePrice = (typeof candlePrices)[number];

/** Most buckets in one response (contract/market-data#candle-window). */
export const CANDLES_MAX: number = publishedLimits.candlePoints;

// The range of a Timestamp with a four-digit year, in UTC.
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A checked window of buckets. */
export interface CandleWindow {
  interval: CandleInterval;
  /** As requested. */
  from: Date;
  to: Date;
  /**
   * Open times of the first bucket and of the one after the last. Equal when no bucket opens in the window.
   */
  firstOpen: Date;
  endOpen: Date;
}

/**
 * Selects the buckets whose open time lies in [from, to): `from` inclusive, `to` exclusive, both read to the
 * millisecond, aligned or not. A bucket that contains `from` is left out and one that contains `to` is whole,
 * so that consecutive windows (`from` = the last `to`) hold every bucket once. Throws
 * `market_time_range_invalid` when `from` is not before `to` or the window holds more than 1,000 buckets
 * (contract/market-data#candle-window).
 */
export function judgeWindow(interval: CandleInterval, from: string, to: string): CandleWindow {
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  if (fromMs >= toMs) throw invalid('empty', '`from` must be before `to`.');
  if (fromMs < FIRST_MS || toMs > LAST_MS)
    throw invalid('out_of_range', 'The window is outside the years 0 to 9999.');
  const lengthMs = intervalMs[interval];
  const firstMs = Math.ceil(fromMs / lengthMs) * lengthMs;
  const endMs = Math.ceil(toMs / lengthMs) * lengthMs;
  const buckets = (endMs - firstMs) / lengthMs;
  if (buckets > CANDLES_MAX) {
    const detail = `The window holds ${buckets} buckets of ${interval}; at most ${CANDLES_MAX} are allowed.`;
    throw invalid('too_long', detail, { buckets, bucketsMax: CANDLES_MAX });
  }
  return {
    interval,
    from: new Date(fromMs),
    to: new Date(toMs),
    firstOpen: new Date(firstMs),
    endOpen: new Date(endMs),
  };
}

function invalid(reason: string, detail: string, facts: Readonly<Record<string, number>> = {}): Problem {
  return new Problem('market_time_range_invalid', { detail, context: { reason, ...facts } });
}
