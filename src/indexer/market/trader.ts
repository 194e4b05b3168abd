import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  divideDecimals,
  multiplyDecimals,
  normaliseDecimal,
  subtractDecimals,
} from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';

/** A wallet and a token that it traded. */
export interface TraderKey {
  mintAddress: string;
  traderWallet: string;
}

/** The purchases and sales of a token by one wallet: at least one trade (decisions/0076). */
export interface Trader extends TraderKey {
  buyCount: number;
  sellCount: number;
  boughtToken: DecimalString;
  boughtInSol: DecimalString;
  soldToken: DecimalString;
  soldInSol: DecimalString;
  /** Cost of the sold tokens, each at the average cost when it was sold. */
  soldCostInSol: DecimalString;
  /** Tokens that were sold without having been bought, so they came without a trade, and their proceeds. */
  uncoveredToken: DecimalString;
  uncoveredInSol: DecimalString;
  firstTradeAt: Date;
  firstSlot: bigint;
  lastTradeAt: Date;
  lastBuyAt: Date | null;
  lastSellAt: Date | null;
  /** Chain position of the last trade (`chainPosition`). */
  lastPosition: string;
}

export type TraderTrade = TraderKey &
  Pick<
    IndexedTrade,
    | 'type'
    | 'solAmount'
    | 'tokenAmount'
    | 'blockTime'
    | 'slot'
    | 'transactionIndex'
    | 'outerIndex'
    | 'innerIndex'
    | 'id'
  >;

const ZERO = normaliseDecimal('0');
/** Fractional digits of a share of a cost or of proceeds, the rest cut off. */
const SHARE_DIGITS = 18;

export function pairKey({ mintAddress, traderWallet }: TraderKey): string {
  return `${traderWallet} ${mintAddress}`;
}

/**
 * The trader after one more trade. A sale takes its part of the cost of the held tokens, so the average cost
 * stays. Tokens sold beyond these have no cost, and their proceeds count apart. Trades are folded in chain order:
 * another order gives the same counts and sums, but another cost.
 */
export function foldTrade(trader: Trader | null, trade: TraderTrade): Trader {
  const known = trader ?? newTrader(trade);
  const position = chainPosition(trade);
  const next: Trader = {
    ...known,
    firstTradeAt: earlierOf(known.firstTradeAt, trade.blockTime),
    firstSlot: earlierOf(known.firstSlot, trade.slot),
    lastTradeAt: laterOf(known.lastTradeAt, trade.blockTime),
    lastPosition: laterOf(known.lastPosition, position),
  };
  return trade.type === 'buy' ? withBuy(next, trade) : withSale(next, trade);
}

function newTrader({ mintAddress, traderWallet, blockTime, slot }: TraderTrade): Trader {
  return {
    mintAddress,
    traderWallet,
    buyCount: 0,
    sellCount: 0,
    boughtToken: ZERO,
    boughtInSol: ZERO,
    soldToken: ZERO,
    soldInSol: ZERO,
    soldCostInSol: ZERO,
    uncoveredToken: ZERO,
    uncoveredInSol: ZERO,
    firstTradeAt: blockTime,
    firstSlot: slot,
    lastTradeAt: blockTime,
    lastBuyAt: null,
    lastSellAt: null,
    lastPosition: '',
  };
}

function withBuy(trader: Trader, { solAmount, tokenAmount, blockTime }: TraderTrade): Trader {
  return {
    ...trader,
    buyCount: trader.buyCount + 1,
    boughtToken: sumOf(trader.boughtToken, tokenAmount),
    boughtInSol: sumOf(trader.boughtInSol, solAmount),
    lastBuyAt: laterOf(trader.lastBuyAt ?? blockTime, blockTime),
  };
}

function withSale(trader: Trader, { solAmount, tokenAmount, blockTime }: TraderTrade): Trader {
  const { held, cost } = holdingOf(trader);
  const isAll = compareDecimals(tokenAmount, held) >= 0;
  const uncovered = isAll ? subtractDecimals(tokenAmount, held) : ZERO;
  const soldCost = isAll ? cost : shareOf(cost, tokenAmount, held);
  return {
    ...trader,
    sellCount: trader.sellCount + 1,
    soldToken: sumOf(trader.soldToken, tokenAmount),
    soldInSol: sumOf(trader.soldInSol, solAmount),
    soldCostInSol: sumOf(trader.soldCostInSol, soldCost),
    uncoveredToken: sumOf(trader.uncoveredToken, uncovered),
    uncoveredInSol: sumOf(trader.uncoveredInSol, shareOf(solAmount, uncovered, tokenAmount)),
    lastSellAt: laterOf(trader.lastSellAt ?? blockTime, blockTime),
  };
}

