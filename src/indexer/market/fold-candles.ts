import { candleIntervals } from '../../db/values/trades.ts';
import { addDecimals, compareDecimals, type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';
import { paidPriceOf, spotPriceOf, type TokenDecimals } from './trade-price.ts';

export type CandleInterval = (typeof candleIntervals)[number];

const ZERO = normaliseDecimal('0');
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

/**
 * A price bar of the trades in one bucket. Bars of the same bucket merge in any order
 * (contract/market-data#candles).
 */
export interface Candle {
  mintAddress: string;
  interval: CandleInterval;
  openTime: Date;
  /** The paid prices that count (contract/market-data#paid-prices). All null if none does. */
  open: DecimalString | null;
  high: DecimalString | null;
  low: DecimalString | null;
  close: DecimalString | null;
  /**
   * Chain positions of the first and last trade whose paid price counts. They decide `open` and `close` when
   * bars merge.
   */
  paidOpenPosition: string | null;
  paidClosePosition: string | null;
  volumeInSol: DecimalString;
  volumeInToken: DecimalString;
  tradeCount: number;
  /** Chain positions of the first and the last of all trades. */
  openPosition: string;
  closePosition: string;
  /**
   * The same bar over the pool's own prices, for trades whose source reports one. All null if none does.
   */
  spotOpen: DecimalString | null;
  spotHigh: DecimalString | null;
  spotLow: DecimalString | null;
  spotClose: DecimalString | null;
  spotOpenPosition: string | null;
  spotClosePosition: string | null;
  /** The extremes of the market prices after each trade. Most are spot prices. Null if no trade has one. */
  marketHigh: DecimalString | null;
  marketLow: DecimalString | null;
  /** Sums over the buys alone. */
  buyCount: number;
  buyVolumeInSol: DecimalString;
  buyVolumeInToken: DecimalString;
}

/** Prices of one kind, and the positions of the first and the last. */
type PaidBar = Pick<Candle, 'open' | 'high' | 'low' | 'close' | 'paidOpenPosition' | 'paidClosePosition'>;
type SpotBar = Pick<
  Candle,
  'spotOpen' | 'spotHigh' | 'spotLow' | 'spotClose' | 'spotOpenPosition' | 'spotClosePosition'
>;

/** Start of the bucket of a time. Buckets are aligned to the epoch. */
export function bucketStart(interval: CandleInterval, time: Date): Date {
  const lengthMs = intervalMs[interval];
  return new Date(Math.floor(time.getTime() / lengthMs) * lengthMs);
}

/** The bars of all six intervals over distinct trades in any order. Sorted by bucket. */
export function foldCandles(trades: readonly IndexedTrade[], tokens: TokenDecimals): Candle[] {
  const minutes = foldMinutes(trades, tokens);
  // Longer bars are made from minutes, not from trades: a sixth of the arithmetic in a busy minute.
  const bars = candleIntervals.flatMap((interval) =>
    interval === '1m' ? minutes : mergeInto(interval, minutes),
  );
  const keyed = bars.map(
    (bar) => [`${bar.mintAddress} ${bar.interval} ${bar.openTime.getTime()}`, bar] as const,
  );
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bar]) => bar);
}

/** The one-minute bars of distinct trades, in no order. */
export function foldMinutes(trades: readonly IndexedTrade[], tokens: TokenDecimals): Candle[] {
  return mergeInto(
    '1m',
    trades.map((trade) => singleTradeCandle(trade, tokens)),
  );
}

