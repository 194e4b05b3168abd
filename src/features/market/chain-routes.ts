import type { TokenBalanceSource } from '../../chain/holdings/wallet-balances.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Database } from '../../db/client.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import { publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import type { Clock } from '../../shared/clock.ts';
import { MintPath, WalletPath } from '../../shared/field-schemas.ts';
import { listWalletHoldings } from './list-wallet-holdings.ts';
import {
  type SupplyComposition,
  SupplyCompositionSchema,
  type WalletHoldings,
  WalletHoldingsSchema,
} from './schema.ts';
import { createSupplyReader } from './supply/read-supply.ts';

export interface ChainMarketRouteDependencies {
  publicDatabase: Database;
  clock: Clock;
  /** Nodes for reads during a request, in the order of their use. */
  rpcs: readonly ChainRpc[];
  /** The same nodes, for listing the tokens of a wallet. */
  balanceSources: readonly TokenBalanceSource[];
  chainReadCaches: ChainReadCaches;
}

/**
 * Chain reads during requests, shared by concurrent requests and kept for at most 2 seconds
 * (contract/market-data#chain-read-age).
 */
export interface ChainReadCaches {
  holdings: SerialisedCache<WalletHoldings>;
  supply: SerialisedCache<SupplyComposition>;
}

/** Properties of both reads. */
const chainRead = {
  method: 'GET',
  tag: 'Market data',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  successStatus: 200,
  maxAgeSeconds: 1,
} as const;

const listWalletHoldingsDefinition = {
  ...chainRead,
  id: 'listWalletHoldings',
  path: '/wallets/:address/holdings',
  summary: 'Tokens in a wallet',
  description:
    'Balances come from the chain, under both token programs, and are at most 2 seconds old. Only tokens of this service are listed, at most 500, the most valuable first.',
  params: WalletPath,
  response: WalletHoldingsSchema,
  problems: ['market_data_unavailable'],
  unavailable: 'market_data_unavailable',
} satisfies RouteDefinition;

const getTokenSupplyCompositionDefinition = {
  ...chainRead,
  id: 'getTokenSupplyComposition',
  path: '/tokens/:mint/supply-composition',
  summary: "How a token's supply is distributed",
  description:
    'All amounts are of one slot. Buckets add up to `totalSupply`. Percentages are cut off after six digits. `available: false` has its reason in `unavailableReason` (`not_launched`, `chain_unavailable`). When something could not be read, `reads` is `partial`, `unreadBuckets` lists the missing ones, and `free_float` is left out.',
  params: MintPath,
  response: SupplyCompositionSchema,
  problems: ['token_not_found'],
  unavailable: 'api_dependency_unavailable',
} satisfies RouteDefinition;

export const chainMarketDefinitions: readonly RouteDefinition[] = [
  listWalletHoldingsDefinition,
  getTokenSupplyCompositionDefinition,
];

/** Reads that call the chain while the client waits. */
export function chainMarketRoutes(dependencies: ChainMarketRouteDependencies): Route[] {
  const { chainReadCaches } = dependencies;
  const readSupply = createSupplyReader(dependencies);
  return [
    publicRead(listWalletHoldingsDefinition, (reader) => {
      const { address } = reader.params;
      return chainReadCaches.holdings.require(
        reader,
        address,
        () => listWalletHoldings(dependencies, address),
        'market_data_unavailable',
      );
    }),
    publicRead(getTokenSupplyCompositionDefinition, (reader) => {
      const { mint } = reader.params;
      return chainReadCaches.supply.require(reader, mint, () => readSupply(mint), 'token_not_found');
    }),
  ];
}
