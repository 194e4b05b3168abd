import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { tokenStatuses } from '../../src/db/values/tokens.ts';
import { type MarketOverview, MarketOverviewSchema } from '../../src/features/market/overview/schema.ts';
import { storeOverview } from '../../src/features/market/overview/store-overview.ts';
import {
  type TokenStats,
  type TokenStatsList,
  TokenStatsSchema,
} from '../../src/features/market/stats/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeInspectedPool } from '../../src/indexer/store/token-pools.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import { iso, type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { asWorker } from '../support/processes/worker-context.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

let market: MarketApi;

beforeAll(async () => {
  // The budget of reads hardly refills during a test.
  const RATE_LIMITS = '{"public-read-cheap":{"limit":6000,"windowSeconds":86400}}';
  market = await startMarketApi({ RATE_LIMITS });
});

const stats = (mint: string) => market.json<TokenStats>(`/tokens/${mint}/stats`);
const list = (mints: readonly string[]) => market.json<TokenStatsList>(`/token-stats?mints=${mints.join()}`);

const hide = (mint: string) =>
  market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mint, true));

/** A token whose pool is a curve that is complete at so much SOL. */
async function launchOnCurve(threshold = '85'): Promise<string> {
  const mint = await market.launch();
  const { database } = market.api.dependencies;
  const poolAddress = newAddress();
  await database`update tokens set pool_address = ${poolAddress} where mint_address = ${mint}`;
  const pool = { poolAddress, mintAddress: mint, program: 'dbc', unusableReason: null } as const;
  await storeInspectedPool(
    database,
    { ...pool, graduationThresholdInSol: normaliseDecimal(threshold) },
    new Date(),
  );
  return mint;
}