/** Merges bars into bars of a longer interval that is a multiple of theirs. In no order. */
export function mergeInto(interval: CandleInterval, shorter: readonly Candle[]): Candle[] {
  const merged = new Map<string, Candle>();
  for (const one of shorter) {
    const openTime = bucketStart(interval, one.openTime);
    const key = `${one.mintAddress} ${openTime.getTime()}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...one, interval, openTime });
    else mergeInPlace(known, one);
  }
  return [...merged.values()];
}

/** One bar over the trades of both: associative and commutative, like the SQL in `store/candles.ts`. */
export function mergeCandles(left: Candle, right: Candle): Candle {
  const merged = { ...left };
  mergeInPlace(merged, right);
  return merged;
}

/** Merges into `left`, because a copy costs more than the rest. */
function mergeInPlace(left: Candle, right: Candle): void {
  if (right.openPosition < left.openPosition) left.openPosition = right.openPosition;
  if (right.closePosition > left.closePosition) left.closePosition = right.closePosition;
  if (right.paidOpenPosition !== null) mergePaid(left, right);
  left.volumeInSol = addDecimals(left.volumeInSol, right.volumeInSol);
  left.volumeInToken = addDecimals(left.volumeInToken, right.volumeInToken);
  left.tradeCount += right.tradeCount;
  if (right.spotOpenPosition !== null) Object.assign(left, mergeSpot(left, right));
  left.marketHigh = extreme(left.marketHigh, right.marketHigh, 1);
  left.marketLow = extreme(left.marketLow, right.marketLow, -1);
  left.buyCount += right.buyCount;
  left.buyVolumeInSol = addVolumes(left.buyVolumeInSol, right.buyVolumeInSol);
  left.buyVolumeInToken = addVolumes(left.buyVolumeInToken, right.buyVolumeInToken);
}

/** Many bars have trades of one side alone: then there is nothing to add. */
function addVolumes(left: DecimalString, right: DecimalString): DecimalString {
  if (left === ZERO) return right;
  return right === ZERO ? left : addDecimals(left, right);
}

function extreme(
  left: DecimalString | null,
  right: DecimalString | null,
  direction: 1 | -1,
): DecimalString | null {
  if (left === null || right === null) return left ?? right;
  return compareDecimals(right, left) === direction ? right : left;
}

/** Merges into `left`, because most trades have such a price. */
function mergePaid(left: PaidBar, right: PaidBar): void {
  if (isPaid(left) && isPaid(right)) {
    if (right.paidOpenPosition <= left.paidOpenPosition) {
      left.open = right.open;
      left.paidOpenPosition = right.paidOpenPosition;
    }
    if (right.paidClosePosition >= left.paidClosePosition) {
      left.close = right.close;
      left.paidClosePosition = right.paidClosePosition;
    }
    if (compareDecimals(left.high, right.high) < 0) left.high = right.high;
    if (compareDecimals(left.low, right.low) > 0) left.low = right.low;
  } else if (isPaid(right)) {
    const { open, high, low, close, paidOpenPosition, paidClosePosition } = right;
    Object.assign(left, { open, high, low, close, paidOpenPosition, paidClosePosition });
  }
}

type Whole<Bar> = { [Key in keyof Bar]: NonNullable<Bar[Key]> };

function isPaid(bar: PaidBar): bar is Whole<PaidBar> {
  return bar.paidOpenPosition !== null;
}

function mergeSpot(left: Candle, right: Candle): SpotBar {
  if (left.spotOpenPosition === null || left.spotClosePosition === null) return spotOf(right);
  if (right.spotOpenPosition === null || right.spotClosePosition === null) return spotOf(left);
  const first = left.spotOpenPosition < right.spotOpenPosition ? left : right;
  const last = left.spotClosePosition > right.spotClosePosition ? left : right;
  return {
    spotOpen: first.spotOpen,
    spotOpenPosition: first.spotOpenPosition,
    spotClose: last.spotClose,
    spotClosePosition: last.spotClosePosition,
    spotHigh:
      compareDecimals(left.spotHigh ?? ZERO, right.spotHigh ?? ZERO) >= 0 ? left.spotHigh : right.spotHigh,
    spotLow: compareDecimals(left.spotLow ?? ZERO, right.spotLow ?? ZERO) <= 0 ? left.spotLow : right.spotLow,
  };
}

const spotOf = ({
  spotOpen,
  spotHigh,
  spotLow,
  spotClose,
  spotOpenPosition,
  spotClosePosition,
}: Candle): SpotBar => ({
  spotOpen,
  spotHigh,
  spotLow,
  spotClose,
  spotOpenPosition,
  spotClosePosition,
});

/** The bar starts at the time of the trade. `mergeInto` moves it into its bucket. */
function singleTradeCandle(trade: IndexedTrade, tokens: TokenDecimals): Candle {
  const price = paidPriceOf(trade, tokens);
  const position = chainPosition(trade);
  const spot = spotPriceOf(trade);
  const isBuy = trade.type === 'buy';
  return {
    mintAddress: trade.mintAddress,
    interval: '1m',
    openTime: trade.blockTime,
    open: price,
    high: price,
    low: price,
    close: price,
    paidOpenPosition: price === null ? null : position,
    paidClosePosition: price === null ? null : position,
    volumeInSol: trade.solAmount,
    volumeInToken: trade.tokenAmount,
    tradeCount: 1,
    openPosition: position,
    closePosition: position,
    spotOpen: spot,
    spotHigh: spot,
    spotLow: spot,
    spotClose: spot,
    spotOpenPosition: spot === null ? null : position,
    spotClosePosition: spot === null ? null : position,
    marketHigh: spot ?? price,
    marketLow: spot ?? price,
    buyCount: isBuy ? 1 : 0,
    buyVolumeInSol: isBuy ? trade.solAmount : ZERO,
    buyVolumeInToken: isBuy ? trade.tokenAmount : ZERO,
  };
}
