import { storeTrades } from '../../src/indexer/store/trades.ts';
import { numberedTrade } from '../../test/support/market/market-arbitraries.ts';
import type { BenchCase, CaseResult } from '../cases/case.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../cases/environment.ts';
import { measureRead } from './read-case.ts';
import { storeToken } from './stored-token.ts';

const CANDLES = 1_000;
const MINUTE_MS = 60_000;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** The market snapshot of a token from the cache. */
export const marketSnapshot: BenchCase = (options) =>
  withMarket(1, (environment, mint) =>
    measureRead(
      environment,
      {
        name: 'market snapshot, cached',
        path: `/api/v2/tokens/${mint}/market`,
        route: '/api/v2/tokens/:mint/market',
        status: 200,
        contains: '"provenance":"service-indexer"',
        ratePerSecond: 3_000,
        connections: 32,
        cacheKey: `/api/v2/tokens/${mint}/market`,
      },
      options,
    ),
  );

/** A window of 1,000 candles from the cache: the cost of a large body. */
export const candles: BenchCase = (options) =>
  withMarket(CANDLES, (environment, mint) => {
    const from = new Date(FIRST_MS).toISOString();
    const to = new Date(FIRST_MS + CANDLES * MINUTE_MS).toISOString();
    const path = `/api/v2/tokens/${mint}/candles?interval=1m&from=${from}&to=${to}`;
    const last = new Date(FIRST_MS + (CANDLES - 1) * MINUTE_MS).toISOString();
    return measureRead(
      environment,
      {
        name: `listTokenCandles, ${CANDLES} candles, cached`,
        path,
        route: '/api/v2/tokens/:mint/candles',
        status: 200,
        contains: last,
        ratePerSecond: 600,
        connections: 16,
        cacheKey: path,
      },
      options,
    );
  });

async function withMarket(
  trades: number,
  measure: (environment: BenchEnvironment, mint: string) => Promise<CaseResult>,
): Promise<CaseResult> {
  const environment = await createBenchEnvironment();
  try {
    const mint = await storeToken(environment.database);
    const everyMinute = Array.from({ length: trades }, (_, index) =>
      numberedTrade(mint, index, { blockTime: new Date(FIRST_MS + index * MINUTE_MS) }),
    );
    await environment.database.begin((transaction) => storeTrades(transaction, everyMinute));
    return await measure(environment, mint);
  } finally {
    await environment.close();
  }
}