describe('getTokenStats', () => {
  test.each([
    [1, '3.3', '0.3'],
    [2, '6.6', '0.6'],
  ])(
    'counts trades, sides, traders and volumes, and shows prices and the change between them, times %d',
    async (times, volumeInSol, sellVolumeInSol) => {
      const mint = await market.launch();
      const trades = Array.from({ length: times }, (_, at) => {
        const [buyer, seller] = [newAddress(), newAddress()];
        const trade = (number: number, wallet: string, changes: Parameters<typeof numberedTrade>[2]) => ({
          ...numberedTrade(mint, 3 * at + number, changes),
          traderWallet: wallet,
        });
        return [
          trade(1, buyer, { solAmount: '1', tokenAmount: '4' }),
          trade(2, buyer, { solAmount: '2', tokenAmount: '4' }),
          trade(3, seller, { solAmount: '0.3', tokenAmount: '1', type: 'sell' }),
        ];
      }).flat();
      await market.store(trades);
      const found = await stats(mint);
      expect(Value.Check(TokenStatsSchema, found)).toBe(true);
      expect(found.asOf).toBe(iso(trades.at(-1)?.blockTime.getTime() ?? 0));
      expect(found.windows['5m']).toMatchObject({
        tradeCount: 3 * times,
        buyCount: 2 * times,
        sellCount: times,
        buyerCount: times,
        sellerCount: times,
        volumeInSol,
        volumeInToken: String(9 * times),
        buyVolumeInSol: String(3 * times),
        sellVolumeInSol,
        open: '0.25',
        high: '0.5',
        low: '0.25',
        close: '0.3',
        priceChangePercent: '20',
      });
      expect({ ...found.windows['24h'], from: '' }).toEqual({ ...found.windows['5m'], from: '' });
      await market.api.dependencies.database`
      insert into trader_recounts (mint_address, trader_wallet, from_slot) values (${mint}, ${mint}, 1)`;
      market.dropCaches();
      expect((await stats(mint)).windows['5m']).toMatchObject({ buyerCount: null, sellerCount: null });
    },
  );

  test('has windows without trades and without prices before the first trade', async () => {
    const mint = await market.launch();
    const { windows } = await stats(mint);
    for (const window of Object.values(windows)) {
      expect(window).toMatchObject({ tradeCount: 0, buyCount: 0, sellerCount: 0, volumeInSol: '0' });
      expect(window).toMatchObject({ open: null, high: null, close: null, priceChangePercent: null });
    }
  });

  test('moves its windows with the proof, not with the clock', async () => {
    const mint = await market.launch();
    const [trade] = market.newTrades(mint, 1);
    if (trade === undefined) throw new Error('no trade');
    await market.store([trade]);
    const later = trade.blockTime.getTime() + 6 * 60_000;
    await market.prove(mint, new Date(later));
    market.dropCaches();
    const { asOf, windows } = await stats(mint);
    expect(asOf).toBe(iso(later));
    expect(windows['5m']).toMatchObject({
      tradeCount: 0,
      open: '0.5',
      close: '0.5',
      priceChangePercent: '0',
    });
    expect(windows['1h']).toMatchObject({ tradeCount: 1 });
  });

  test('shows the progress of a curve exactly, and says why it is unknown', async () => {
    const mint = await launchOnCurve();
    expect(await stats(mint)).toMatchObject({ graduationProgress: '0', graduationThresholdInSol: '85' });
    await market.store([numberedTrade(mint, 1, { liquidityInSol: '21.25' })]);
    market.dropCaches();
    expect(await stats(mint)).toMatchObject({ graduationProgress: '0.25', solCollectedInSol: '21.25' });
    await market.store([numberedTrade(mint, 2, { liquidityInSol: '85.000000001' })]);
    market.dropCaches();
    expect(await stats(mint)).toMatchObject({ graduationProgress: '1', graduationProgressUnknown: null });

    const unknown = async (of: string) => {
      market.dropCaches();
      const { graduationProgress, graduationProgressUnknown } = await stats(of);
      expect(graduationProgress).toBeNull();
      return graduationProgressUnknown;
    };
    const summed = await launchOnCurve('60.5');
    await market.store([numberedTrade(summed, 3)]);
    expect(await unknown(summed)).toBe('reserve_unknown');
    expect<unknown>((await stats(summed)).graduationThresholdInSol).toBe('60.5');
    expect(await unknown(await market.launch())).toBe('no_curve');
    const { database } = market.api.dependencies;
    await database`update token_pools set graduation_threshold_in_sol = null where mint_address = ${summed}`;
    expect(await unknown(summed)).toBe('threshold_unknown');
    await database`update tokens set status = 'graduated' where mint_address = ${summed}`;
    market.dropCaches();
    expect<unknown>((await stats(summed)).graduationProgress).toBe('1');
  });

  test('is 404 for unknown and hidden tokens, and refuses parameters', async () => {
    const mint = await market.launch();
    await expectProblem(await market.get(`/tokens/${newAddress()}/stats`), 'token_not_found');
    await expectProblem(await market.get(`/tokens/${mint}/stats?window=1h`), 'validation_failed');
    await hide(mint);
    await expectProblem(await market.get(`/tokens/${mint}/stats`), 'token_not_found');
  });
});

