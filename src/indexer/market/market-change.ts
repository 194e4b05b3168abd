import { addDecimals, type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import { chainPosition, type IndexedTrade } from './indexed-trade.ts';
import { marketPriceOf, type TokenDecimals } from './trade-price.ts';

/** The change of one token's market by some new trades. */
export interface MarketChange {
  mintAddress: string;
  /** The last trade in chain order with a price. Empty when none has one. */
  position: string;
  /** The trade's spot price when the source reports it, else its paid price (contract/market-data#prices). */
  price: DecimalString | null;
  /** The last trade whose source reports the pool's quote reserve, and that reserve. Empty when none does. */
  liquidityPosition: string;
  liquidity: DecimalString | null;
  /** The last curve trade whose source reports the quote reserve, and that reserve. Empty when none does. */
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
 * Computes the change of each token from distinct new trades, in any order.
 *
 * SOL collected is the quote reserve of the bonding curve. A source that reads the curve reports it with
 * every trade (`liquidityInSol`). For other sources it is the sum of buys minus the sum of sells, fees
 * included. Trades in another pool do not change it: the source marks them, or they come after the
 * graduation.
 */
export function foldMarketChanges(
  trades: readonly IndexedTrade[],
  tokens: ReadonlyMap<string, { decimals: number; graduatedAt: Date | null }>,
): MarketChange[] {
  const changes = new Map<string, MarketChange>();
  for (const trade of trades) {
    const change = changes.get(trade.mintAddress) ?? emptyChange(trade);
    changes.set(trade.mintAddress, change);
    const graduation = tokens.get(trade.mintAddress)?.graduatedAt ?? null;
    addTrade(change, trade, tokens, trade.onCurve ?? (graduation === null || trade.blockTime < graduation));
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

/** Changes its argument, because a copy for each trade cost a third of the fold. */
function addTrade(
  change: MarketChange,
  trade: IndexedTrade,
  tokens: TokenDecimals,
  isOnCurve: boolean,
): void {
  if (trade.blockTime > change.asOf) change.asOf = trade.blockTime;
  const position = chainPosition(trade);
  const price = marketPriceOf(trade, tokens);
  if (price !== null && position > change.position) {
    change.position = position;
    change.price = price;
  }
  if (trade.liquidityInSol !== null && position > change.liquidityPosition) {
    change.liquidityPosition = position;
    change.liquidity = trade.liquidityInSol;
  }
  if (!isOnCurve) return;
  if (trade.liquidityInSol !== null) {
    if (position > change.collectedPosition) {
      change.collectedPosition = position;
      change.collected = trade.liquidityInSol;
    }
  } else {
    if (trade.type === 'buy') change.solBought = addDecimals(change.solBought, trade.solAmount);
    else change.solSold = addDecimals(change.solSold, trade.solAmount);
  }
}
