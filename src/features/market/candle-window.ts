import { type CandleInterval, intervalMs } from '../../indexer/market/fold-candles.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { parseInstant } from '../../shared/instant.ts';
import { Problem } from '../../shared/problem.ts';

/**
 * Kinds of candle prices: `trade` is the price that traders paid or received, `spot` the pool's own price
 * after each trade.
 */
export const candlePrices = ['trade', 'spot'] as const;
export type CandlePrice = (typeof candlePrices)[number];

/** Most buckets in one response (contract/market-data#candle-window). */
export const CANDLES_MAX: number = publishedLimits.candlePoints;

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
  const fromMs = parseInstant(from).getTime();
  const toMs = parseInstant(to).getTime();
  if (fromMs >= toMs) throw invalid('empty', '`from` must be before `to`.');
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