describe('listTokenStats', () => {
  test('has the records of getTokenStats in the order of its mints, without tokens that nobody may see', async () => {
    const mints = [await market.launch(), await market.launch(), await market.launch()];
    for (const mint of mints) await market.store(market.newTrades(mint, 2));
    const [first = '', hidden = '', last = ''] = mints;
    await hide(hidden);
    const { data } = await list([last, hidden, newAddress(), first]);
    expect(data).toEqual([await stats(last), await stats(first)]);
  });

  test('takes up to 100 mints, each once, and counts a request for every ten', async () => {
    const { statsTokens } = unpublishedLimits;
    const mints = Array.from({ length: statsTokens }, newAddress);
    const remaining = async (named: readonly string[]) => {
      const response = await market.get(`/token-stats?mints=${named.join()}`);
      expect(response.status).toBe(200);
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const before = await remaining(mints.slice(0, 1));
    const spent = before - (await remaining(mints));
    expect([9, 10]).toContain(spent);
    for (const wrong of [
      [...mints, newAddress()].join(),
      `${mints[0]},${mints[0]}`,
      'x',
      '',
      `${mints[0]},`,
    ]) {
      const response = await market.get(`/token-stats?mints=${wrong}`);
      const { errors } = await expectProblem(response, 'validation_failed');
      expect(errors?.[0]?.path).toBe('/query/mints');
    }
    await expectProblem(await market.get('/token-stats'), 'validation_failed');
  });
});

describe('getMarketOverview', () => {
  test('is unavailable before it was computed, and then adds up visible tokens', async () => {
    const { database, overviewCache } = market.api.dependencies;
    await expectProblem(await market.get('/market-overview'), 'market_data_unavailable');
    expect(await storeOverview(asWorker(database), 0)).toBe(true);
    overviewCache.clear();
    const overview = await market.json<{ tokens: { total: number } }>('/market-overview');
    expect(Value.Check(MarketOverviewSchema, overview)).toBe(true);
    const [row] = await database`select count(*)::int as count from tokens where not hidden`;
    expect(overview.tokens.total).toBe(row?.count);
  });

  test('counts what each further token, trade, trader and graduation adds', async () => {
    const { database, overviewCache } = market.api.dependencies;
    const read = async () => {
      expect(await storeOverview(asWorker(database), 0)).toBe(true);
      overviewCache.clear();
      return market.json<MarketOverview>('/market-overview');
    };
    await database`update tokens set hidden = true`;
    for (const times of [1, 2]) {
      for (const status of tokenStatuses) {
        const mint = await market.launch();
        await database`update tokens set status = ${status} where mint_address = ${mint}`;
      }
      const mint = await market.launch();
      await database`
        update tokens set status = 'graduated', graduated_at = ${iso(FIRST_BLOCK_TIME_MS)} where mint_address = ${mint}`;
      const trades = [numberedTrade(mint, 2 * times), numberedTrade(mint, 2 * times + 1)];
      const sale = { ...numberedTrade(mint, 2 * times + 2, { type: 'sell' }), traderWallet: newAddress() };
      await market.store([...trades, sale]);
      const { windows, tokens } = await read();
      expect(tokens).toEqual({
        total: (tokenStatuses.length + 1) * times,
        byStatus: {
          ...(Object.fromEntries(tokenStatuses.map((status) => [status, times])) as typeof tokens.byStatus),
          graduated: 2 * times,
        },
      });
      expect(windows['24h']).toMatchObject({
        tradeCount: 3 * times,
        buyCount: 2 * times,
        sellCount: times,
        volumeInSol: ['4.5', '9'][times - 1] ?? '',
        tradedTokenCount: times,
        traderCount: 2 * times,
        graduationCount: times,
      });
    }
  });
});

describe('the topic of statistics', () => {
  const isStats = ({ event }: ReceivedMessage) => event === 'stats';
  const isChange = (message: ReceivedMessage) => isStats(message) && message.snapshot === undefined;
  const open = (mint: string, headers: Record<string, string> = {}): Promise<EventStream> =>
    openEventStream(`${market.api.baseUrl}/stream?topics=stats:${mint}`, headers);

  test('begins with the record of getTokenStats, and sends the newest after changes', async () => {
    const mint = await market.launch();
    await market.store(market.newTrades(mint, 2));
    const stream = await open(mint);
    const first = await stream.find(isStats);
    expect(first).toMatchObject({ topic: `stats:${mint}`, snapshot: true, data: await stats(mint) });
    expect(first.id).toBeUndefined();
    for (const trade of market.newTrades(mint, 5)) await market.store([trade]);
    const last = await stream.find(
      (message) => isChange(message) && message.data.windows['1h'].tradeCount === 7,
    );
    market.dropCaches();
    expect<unknown>(last.data).toEqual(await stats(mint));
    const proven = new Date(Date.parse(last.data.asOf) + 10 * 60_000);
    await market.prove(mint, proven);
    await market.prove(mint, new Date(proven.getTime() + 60_000));
    await stream.find((message) => isChange(message) && message.data.windows['5m'].tradeCount === 0);
    stream.close();
  });

  test('sends a stream that continues the present statistics, although its cursor is newer than the change', async () => {
    const mint = await market.launch();
    const first = await open(mint);
    await market.store(market.newTrades(mint, 3));
    await first.find((message) => isChange(message) && message.data.windows['1h'].tradeCount === 3);
    const { id } = await first.find(({ event }) => event === 'heartbeat');
    first.close();
    const second = await open(mint, { 'Last-Event-ID': id ?? '' });
    const told = await second.find(isStats);
    expect(second.messages[0]).toMatchObject({ event: 'ready', resumed: true });
    expect(told.snapshot).toBeUndefined();
    expect(told.data.windows['1h'].tradeCount).toBe(3);
    second.close();
  });
});
