import { addDecimals, compareDecimals, type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';

/** What some new trades do to the market of one token. */
export interface MarketChange {
  mintAddress: string;
  /** The last trade in chain order that has a price; empty when none has. */
  position: string;
  /** Its spot price when the source reports it, else its own price (contract/market-data#prices). */
  price: DecimalString | null;
  /** The last trade whose source reports the pool's quote reserve, and that reserve; empty when none does. */
  liquidityPosition: string;
  liquidity: DecimalString | null;
  /** The last trade on the curve whose source reports the quote reserve, and that reserve; empty when none does. */
  collectedPosition: string;
  collected: DecimalString | null;
  /** Sums over trades on the curve whose source does not report the reserve. */
  solBought: DecimalString;
  solSold: DecimalString;
  /** Block time of the newest trade. */
  asOf: Date;
}

const ZERO = normaliseDecimal('0');

/**
 * Folds distinct new trades per token, in any order.
 *
 * SOL collected is the quote reserve of the bonding curve. A source that reads the curve reports it with every trade
 * (`liquidityInSol`); from one that does not it is the sum of buys minus the sum of sells, fees included. Trades
 * in another pool leave it alone: the source says which they are, or they are those after the graduation.
 */
export function foldMarketChanges(
  trades: readonly IndexedTrade[],
  graduatedAt: ReadonlyMap<string, Date | null>,
): MarketChange[] {
  const changes = new Map<string, MarketChange>();
  for (const trade of trades) {
    const change = changes.get(trade.mintAddress) ?? emptyChange(trade);
    const graduation = graduatedAt.get(trade.mintAddress) ?? null;
    changes.set(
      trade.mintAddress,
      withTrade(change, trade, trade.onCurve ?? (graduation === null || trade.blockTime < graduation)),
    );
  }
  return [...changes.values()];
}

function emptyChange({ mintAddress, blockTime }: IndexedTrade): MarketChange {
  return {
    mintAddress,
    position: '',
    price: null,
    liquidityPosition: '',
    liquidity: null,
    collectedPosition: '',
    collected: null,
    solBought: ZERO,
    solSold: ZERO,
    asOf: blockTime,
  };
}

function withTrade(change: MarketChange, trade: IndexedTrade, isOnCurve: boolean): MarketChange {
  const next = { ...change };
  if (trade.blockTime > next.asOf) next.asOf = trade.blockTime;
  const position = chainPosition(trade);
  const price = priceOf(trade);
  if (price !== null && position > change.position) {
    next.position = position;
    next.price = price;
  }
  if (trade.liquidityInSol !== null && position > change.liquidityPosition) {
    next.liquidityPosition = position;
    next.liquidity = trade.liquidityInSol;
  }
  if (!isOnCurve) return next;
  if (trade.liquidityInSol !== null) {
    if (position > change.collectedPosition) {
      next.collectedPosition = position;
      next.collected = trade.liquidityInSol;
    }
  } else {
    if (trade.type === 'buy') next.solBought = addDecimals(change.solBought, trade.solAmount);
    else next.solSold = addDecimals(change.solSold, trade.solAmount);
  }
  return next;
}

/** A dust trade may have a price of zero, which means nothing: such a trade never sets the price (contract/market-data#prices). */
function priceOf(trade: IndexedTrade): DecimalString | null {
  const price = trade.spotPriceInSol ?? trade.pricePerTokenInSol;
  return compareDecimals(price, ZERO) === 0 ? null : price;
}
