import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import fc from 'fast-check';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { pooledPlans } from '../../src/db/session-settings.ts';
import { findTokenStats } from '../../src/features/market/stats/find-token-stats.ts';
import { findTokens } from '../../src/features/tokens/find-tokens.ts';
import { followRankings, isRankingDue, type RankingStep } from '../../src/features/tokens/follow-rankings.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { listRankedTokens, type RankedListFilter } from '../../src/features/tokens/list-ranked-tokens.ts';
import { listTokens } from '../../src/features/tokens/list-tokens.ts';
import { SCANNED_ROWS } from '../../src/features/tokens/scanned-page.ts';
import type { ListedToken } from '../../src/features/tokens/schema.ts';
import { searchKey } from '../../src/features/tokens/search-key.ts';
import { searchTokens, type TokenSearch } from '../../src/features/tokens/search-tokens.ts';
import type { RankedSort } from '../../src/features/tokens/token-filter.ts';
import { type ReportedToken, upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { tokenWorker } from '../../src/features/tokens/worker.ts';
import { chainPosition, type IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import {
  addDecimals,
  compareDecimals,
  type DecimalString,
  multiplyDecimals,
  normaliseDecimal,
  truncateDecimal,
} from '../../src/shared/decimal.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import {
  countedPrice,
  FIRST_BLOCK_TIME_MS,
  numberedTrade,
  tradesOf,
} from '../support/market/market-arbitraries.ts';
import { asWorker, openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';

const clock = createTestClock();
const outbox = createOutbox({ source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' }, clock);
const MINUTE_MS = 60_000;
let db: Database;
let worker: Database;
/** With the rights and the plans of the api. */
let api: Database;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
  api = connectDatabase(urlOf(db), {
    applicationName: 'test-api',
    connections: 2,
    role: 'launchwire_api',
    ...pooledPlans.launchwire_api,
  });
  atEnd(() => api.end({ timeout: 1 }));
});

beforeEach(async () => {
  await emptyTables(db, 'tokens', 'events');
  await db`update ranking_progress set log_position = null, swept_through = null, prominent_at = null`;
  await db`update stream_progress set proven_through = null`;
  clock.set(new Date(FIRST_BLOCK_TIME_MS));
});

const newAddress = () => Keypair.generate().publicKey.toBase58();

async function launch(changes: Partial<ReportedToken> = {}): Promise<string> {
  const mintAddress = changes.mintAddress ?? newAddress();
  const token = { mintAddress, creatorWallet: newAddress(), name: 'Name', symbol: 'SYM', decimals: 6 };
  await db.begin((sql) =>
    upsertToken(sql, outbox, clock, {
      ...token,
      totalSupply: '1000',
      launchType: 'dbc',
      status: 'bonding',
      ...changes,
    }),
  );
  return mintAddress;
}

const trade = (trades: readonly IndexedTrade[]) => db.begin((sql) => storeTrades(sql, trades));
const hide = (mint: string, hidden: boolean) => db.begin((sql) => setTokenHidden(sql, mint, hidden));

/** Follows everything that there is to follow. */
async function follow(): Promise<RankingStep[]> {
  const steps: RankingStep[] = [];
  const context = { db: worker, clock, onRanked: (step: RankingStep) => void steps.push(step) };
  while (await followRankings(context));
  return steps;
}

async function isDue(): Promise<boolean> {
  const [row] = await worker<{ due: boolean }[]>`select ${isRankingDue(worker, clock.now())} as due`;
  return row?.due === true;
}

async function rankingOf(mint: string): Promise<ListedToken['ranking'] | undefined> {
  return (await findTokens(api, [mint]))[0]?.ranking;
}

/** Proves the sources of all tokens through the present time. */
async function proveAll(): Promise<void> {
  await db`
    insert into source_proofs (mint_address, through, slot) select mint_address, ${clock.now()}::timestamptz, 1 from tokens
    on conflict (mint_address) do update set through = excluded.through`;
  await db`update stream_progress set proven_through = ${clock.now()}`;
}

/** The values are those of the token's statistics, whose windows end at the same time. */
async function expectStatistics(mint: string): Promise<void> {
  const stats = await findTokenStats(db, mint);
  const { windows } = stats ?? expect.unreachable();
  expect(await rankingOf(mint)).toMatchObject({
    volumeInSol24h: windows['24h'].volumeInSol,
    tradeCount1h: windows['1h'].tradeCount,
    priceChangePercent1h: windows['1h'].priceChangePercent,
    graduationProgress: stats?.graduationProgress ?? null,
  });
}

/** The values of a token by counting its trades, one by one. */
function recomputed(trades: readonly IndexedTrade[], asOf: Date): Partial<ListedToken['ranking']> {
  const inOrder = [...trades].sort((a, b) => (chainPosition(a) < chainPosition(b) ? -1 : 1));
  const lastMinute = Math.floor(asOf.getTime() / MINUTE_MS);
  const within = (minutes: number) => (one: IndexedTrade) =>
    Math.floor(one.blockTime.getTime() / MINUTE_MS) > lastMinute - minutes;
  const inHour = inOrder.filter(within(60));
  const volume = inOrder
    .filter(within(1_440))
    .reduce((sum, { solAmount }) => addDecimals(sum, solAmount), normaliseDecimal('0'));
  const priced = inOrder.flatMap((one) => one.spotPriceInSol ?? countedPrice(one) ?? []);
  const price = priced.at(-1);
  const published = price === undefined ? undefined : truncateDecimal(price, 18);
  return {
    marketCapInSol:
      published === undefined || !isPositive(published)
        ? null
        : multiplyDecimals(published, normaliseDecimal('1000')),
    volumeInSol24h: volume,
    tradeCount1h: inHour.length,
    lastTradeAt: inOrder.at(-1)?.blockTime.toISOString() ?? null,
  };
}

const isPositive = (value: DecimalString) => compareDecimals(value, normaliseDecimal('0')) > 0;

describe('values that lists are sorted by', () => {
  test('are those of a recomputation from the trades, however these come, are reverted, and age', async () => {
    const histories = tradesOf(['one', 'two'], 20).chain((trades) =>
      fc.record({
        trades: fc.constant(trades),
        order: fc.shuffledSubarray(trades, { minLength: trades.length }),
        reverted: fc.subarray(trades),
        batchSize: fc.integer({ min: 1, max: 8 }),
        minutes: fc.array(fc.integer({ min: 0, max: 2_200 }), { minLength: 1, maxLength: 4 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(histories, async ({ order, reverted, batchSize, minutes }) => {
        await emptyTables(db, 'reverted_trades', 'tokens', 'events');
        await db`update stream_progress set proven_through = null`;
        const mints = new Map<string, string>([
          ['one', newAddress()],
          ['two', newAddress()],
        ]);
        for (const mintAddress of mints.values()) await launch({ mintAddress });
        const named = (one: IndexedTrade) => ({ ...one, mintAddress: mints.get(one.mintAddress) ?? '' });
        const stored = order.map(named);
        for (let at = 0; at < stored.length; at += batchSize) {
          await trade(stored.slice(at, at + batchSize));
          await follow();
        }
        await db.begin((sql) =>
          storeReversals(
            sql,
            reverted.map(({ id, slot }) => ({ tradeId: id, slot })),
            clock.now(),
          ),
        );
        const gone = new Set(reverted.map(({ id, slot }) => `${id} ${slot}`));
        const left = stored.filter(({ id, slot }) => !gone.has(`${id} ${slot}`));
        for (const minute of minutes.sort((a, b) => a - b)) {
          clock.set(new Date(FIRST_BLOCK_TIME_MS + minute * MINUTE_MS + 7_000));
          await proveAll();
          await follow();
          for (const mint of mints.values()) {
            await expectStatistics(mint);
            expect(await rankingOf(mint)).toMatchObject(
              recomputed(
                left.filter(({ mintAddress }) => mintAddress === mint),
                clock.now(),
              ) as object,
            );
          }
        }
        clock.set(new Date(FIRST_BLOCK_TIME_MS));
      }),
      { numRuns: 12 },
    );
  });

  test('change with the minute in which a trade leaves a window, and are due then', async () => {
    const mint = await launch();
    await trade([
      numberedTrade(mint, 1, { solAmount: '3', tokenAmount: '3' }),
      numberedTrade(mint, 2, { solAmount: '4', tokenAmount: '2', blockTime: minuteAt(30) }),
    ]);
    clock.set(minuteAt(31));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({
      tradeCount1h: 2,
      volumeInSol24h: '7',
      priceChangePercent1h: '100',
    });
    expect(await isDue()).toBe(false);
    clock.set(new Date(minuteAt(60).getTime() - 1));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 2 });
    clock.set(minuteAt(60));
    expect(await isDue()).toBe(true);
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 1, volumeInSol24h: '7' });
    clock.set(minuteAt(90));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 0, priceChangePercent1h: '0' });
    clock.set(minuteAt(24 * 60));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ volumeInSol24h: '4' });
    clock.set(minuteAt(24 * 60 + 30));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({
      volumeInSol24h: '0',
      tradeCount1h: 0,
      marketCapInSol: '2000',
      lastTradeAt: minuteAt(30).toISOString(),
    });
  });

  test('end with the time through which sources are proven, not with the clock', async () => {
    const mint = await launch();
    await trade([numberedTrade(mint, 1)]);
    await db`update stream_progress set proven_through = ${minuteAt(10)}`;
    clock.set(minuteAt(600));
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 1 });
    await db`update stream_progress set proven_through = ${minuteAt(60)}`;
    expect(await isDue()).toBe(true);
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 0 });
  });

  test('of the progress to graduation are exact, and unknown where no reserve or threshold is', async () => {
    const [known, unknown, summed, graduated] = await Promise.all([
      launch({ poolAddress: newAddress() }),
      launch({ poolAddress: newAddress() }),
      launch({ poolAddress: newAddress() }),
      launch({ status: 'graduated' }),
    ]);
    await trade([
      numberedTrade(known, 1, { liquidityInSol: '1', spotPriceInSol: '1' }),
      numberedTrade(unknown, 1, { liquidityInSol: '1', spotPriceInSol: '1' }),
      numberedTrade(summed, 1),
    ]);
    await follow();
    const progress = async (mint: string): Promise<string | null | undefined> =>
      (await rankingOf(mint))?.graduationProgress;
    expect(await progress(known)).toBeNull();
    // A threshold that is read later changes nothing else of the token.
    for (const mint of [known, summed])
      await db`
        insert into token_pools (pool_address, mint_address, program, graduation_threshold_in_sol, created_at)
        select pool_address, mint_address, 'dbc', 3, now() from tokens where mint_address = ${mint}`;
    expect(await isDue()).toBe(true);
    await follow();
    expect(await progress(known)).toBe('0.333333333333333333');
    expect(await progress(unknown)).toBeNull();
    expect(await progress(summed)).toBeNull();
    expect(await progress(graduated)).toBe('1');
  });
});

