import type { Database } from '../../../db/client.ts';
import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { requestedPage } from '../../../http/lists/pages.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { MintPath, WalletPath } from '../../../shared/field-schemas.ts';
import type { TradePosition } from '../list-trades.ts';
import { listPositions, type PositionKey } from './list-positions.ts';
import { listTopHolders } from './list-top-holders.ts';
import { listTopTraders } from './list-top-traders.ts';
import { listWalletTrades } from './list-wallet-trades.ts';
import {
  PageQuery,
  type Positions,
  PositionsSchema,
  type TopHolders,
  TopHoldersSchema,
  type TopTraders,
  TopTradersSchema,
  type WalletTrades,
  WalletTradesSchema,
} from './schema.ts';

export interface TraderRouteDependencies {
  publicDatabase: Database;
  cursors: Cursors;
  traderCaches: TraderCaches;
}

/** Pre-serialised reads of wallets and of the traders of a token; they expire by age. */
export interface TraderCaches {
  walletTrades: SerialisedCache<WalletTrades>;
  positions: SerialisedCache<Positions>;
  topHolders: SerialisedCache<TopHolders>;
  topTraders: SerialisedCache<TopTraders>;
}

const traderRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  successStatus: 200,
  maxAgeSeconds: 1,
  refusesUnknownQuery: true,
  unavailable: 'market_data_unavailable',
} as const;

const listWalletTradesDefinition = {
  ...traderRead,
  id: 'listWalletTrades',
  path: '/wallets/:address/trades',
  summary: 'Trades of a wallet',
  description:
    'Newest first, in the order of the chain, as far back as trades are kept. All trades before `asOf` are listed for every token of the page. A page may hold fewer trades than `limit` while `hasMore` is true.',
  params: WalletPath,
  query: PageQuery,
  response: WalletTradesSchema,
  problems: ['cursor_invalid', 'market_data_unavailable'],
} satisfies RouteDefinition;

const listWalletPositionsDefinition = {
  ...traderRead,
  id: 'listWalletPositions',
  path: '/wallets/:address/positions',
  summary: 'Positions of a wallet',
  description:
    'One position for each token that the wallet has traded, in the order of the mints. Amounts are exact decimals, and costs are average costs. Tokens that arrived or left without a trade have no price: they are reported separately and count in no result. A page may hold fewer positions than `limit` while `hasMore` is true.',
  params: WalletPath,
  query: PageQuery,
  response: PositionsSchema,
  problems: ['cursor_invalid', 'market_data_unavailable'],
} satisfies RouteDefinition;

const listTopHoldersDefinition = {
  ...traderRead,
  id: 'listTokenTopHolders',
  path: '/tokens/:mint/top-holders',
  summary: 'Largest holders of a token',
  description:
    'The 100 largest balances, the largest first, those of pools, lockers and vaults included and labelled. `slot` and `asOf` are the time of the balances. A token whose balances are not kept (one with more than 100,000 accounts, or one that was not counted yet) has no list: 404 `holder_stats_not_found`.',
  params: MintPath,
  response: TopHoldersSchema,
  problems: ['token_not_found', 'holder_stats_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

const listTopTradersDefinition = {
  ...traderRead,
  id: 'listTokenTopTraders',
  path: '/tokens/:mint/top-traders',
  summary: 'Most profitable traders of a token',
  description:
    'At most 100 wallets that have realised a gain, the largest first, with what they have bought and sold. All trades before `asOf` are counted.',
  params: MintPath,
  response: TopTradersSchema,
  problems: ['token_not_found', 'market_data_unavailable'],
} satisfies RouteDefinition;

export const traderDefinitions: readonly RouteDefinition[] = [
  listWalletTradesDefinition,
  listWalletPositionsDefinition,
  listTopHoldersDefinition,
  listTopTradersDefinition,
];

export function traderRoutes({
  publicDatabase: database,
  cursors,
  traderCaches,
}: TraderRouteDependencies): Route[] {
  return [
    publicRead(listWalletTradesDefinition, (reader) => {
      const {
        params: { address },
        query,
      } = reader;
      const page = requestedPage<TradePosition>(cursors, query, [listWalletTradesDefinition.id, address], 5);
      const { after, limit } = page;
      return traderCaches.walletTrades.require(
        reader,
        JSON.stringify([address, limit, after]),
        async () => {
          const trades = await listWalletTrades(database, address, { after, limit });
          return { asOf: trades.asOf?.toISOString() ?? null, ...page.toBody(trades) };
        },
        'market_data_unavailable',
      );
    }),
    publicRead(listWalletPositionsDefinition, (reader) => {
      const {
        params: { address },
        query,
      } = reader;
      const page = requestedPage<PositionKey>(cursors, query, [listWalletPositionsDefinition.id, address], 1);
      const { after, limit } = page;
      return traderCaches.positions.require(
        reader,
        JSON.stringify([address, limit, after]),
        async () => page.toBody(await listPositions(database, address, { after, limit })),
        'market_data_unavailable',
      );
    }),
    publicRead(listTopHoldersDefinition, (reader) => {
      const { mint } = reader.params;
      return traderCaches.topHolders.requireReplicated(
        reader,
        mint,
        (replica) => listTopHolders(replica ?? database, mint),
        'token_not_found',
      );
    }),
    publicRead(listTopTradersDefinition, (reader) => {
      const { mint } = reader.params;
      return traderCaches.topTraders.requireReplicated(
        reader,
        mint,
        (replica) => listTopTraders(replica ?? database, mint),
        'token_not_found',
      );
    }),
  ];
}
