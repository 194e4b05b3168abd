import { clock } from './element.js';
import { figure } from './figures.js';

/** What the rows show below the price, by what they are sorted by. `ranking` is null for a token that is seconds old. */
export const columns = {
  launchedAt: ({ status }) => status.replaceAll('_', ' '),
  marketCap: (_, ranking) => inSol(ranking?.marketCapInSol),
  volume24h: (_, ranking) => inSol(ranking?.volumeInSol24h),
  trades1h: (_, ranking) => (ranking === null ? 'new' : `${ranking.tradeCount1h} an hour`),
  priceChange1h: (_, ranking) => percent(ranking?.priceChangePercent1h),
  graduationProgress: ({ status }, ranking) => share(status, ranking?.graduationProgress),
  lastTradeAt: (_, ranking) => (ranking?.lastTradeAt ? clock(ranking.lastTradeAt) : 'no trade'),
};

function inSol(decimal) {
  return decimal === null || decimal === undefined ? 'unknown' : `${figure(decimal)} SOL`;
}

function percent(decimal) {
  if (decimal === null || decimal === undefined) return 'unknown';
  return `${Number(decimal) > 0 ? '+' : ''}${figure(decimal)} %`;
}

function share(status, decimal) {
  if (status === 'graduated') return status;
  return decimal === null || decimal === undefined ? 'unknown' : `${Math.floor(Number(decimal) * 100)} %`;
}
