import { checkTrade } from '../../src/indexer/ingest/kinds/trade.ts';
import { type Candle, foldCandles } from '../../src/indexer/market/fold-candles.ts';
import { chainPosition, type IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { marketPriceOf, type TokenDecimals } from '../../src/indexer/market/trade-price.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { MarketFact } from '../evidence/facts.ts';

/** Every trade of the chain and every acknowledged one of a feed is stored once, at its place, and no other. */
export function tradesEqualTheChain({ histories, database, chain }: Evidence): string[] {
  const expected = new Map(chain.trades.map((trade) => [trade.id, placeOf(trade)]));
  for (const { tradeId, message } of histories.fedTrades) {
    const checked = checkTrade(message);
    if (checked.ok) expected.set(tradeId, placeOf(checked.message));
  }
  const stored = Map.groupBy(database.trades, ({ id }) => id);
  const wrong = [...expected].flatMap(([id, place]) => {
    const rows = stored.get(id) ?? [];
    const [row] = rows;
    if (row === undefined) return [`trade ${id} (${place}) is not stored`];
    if (rows.length > 1) return [`trade ${id} is stored ${rows.length} times`];
    return placeOf(row) === place ? [] : [`trade ${id} is stored as ${placeOf(row)}, and is ${place}`];
  });
  const invented = [...stored.keys()]
    .filter((id) => !expected.has(id))
    .map((id) => `trade ${id} is stored, and nobody reported it`);
  return [...wrong, ...invented];
}

function placeOf(trade: IndexedTrade): string {
  return `${trade.mintAddress} ${trade.type} ${trade.solAmount} for ${trade.tokenAmount} at ${chainPosition(trade)}`;
}

/** Bars, last prices and holders are those that the stored trades and the chain's accounts give. */
export function marketEqualsTheFold({ database, chain }: Evidence): string[] {
  const { trades, candles, markets } = database;
  const tokens: TokenDecimals = new Map(markets.map(({ mint, decimals }) => [mint, { decimals }]));
  const expected = new Map(foldCandles(trades, tokens).map((bar) => [barName(bar), barText(bar)]));
  const stored = new Map(candles.map((bar) => [barName(bar), barText(bar)]));
  const bars = [...new Set([...expected.keys(), ...stored.keys()])].flatMap((name) => {
    const [want, have] = [expected.get(name), stored.get(name)];
    return want === have ? [] : [`the bar ${name} is ${have}, and its trades give ${want}`];
  });
  const byMint = Map.groupBy(trades, ({ mintAddress }) => mintAddress);
  return [
    ...bars,
    ...markets.flatMap((market) => wrongPrice(market, byMint.get(market.mint) ?? [], tokens)),
    ...markets.flatMap(({ mint, holderCount }) => {
      const counted = chain.holders.get(mint);
      return counted === undefined || counted === holderCount
        ? []
        : [`${mint} has ${counted} holders on chain, and ${holderCount} here`];
    }),
  ];
}

function wrongPrice(
  { mint, priceInSol }: MarketFact,
  trades: readonly IndexedTrade[],
  tokens: TokenDecimals,
): string[] {
  const last = trades
    .toSorted((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1))
    .flatMap((trade) => marketPriceOf(trade, tokens) ?? [])
    .at(-1);
  const have = priceInSol === null ? undefined : normaliseDecimal(priceInSol);
  // The first price of a pool without trades is its own.
  return last === undefined || have === last
    ? []
    : [`${mint} has the price ${have}, and its last trade ${last}`];
}

function barName({ mintAddress, interval, openTime }: Candle): string {
  return `${mintAddress} ${interval} ${openTime.toISOString()}`;
}

function barText(bar: Candle): string {
  const { open, high, low, close, volumeInSol, volumeInToken, tradeCount } = bar;
  const { spotOpen, spotHigh, spotLow, spotClose } = bar;
  const spot = [spotOpen, spotHigh, spotLow, spotClose].join();
  return `${[open, high, low, close].join()} volume ${volumeInSol} and ${volumeInToken} of ${tradeCount}, spot ${spot}`;
}