/** The tokens that were bought and not sold, in whole tokens, and their cost in SOL. */
export function holdingOf(
  trader: Pick<Trader, 'boughtToken' | 'boughtInSol' | 'soldToken' | 'soldCostInSol' | 'uncoveredToken'>,
): { held: DecimalString; cost: DecimalString } {
  return {
    held: subtractDecimals(addDecimals(trader.boughtToken, trader.uncoveredToken), trader.soldToken),
    cost: subtractDecimals(trader.boughtInSol, trader.soldCostInSol),
  };
}

/** Skips the addition of zero, with which most sums of a trader begin. */
function sumOf(left: DecimalString, right: DecimalString): DecimalString {
  if (left === ZERO) return right;
  return right === ZERO ? left : addDecimals(left, right);
}

function shareOf(amount: DecimalString, part: DecimalString, whole: DecimalString): DecimalString {
  if (part === ZERO || amount === ZERO) return ZERO;
  return part === whole ? amount : divideDecimals(multiplyDecimals(amount, part), whole, SHARE_DIGITS);
}

/** The earlier of two times, slots or positions. */
export function earlierOf<Ordered extends Date | bigint | string>(left: Ordered, right: Ordered): Ordered {
  if (right < left) return right;
  return left;
}

function laterOf<Ordered extends Date | bigint | string>(left: Ordered, right: Ordered): Ordered {
  if (right > left) return right;
  return left;
}

/**
 * The trader without a trade whose position in the fold is no longer known. Counts and sums are exact. The cost
 * stays as it is, but never exceeds the amount bought.
 */
export function withoutTrade(
  trader: Trader,
  trade: Pick<TraderTrade, 'type' | 'solAmount' | 'tokenAmount'>,
): Trader | null {
  const sign = trade.type === 'buy' ? ([1, 0] as const) : ([0, 1] as const);
  const buyCount = trader.buyCount - sign[0];
  const sellCount = trader.sellCount - sign[1];
  if (buyCount + sellCount <= 0) return null;
  const boughtToken =
    trade.type === 'buy' ? subtractToZero(trader.boughtToken, trade.tokenAmount) : trader.boughtToken;
  const boughtInSol =
    trade.type === 'buy' ? subtractToZero(trader.boughtInSol, trade.solAmount) : trader.boughtInSol;
  const soldToken =
    trade.type === 'sell' ? subtractToZero(trader.soldToken, trade.tokenAmount) : trader.soldToken;
  const soldInSol =
    trade.type === 'sell' ? subtractToZero(trader.soldInSol, trade.solAmount) : trader.soldInSol;
  return {
    ...trader,
    buyCount,
    sellCount,
    boughtToken,
    boughtInSol,
    soldToken,
    soldInSol,
    soldCostInSol: least(trader.soldCostInSol, boughtInSol),
    uncoveredToken: least(greatest(trader.uncoveredToken, subtractToZero(soldToken, boughtToken)), soldToken),
    uncoveredInSol: least(trader.uncoveredInSol, soldInSol),
  };
}

const least = (a: DecimalString, b: DecimalString) => (compareDecimals(a, b) <= 0 ? a : b);
const greatest = (a: DecimalString, b: DecimalString) => (compareDecimals(a, b) >= 0 ? a : b);
const subtractToZero = (a: DecimalString, b: DecimalString) =>
  compareDecimals(a, b) <= 0 ? ZERO : subtractDecimals(a, b);

/** The result of folding the trades of a pair after a base. */
export interface FoldedTrades {
  trader: Trader | null;
  /** The fold at the end of the last complete partition of slots, which retention drops as a whole. Null for none. */
  base: TraderBase | null;
}

/** The fold of a pair up to a chain position. */
export interface TraderBase {
  through: string;
  state: Trader | null;
}

/** Slots of a partition of trades (drizzle/functions/partition_bound.sql). */
const PARTITION_SLOTS = 10_000_000n;

const partitionOf = (slot: bigint) => slot / PARTITION_SLOTS;

export const slotOf = (position: string): bigint => BigInt(position.split(':', 1)[0] || 0);

/** Folds trades that are later than the trader's last one, in chain order. */
export function foldTrades(trader: Trader | null, trades: readonly TraderTrade[]): FoldedTrades {
  let state = trader;
  let base: TraderBase | null = null;
  for (const trade of trades) {
    if (state !== null && partitionOf(slotOf(state.lastPosition)) < partitionOf(trade.slot))
      base = { through: state.lastPosition, state };
    state = foldTrade(state, trade);
  }
  return { trader: state, base };
}