describe('a worker that follows changes', () => {
  test('is one of several, and one that is killed leaves nothing half done', async () => {
    const mint = await launch();
    await trade([numberedTrade(mint, 1)]);
    const killed = new Error('killed');
    const halfway = worker
      .begin(async (transaction) => {
        await transaction`select from ranking_progress for no key update`;
        await transaction`insert into token_rankings (mint_address, ordinal, status, launch_type, listed)
          select mint_address, ordinal, status, launch_type, true from tokens`;
        // The others do nothing meanwhile, and do not wait.
        expect(await follow()).toEqual([]);
        throw killed;
      })
      .catch((error: unknown) => error);
    expect(await halfway).toBe(killed);
    expect(await rankingOf(mint)).toBeNull();
    await Promise.all([follow(), follow(), follow()]);
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 1 });
    expect(await isDue()).toBe(false);
  });

  test('writes no row that stays the same, and reports how late it is', async () => {
    const mint = await launch();
    await trade([numberedTrade(mint, 1)]);
    await follow();
    await db`update token_markets set holder_count = 5 where mint_address = ${mint}`;
    expect(await follow()).toMatchObject([{ changed: 0 }]);
    // The log has the time of the database.
    await trade([numberedTrade(mint, 2)]);
    clock.set(new Date(Date.now() + 10_000));
    const [step] = await follow();
    expect(step?.lagMs).toBeWithin(9_000, 600_000);
  });

  test('computes all tokens anew where the log no longer has every change', async () => {
    const mint = await launch();
    await follow();
    await trade([numberedTrade(mint, 1)]);
    await db`delete from stream_log`;
    await db`update stream_progress set deleted_through = (select last_value from stream_log_id_seq)`;
    await follow();
    expect(await rankingOf(mint)).toMatchObject({ tradeCount1h: 1 });
    await db`update stream_progress set deleted_through = 0`;
  });
});

