import { compareDecimals, type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';
import { paidPriceOf, spotPriceOf, type TokenDecimals } from './trade-price.ts';

/**
 * A trade counts for orders that were opened at most this long after its block time: ingest may run late, and clocks
 * differ by seconds. Trades of a pool's past trigger no order (contract/orders#trigger-trades).
 */
export const TRADE_AGE_MAX_MS = 30_000;

/** The facts that decide whether a trade triggers an order. */
export interface WaitingOrder {
  id: string;
  mintAddress: string;
  triggerOf: 'trade' | 'spot';
  triggerWhen: 'at_or_above' | 'at_or_below';
  triggerPrice: DecimalString;
  openedAt: Date;
}

/** The facts of a trade that decide whether it triggers an order. */
export type PricedTrade = Pick<
  IndexedTrade,
  | 'id'
  | 'mintAddress'
  | 'solAmount'
  | 'tokenAmount'
  | 'pricePerTokenInSol'
  | 'spotPriceInSol'
  | 'slot'
  | 'transactionIndex'
  | 'outerIndex'
  | 'innerIndex'
  | 'blockTime'
>;

/** An order and the first trade that triggers it. */
export interface Crossing<Order extends WaitingOrder> {
  order: Order;
  trade: PricedTrade;
  /** The price of the trade that was compared with the order's. */
  price: DecimalString;
}

/** The prices between which the trades of one token lie. Null where no trade reports such a price. */
export interface PriceSpan {
  mintAddress: string;
  lowestTrade: DecimalString | null;
  highestTrade: DecimalString | null;
  lowestSpot: DecimalString | null;
  highestSpot: DecimalString | null;
  /** Orders that were opened later are not triggered by these trades. */
  openedBefore: Date;
}

const ZERO = normaliseDecimal('0');

/**
 * The price that is compared. Anyone can make a trade whose own price comes from rounding. Then the pool's price after
 * the trade counts for every order (contract/orders#trigger-trades).
 */
function priceOf(
  trade: PricedTrade,
  of: WaitingOrder['triggerOf'],
  tokens: TokenDecimals,
): DecimalString | null {
  return (of === 'trade' ? paidPriceOf(trade, tokens) : null) ?? spotPriceOf(trade);
}

/** The span of each token's trades. */
export function spansOf(trades: readonly PricedTrade[], tokens: TokenDecimals): PriceSpan[] {
  const spans = new Map<string, PriceSpan>();
  for (const trade of trades) {
    let span = spans.get(trade.mintAddress);
    if (span === undefined) {
      span = emptySpan(trade.mintAddress);
      spans.set(trade.mintAddress, span);
    }
    widen(span, trade, tokens);
  }
  return [...spans.values()];
}

function emptySpan(mintAddress: string): PriceSpan {
  const openedBefore = new Date(0);
  return {
    mintAddress,
    lowestTrade: null,
    highestTrade: null,
    lowestSpot: null,
    highestSpot: null,
    openedBefore,
  };
}

function widen(span: PriceSpan, trade: PricedTrade, tokens: TokenDecimals): void {
  const [own, spot] = [priceOf(trade, 'trade', tokens), priceOf(trade, 'spot', tokens)];
  span.lowestTrade = beyond(own, span.lowestTrade, -1);
  span.highestTrade = beyond(own, span.highestTrade, 1);
  span.lowestSpot = beyond(spot, span.lowestSpot, -1);
  span.highestSpot = beyond(spot, span.highestSpot, 1);
  const openedBefore = new Date(trade.blockTime.getTime() + TRADE_AGE_MAX_MS);
  if (openedBefore > span.openedBefore) span.openedBefore = openedBefore;
}

function beyond(
  price: DecimalString | null,
  extreme: DecimalString | null,
  direction: -1 | 1,
): DecimalString | null {
  if (price === null) return extreme;
  return extreme === null || compareDecimals(price, extreme) === direction ? price : extreme;
}

/** Prices of one kind in chain order, and the steps with a new extreme. */
interface PriceSeries {
  steps: readonly { trade: PricedTrade; price: DecimalString }[];
  /** Indexes of steps that are higher than all before. */
  highs: readonly number[];
  /** Indexes of steps that are lower than all before. */
  lows: readonly number[];
}

/**
 * The first trade in chain order that triggers each order, if any. The result is in the order in which the orders are
 * triggered: by trade, then by price (the nearest to the market before the trade comes first), then by opening time.
 */
export function findCrossings<Order extends WaitingOrder>(
  orders: readonly Order[],
  trades: readonly PricedTrade[],
  tokens: TokenDecimals,
): Crossing<Order>[] {
  if (orders.length === 0) return [];
  const byMint = Map.groupBy(trades, ({ mintAddress }) => mintAddress);
  const found: (Crossing<Order> & { position: string })[] = [];
  for (const group of Map.groupBy(orders, seriesKey).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const series = seriesOf(byMint.get(first.mintAddress) ?? [], first.triggerOf, tokens);
    for (const order of group) {
      const step = firstCrossing(series, order);
      if (step !== null) found.push({ order, ...step, position: chainPosition(step.trade) });
    }
  }
  return found.sort(inTriggerOrder).map(({ position: _, ...crossing }) => crossing);
}

const seriesKey = ({ mintAddress, triggerOf }: WaitingOrder) => `${mintAddress} ${triggerOf}`;

function seriesOf(
  trades: readonly PricedTrade[],
  of: WaitingOrder['triggerOf'],
  tokens: TokenDecimals,
): PriceSeries {
  const steps = trades
    .flatMap((trade) => {
      const price = priceOf(trade, of, tokens);
      return price === null ? [] : [{ trade, price, position: chainPosition(trade) }];
    })
    .sort((a, b) => (a.position < b.position ? -1 : 1));
  const [highs, lows]: [number[], number[]] = [[], []];
  let highest: DecimalString | null = null;
  let lowest: DecimalString | null = null;
  for (const [at, { price }] of steps.entries()) {
    if (highest === null || compareDecimals(price, highest) > 0) {
      highest = price;
      highs.push(at);
    }
    if (lowest === null || compareDecimals(price, lowest) < 0) {
      lowest = price;
      lows.push(at);
    }
  }
  return { steps, highs, lows };
}

function firstCrossing(
  { steps, highs, lows }: PriceSeries,
  order: WaitingOrder,
): PriceSeries['steps'][number] | null {
  const isBeyond = (at: number) => reaches(steps[at]?.price ?? ZERO, order);
  const extremes = order.triggerWhen === 'at_or_above' ? highs : lows;
  // Only a new extreme can be the first price beyond the trigger.
  let [from, to] = [0, extremes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBeyond(extremes[middle] ?? 0)) to = middle;
    else from = middle + 1;
  }
  // Nearly always the first one. Only trades before the order's opening are skipped.
  for (let at = extremes[from] ?? steps.length; at < steps.length; at += 1) {
    const step = steps[at];
    if (step !== undefined && isRecent(step.trade, order) && reaches(step.price, order)) return step;
  }
  return null;
}

function reaches(price: DecimalString, { triggerWhen, triggerPrice }: WaitingOrder): boolean {
  const side = compareDecimals(price, triggerPrice);
  return triggerWhen === 'at_or_above' ? side >= 0 : side <= 0;
}

function isRecent({ blockTime }: PricedTrade, { openedAt }: WaitingOrder): boolean {
  return blockTime.getTime() + TRADE_AGE_MAX_MS >= openedAt.getTime();
}

interface PositionedCrossing extends Crossing<WaitingOrder> {
  position: string;
}

function inTriggerOrder(a: PositionedCrossing, b: PositionedCrossing): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1;
  const [one, other] = [a.order, b.order];
  if (one.triggerWhen !== other.triggerWhen) return one.triggerWhen < other.triggerWhen ? -1 : 1;
  const byPrice = compareDecimals(one.triggerPrice, other.triggerPrice);
  if (byPrice !== 0) return one.triggerWhen === 'at_or_above' ? byPrice : -byPrice;
  return one.openedAt.getTime() - other.openedAt.getTime() || (one.id < other.id ? -1 : 1);
}
