import { Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../http/fields.ts';
import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import {
  CandleQuery,
  CandlesSchema,
  HolderStatsSchema,
  MintPath,
  SupplyCompositionSchema,
  TradeSchema,
  WalletHoldingsSchema,
  WalletPath,
} from './schema.ts';

/** What every read of this feature has in common. */
const marketRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 1,
  params: MintPath,
  unavailable: 'market_data_unavailable',
} as const;

const listWalletHoldings = {
  ...marketRead,
  id: 'listWalletHoldings',
  path: '/wallets/:address/holdings',
  summary: 'Tokens of the platform that a wallet holds, most valuable first',
  ratePolicy: 'public-read-expensive',
  params: WalletPath,
  response: WalletHoldingsSchema,
  problems: ['market_data_unavailable'],
} satisfies Operation;

const listTokenCandles = {
  ...marketRead,
  id: 'listTokenCandles',
  path: '/tokens/:mint/candles',
  summary: 'Price bars of a token',
  ratePolicy: 'public-read-expensive',
  query: CandleQuery,
  response: CandlesSchema,
  problems: ['token_not_found', 'market_time_range_invalid', 'market_data_unavailable'],
} satisfies Operation;

const listTokenTrades = {
  ...marketRead,
  id: 'listTokenTrades',
  path: '/tokens/:mint/trades',
  summary: 'Trades of a token, newest first',
  query: Type.Object(paginationFields),
  response: PageOf(TradeSchema),
  problems: ['cursor_invalid', 'token_not_found', 'market_data_unavailable'],
} satisfies Operation;

const getTokenHolderStats = {
  ...marketRead,
  id: 'getTokenHolderStats',
  path: '/tokens/:mint/holders',
  summary: 'The latest indexed holder count, with its source',
  response: HolderStatsSchema,
  problems: ['token_not_found', 'holder_stats_not_found', 'market_data_unavailable'],
} satisfies Operation;

const getTokenSupplyComposition = {
  ...marketRead,
  id: 'getTokenSupplyComposition',
  path: '/tokens/:mint/supply-composition',
  summary: 'Who holds the supply of a token, read from chain in one slot',
  ratePolicy: 'public-read-expensive',
  response: SupplyCompositionSchema,
  problems: ['token_not_found'],
  unavailable: 'api_dependency_unavailable',
} satisfies Operation;

export function marketRoutes(): Route[] {
  return [
    listWalletHoldings,
    listTokenCandles,
    listTokenTrades,
    getTokenHolderStats,
    getTokenSupplyComposition,
  ].map(pendingRoute);
}