describe('a sorted list', () => {
  const sorts: Record<RankedSort, (token: ListedToken) => string | number | null> = {
    marketCap: ({ ranking }) => ranking?.marketCapInSol ?? null,
    volume24h: ({ ranking }) => ranking?.volumeInSol24h ?? null,
    trades1h: ({ ranking }) => ranking?.tradeCount1h ?? null,
    priceChange1h: ({ ranking }) => ranking?.priceChangePercent1h ?? null,
    graduationProgress: ({ ranking }) => ranking?.graduationProgress ?? null,
    lastTradeAt: ({ ranking }) => ranking?.lastTradeAt ?? null,
  };

  async function market(count: number): Promise<string[]> {
    const mints: string[] = [];
    for (let at = 0; at < count; at += 1)
      mints.push(
        await launch({
          status: at % 3 === 0 ? 'graduated' : 'bonding',
          launchType: at % 2 === 0 ? 'dbc' : 'pre_raise',
        }),
      );
    clock.set(minuteAt(70));
    // Every fourth has no trade, and equal values occur.
    await trade(
      mints.flatMap((mint, at) =>
        at % 4 === 0
          ? []
          : [
              numberedTrade(mint, 1, { solAmount: String((at % 3) + 1), tokenAmount: '1' }),
              numberedTrade(mint, 2, { blockTime: minuteAt(30 + (at % 5)), tokenAmount: '2' }),
            ],
      ),
    );
    await follow();
    return mints;
  }

  async function all(filter: Omit<RankedListFilter, 'limit' | 'bounds'> & Partial<RankedListFilter>) {
    const listed: ListedToken[] = [];
    let { after } = filter;
    do {
      const page = await listRankedTokens(api, { limit: 4, bounds: {}, ...filter, after });
      listed.push(...page.items);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return listed;
  }

  test('has every token once, the largest value first, equal ones newest first, those without a value last', async () => {
    const mints = await market(23);
    for (const [sort, keyOf] of Object.entries(sorts) as [RankedSort, (typeof sorts)[RankedSort]][]) {
      const listed = await all({ sort });
      expect(listed.map(({ mintAddress }) => mintAddress).sort()).toEqual([...mints].sort());
      const keys = listed.map((token) => [keyOf(token), mints.indexOf(token.mintAddress)] as const);
      expect(keys).toEqual([...keys].sort(largestFirst));
      const graduated = await all({ sort, status: 'graduated' });
      expect(graduated).toEqual(listed.filter(({ status }) => status === 'graduated'));
      const preRaise = await all({ sort, launchType: 'pre_raise' });
      expect(preRaise).toEqual(listed.filter(({ launchType }) => launchType === 'pre_raise'));
    }
  });

  test('repeats and skips no token whose value stays, while others move, appear and are hidden', async () => {
    const mints = await market(23);
    const before = await all({ sort: 'volume24h' });
    const first = await listRankedTokens(api, { sort: 'volume24h', limit: 8, bounds: {} });
    const moved = [before[2], before[12], before[20]].map((token) => token?.mintAddress ?? '');
    const hidden = before[15]?.mintAddress ?? '';
    await trade(moved.map((mint, at) => numberedTrade(mint, 50, { solAmount: String(at === 1 ? 90 : 2) })));
    await hide(hidden, true);
    await launch();
    await follow();
    const rest = await all({ sort: 'volume24h', after: first.next ?? undefined });
    const seen = [...first.items, ...rest].map(({ mintAddress }) => mintAddress);
    const unmoved = mints.filter((mint) => !moved.includes(mint) && mint !== hidden);
    expect(unmoved.filter((mint) => seen.filter((one) => one === mint).length !== 1)).toEqual([]);
    expect(seen).not.toContain(hidden);
  });

  test('says that a token was hidden, which the apis then forget, and of no other change', async () => {
    let told = 0;
    const [job] = tokenWorker.jobs({
      db: worker,
      clock,
      metrics: { onTokensRanked() {} },
      onTokensHidden() {
        told += 1;
      },
    });
    const toldBy = async (change: Promise<unknown>) => {
      told = 0;
      await change;
      while (await job?.step());
      return told;
    };
    const mint = await launch();
    expect(await toldBy(trade([numberedTrade(mint, 1)]))).toBe(0);
    expect(await toldBy(hide(mint, true))).toBe(1);
    expect(await toldBy(hide(mint, false))).toBe(0);
  });

  test('leaves a hidden token out before the worker knows of it, and has it again when shown', async () => {
    const mint = await launch();
    await trade([numberedTrade(mint, 1)]);
    await follow();
    await hide(mint, true);
    expect(await all({ sort: 'marketCap' })).toEqual([]);
    expect(await findTokens(api, [mint])).toEqual([]);
    expect((await search('sym')).items).toEqual([]);
    await follow();
    await hide(mint, false);
    await follow();
    expect((await all({ sort: 'marketCap' })).map(({ mintAddress }) => mintAddress)).toEqual([mint]);
  });

  test('within bounds has exactly the tokens within, of its own value and of others', async () => {
    await market(23);
    const listed = await all({ sort: 'marketCap' });
    const caps = (token: ListedToken) => Number(token.ranking?.marketCapInSol ?? Number.NaN);
    const bounds = { marketCap: { min: '400', max: '700' }, trades1h: { min: '2' } };
    const expected = listed.filter(
      (token) => caps(token) >= 400 && caps(token) <= 700 && (token.ranking?.tradeCount1h ?? 0) >= 2,
    );
    expect(await all({ sort: 'marketCap', bounds })).toEqual(expected);
    const mintsOf = (tokens: readonly ListedToken[]) => tokens.map(({ mintAddress }) => mintAddress).sort();
    expect(mintsOf(await all({ sort: 'lastTradeAt', bounds }))).toEqual(mintsOf(expected));
    const newest = await listTokens(api, { limit: 100, bounds });
    expect(mintsOf(newest.items)).toEqual(mintsOf(expected));
    const unpriced = await all({ sort: 'marketCap', bounds: { priceChange1h: { max: '1000' } } });
    expect(unpriced.every(({ ranking }) => ranking?.priceChangePercent1h !== null)).toBe(true);
  });

  test('reads a bounded number of rows for a page, and goes on after them', async () => {
    await db`
      insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
        created_at, updated_at)
      select 'mint' || n, 'wallet', 'n', 's', 6, 1, case when n > ${SCANNED_ROWS + 50} then 'pre_raise' else 'dbc' end,
        'bonding', now(), now() from generate_series(1, ${SCANNED_ROWS + 60}) n`;
    await follow();
    const filter = { sort: 'volume24h', launchType: 'dbc', bounds: {}, limit: 100 } as const;
    const none = { ...filter, bounds: { trades1h: { min: '1' } } };
    const first = await listRankedTokens(api, none);
    expect(first.items).toEqual([]);
    expect(first.next).not.toBeNull();
    expect(await listRankedTokens(api, { ...none, after: first.next ?? undefined })).toEqual({
      items: [],
      next: null,
    });
    expect(await all({ ...filter })).toHaveLength(SCANNED_ROWS + 50);
    const ofWallet = await listTokens(api, { limit: 100, creatorWallet: 'wallet', launchType: 'dbc' });
    expect(ofWallet.items[0]?.mintAddress).toBe(`mint${SCANNED_ROWS + 50}`);
    expect((await listTokens(api, { limit: 100, creatorWallet: 'nobody' })).items).toEqual([]);
  });
});

function largestFirst(
  [left, leftAge]: readonly [string | number | null, number],
  [right, rightAge]: readonly [string | number | null, number],
): number {
  if (left === null || right === null) {
    if (left === right) return rightAge - leftAge;
    return left === null ? 1 : -1;
  }
  if (typeof left === 'string' && left.includes('T') && typeof right === 'string')
    return left === right ? rightAge - leftAge : left < right ? 1 : -1;
  return Number(right) - Number(left) || rightAge - leftAge;
}

const minuteAt = (minute: number) => new Date(FIRST_BLOCK_TIME_MS + minute * MINUTE_MS);

const search = (text: string, changes: Partial<TokenSearch> = {}) =>
  searchTokens(api, { text, key: searchKey(text), bounds: {}, limit: 100, ...changes });

describe('a search', () => {
  const symbols = async (text: string, changes?: Partial<TokenSearch>) =>
    (await search(text, changes)).items.map(({ symbol }) => symbol);

  test('finds by symbol, name and beginning of the address, whatever the case, width and style', async () => {
    const mint = await launch({ symbol: 'PEPE', name: 'Pepe the Frog' });
    // A drawn address could begin with a text that is searched.
    await launch({
      mintAddress: 'So11111111111111111111111111111111111111112',
      symbol: 'DOGE',
      name: 'Doge Coin',
    });
    await follow();
    for (const text of ['pepe', 'ＰＥＰＥ', '𝗣𝗲𝗽𝗲', 'PEP', 'p', 'pepe the', 'frog', mint, mint.slice(0, 6)])
      expect(await symbols(text)).toEqual(['PEPE']);
    expect(await symbols('zzzz')).toEqual([]);
  });

  test('forgives a mistake', async () => {
    await launch({ symbol: 'SOLANA', name: 'Solana Summer' });
    await launch({ symbol: 'BONK', name: 'Bonk Inu' });
    await follow();
    for (const text of ['solena', 'soalna', 'sollana', 'solan', 'sumer'])
      expect(await symbols(text)).toEqual(['SOLANA']);
    for (const text of ['bonkk', 'bonc', 'bomk inu']) expect(await symbols(text)).toContain('BONK');
  });

  test('has the same name first, then the same beginning, then similar ones; among equal ones the largest', async () => {
    const cheap = await launch({ symbol: 'WIRE', name: 'Cheap' });
    const dear = await launch({ symbol: 'WIRE', name: 'Dear' });
    await launch({ symbol: 'WIRED', name: 'Wired' });
    await launch({ symbol: 'WIRRE', name: 'Mistake' });
    await trade([numberedTrade(cheap, 1, { solAmount: '1' }), numberedTrade(dear, 1, { solAmount: '5' })]);
    await follow();
    const { items } = await search('wire');
    expect(items.map(({ symbol, name }) => `${symbol} ${name}`)).toEqual([
      'WIRE Dear',
      'WIRE Cheap',
      'WIRED Wired',
      'WIRRE Mistake',
    ]);
    const paged: string[] = [];
    let after: TokenSearch['after'];
    do {
      const page = await search('wire', { limit: 1, after });
      paged.push(...page.items.map(({ name }) => name));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(paged).toEqual(items.map(({ name }) => name));
    expect(await symbols('wire', { bounds: { marketCap: { min: '600' } } })).toEqual(['WIRE']);
    expect(await symbols('wire', { status: 'graduated' })).toEqual([]);
  });

  test('takes any text without a surprise: patterns, quotes, signs of every script', async () => {
    await launch({ symbol: '100%', name: "it's_a\\trap" });
    await launch({ symbol: '狗', name: '狗币' });
    await launch({ symbol: '🐸', name: '🐸🐸' });
    await follow();
    expect(await symbols('100%')).toEqual(['100%']);
    expect(await symbols("it's_")).toEqual(['100%']);
    for (const pattern of ['%', '___']) expect(await symbols(pattern)).toEqual([]);
    expect(await symbols('狗')).toEqual(['狗']);
    expect(await symbols('🐸')).toEqual(['🐸']);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), async (text) => {
        if (searchKey(text) === '' || text.includes('\0')) return;
        await search(text);
      }),
      { numRuns: 60 },
    );
  });

  test('follows a new name', async () => {
    const mint = await launch({ symbol: 'OLD', name: 'Old' });
    await follow();
    await launch({ mintAddress: mint, symbol: 'NEW', name: 'New' });
    await follow();
    expect(await symbols('old')).toEqual([]);
    expect(await symbols('new')).toEqual(['NEW']);
  });

  test('a name that grows when it is compared is cut, so that it fits its index', async () => {
    await launch({ symbol: 'GROWS', name: '\ufdfa'.repeat(128) });
    await follow();
    expect(await symbols('grows')).toEqual(['GROWS']);
  });
});
