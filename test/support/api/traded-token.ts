import { numberedTrade } from '../market/market-arbitraries.ts';
import type { MarketApi } from './market-api.ts';

let next = 0;

/** A token with one trade, and a function that stores another. */
export async function tradedToken(market: MarketApi) {
  const mint = await market.launch();
  const trade = (changes: { transactionSignature?: string } = {}) => {
    next += 1;
    // Another price each time: a snapshot shows nothing else of a trade but its time.
    return market.store([{ ...numberedTrade(mint, next, { solAmount: `1.${next}1` }), ...changes }]);
  };
  await trade();
  return { mint, trade, path: `/tokens/${mint}/trades` };
}
