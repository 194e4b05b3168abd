import { expect } from 'bun:test';
import type { Trade } from '../../../src/features/market/schema.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../../src/indexer/market/indexed-trade.ts';
import { storeSourceProofs } from '../../../src/indexer/store/source-proofs.ts';
import { storeTrades } from '../../../src/indexer/store/trades.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newAddress, tokenMessage } from '../market/ingest-stream.ts';
import { numberedTrade } from '../market/market-arbitraries.ts';
import { startTestApi, type TestApi } from './api.ts';
import { untilOnBus } from './until-on-bus.ts';

export interface TradePage {
  asOf: string;
  data: Trade[];
  page: { hasMore: boolean; nextCursor: string | null };
}

/** A real api, with the writes and requests of the tests of market reads. */
export interface MarketApi {
  api: TestApi;
  /** A visible token without trades; returns its mint. */
  launch(): Promise<string>;
  /** New trades of a token. No two calls return the same ones. */
  newTrades(mint: string, count: number): IndexedTrade[];
  store(trades: readonly IndexedTrade[]): Promise<unknown>;
  /** Stores the proof that the token's trades are complete through this time. */
  prove(mint: string, through: Date): Promise<unknown>;
  /** Drops the caches like a hint of the worker, but without waiting for the bus. */
  dropCaches(): void;
  get(path: string): Promise<Response>;
  json<Body>(path: string): Promise<Body>;
  /** Every trade of a token, page by page, newest first. */
  allTrades(mint: string, limit: number, betweenPages?: () => Promise<unknown>): Promise<Trade[]>;
}

export async function startMarketApi(environment: Record<string, string> = {}): Promise<MarketApi> {
  const api = await startTestApi({ environment });
  await untilOnBus(api);
  const { database, outbox, tokenCaches, marketCaches, statsCaches } = api.dependencies;
  const get = (path: string) => fetch(`${api.baseUrl}${path}`);
  const json = async <Body>(path: string) => (await (await get(path)).json()) as Body;
  let nextTrade = 1;
  return {
    api,
    get,
    json,
    async launch() {
      const token = { ...tokenMessage(newAddress()), totalSupply: '1000000000.000001' };
      await database.begin((transaction) =>
        upsertToken(transaction, outbox, systemClock, { ...token, launchType: 'dbc', status: 'bonding' }),
      );
      return token.mintAddress;
    },
    newTrades: (mint, count) => Array.from({ length: count }, () => numberedTrade(mint, nextTrade++)),
    store: (trades) => database.begin((transaction) => storeTrades(transaction, trades)),
    prove: (mintAddress, through) =>
      database.begin((transaction) =>
        storeSourceProofs(transaction, [{ mintAddress, through: through.toISOString(), slot: '1' }]),
      ),
    dropCaches() {
      for (const caches of [tokenCaches, marketCaches, statsCaches])
        for (const cache of Object.values(caches)) cache.clear();
    },
    async allTrades(mint, limit, betweenPages) {
      const trades: Trade[] = [];
      for (let cursor = ''; ; ) {
        const { data, page } = await json<TradePage>(`/tokens/${mint}/trades?limit=${limit}${cursor}`);
        trades.push(...data);
        expect(page.hasMore).toBe(page.nextCursor !== null);
        if (page.nextCursor === null) return trades;
        cursor = `&cursor=${page.nextCursor}`;
        await betweenPages?.();
      }
    },
  };
}

export const iso = (ms: number) => new Date(ms).toISOString();
