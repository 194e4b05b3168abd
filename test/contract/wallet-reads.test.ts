import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { DAMM_V2_POOL_AUTHORITY } from '../../src/chain/accounts/programs.ts';
import {
  type Position,
  PositionSchema,
  type Positions,
  type TopHolders,
  TopHoldersSchema,
  type TopTraders,
  TopTradersSchema,
  type WalletTrades,
} from '../../src/features/market/traders/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { iso, type MarketApi, startMarketApi, type TradePage } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

type Changes = Parameters<typeof numberedTrade>[2] & { traderWallet?: string };

/** A trade of a wallet: 1.5 SOL for 3 tokens unless told otherwise. */
function tradeOf(mint: string, number: number, { traderWallet, ...changes }: Changes = {}): IndexedTrade {
  const trade = numberedTrade(mint, number, changes);
  return { ...trade, traderWallet: traderWallet ?? trade.traderWallet };
}

async function pagesOf<Page extends { page: { nextCursor: string | null } }>(path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor = ''; ; ) {
    const page = await market.json<Page>(`${path}${cursor}`);
    pages.push(page);
    if (page.page.nextCursor === null) return pages;
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${page.page.nextCursor}`;
  }
}

const hide = (mint: string) =>
  market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mint, true));

const numbersOf = (trades: readonly { slot: string }[]) => trades.map(({ slot }) => Number(slot) - 100);

describe('the trades of a wallet', () => {
  test('come newest first over all its tokens, page by page, without those of hidden tokens', async () => {
    const wallet = newAddress();
    const [one, two, hidden] = [await market.launch(), await market.launch(), await market.launch()];
    const own = Array.from({ length: 9 }, (_, at) =>
      tradeOf([one, two, hidden][at % 3] ?? '', at, { traderWallet: wallet }),
    );
    await market.store([...own, tradeOf(one, 50)]);
    await hide(hidden);
    const pages = await pagesOf<WalletTrades>(`/wallets/${wallet}/trades?limit=2`);
    expect(numbersOf(pages.flatMap(({ data }) => data))).toEqual([7, 6, 4, 3, 1, 0]);
    expect(pages.length).toBe(5);
  });

  test('are known through the least proven time of the tokens of the page', async () => {
    const wallet = newAddress();
    const [one, two] = [await market.launch(), await market.launch()];
    await market.store([
      tradeOf(one, 1, { traderWallet: wallet }),
      tradeOf(two, 2, { traderWallet: wallet }),
    ]);
    await market.prove(one, new Date(FIRST_BLOCK_TIME_MS + 90_000));
    await market.prove(two, new Date(FIRST_BLOCK_TIME_MS + 60_000));
    const { asOf } = await market.json<WalletTrades>(`/wallets/${wallet}/trades`);
    expect(asOf).toBe(iso(FIRST_BLOCK_TIME_MS + 60_000));
    expect(await market.json(`/wallets/${newAddress()}/trades`)).toEqual({
      asOf: null,
      data: [],
      page: { hasMore: false, nextCursor: null },
    });
  });

  test('refuse a cursor of another wallet, and a parameter that they do not know', async () => {
    const wallet = newAddress();
    const mint = await market.launch();
    await market.store([1, 2, 3].map((at) => tradeOf(mint, at, { traderWallet: wallet })));
    const { page } = await market.json<WalletTrades>(`/wallets/${wallet}/trades?limit=1`);
    const foreign = await market.get(`/wallets/${newAddress()}/trades?cursor=${page.nextCursor}`);
    await expectProblem(foreign, 'cursor_invalid');
    await expectProblem(await market.get(`/wallets/${wallet}/trades?type=buy`), 'validation_failed');
  });
});

describe('the trades of a token', () => {
  test('are filtered by wallet, type, amount and time, all at once', async () => {
    const mint = await market.launch();
    const [first, second] = [newAddress(), newAddress()];
    await market.store(
      Array.from({ length: 40 }, (_, at) =>
        tradeOf(mint, at * 10, {
          traderWallet: at % 2 === 0 ? first : second,
          type: at % 3 === 0 ? 'sell' : 'buy',
          solAmount: String(1 + at),
        }),
      ),
    );
    const found = async (query: string) =>
      numbersOf((await market.json<TradePage>(`/tokens/${mint}/trades?limit=100&${query}`)).data).map(
        (number) => number / 10,
      );
    const all = Array.from({ length: 40 }, (_, at) => 39 - at);
    expect(await found(`traderWallet=${second}`)).toEqual(all.filter((at) => at % 2 === 1));
    expect(await found('type=sell')).toEqual(all.filter((at) => at % 3 === 0));
    expect(await found('minSolAmount=30.5')).toEqual(all.filter((at) => at >= 30));
    const from = iso(FIRST_BLOCK_TIME_MS + 100_000);
    const to = iso(FIRST_BLOCK_TIME_MS + 200_000);
    expect(await found(`from=${from}&to=${to}`)).toEqual(all.filter((at) => at >= 10 && at < 20));
    expect(await found(`from=${from}&to=${to}&traderWallet=${first}&type=buy&minSolAmount=15`)).toEqual([
      16, 14,
    ]);
    expect(await found(`traderWallet=${newAddress()}`)).toEqual([]);
    const [trade] = (await market.json<TradePage>(`/tokens/${mint}/trades?limit=1`)).data;
    expect(await found(`signature=${trade?.transactionSignature}&type=buy`)).toEqual([]);
    expect(await found(`signature=${trade?.transactionSignature}&type=sell`)).toEqual([39]);
  });

  test('are walked in bounded steps: a page may be short, and the next one goes on', async () => {
    const mint = await market.launch();
    const rare = newAddress();
    await market.store(
      Array.from({ length: 4_100 }, (_, at) =>
        tradeOf(mint, at, {
          type: at === 5 || at === 4_090 ? 'sell' : 'buy',
          traderWallet: at === 7 ? rare : mint,
        }),
      ),
    );
    const pages = await pagesOf<TradePage>(`/tokens/${mint}/trades?type=sell`);
    expect(pages.map(({ data }) => numbersOf(data))).toEqual([[4_090], [], [5]]);
    expect(pages.map(({ page }) => page.hasMore)).toEqual([true, true, false]);
    const ofWallet = await pagesOf<TradePage>(`/tokens/${mint}/trades?traderWallet=${rare}`);
    expect(ofWallet.map(({ data }) => numbersOf(data))).toEqual([[7]]);
  });

  test('refuse filters that cannot be', async () => {
    const mint = await market.launch();
    const time = iso(FIRST_BLOCK_TIME_MS);
    const refused = await market.get(`/tokens/${mint}/trades?from=${time}&to=${time}`);
    await expectProblem(refused, 'market_time_range_invalid');
    for (const query of ['type=swap', 'minSolAmount=-1', 'minSolAmount=1.50', 'traderWallet=x', 'from=now'])
      await expectProblem(await market.get(`/tokens/${mint}/trades?${query}`), 'validation_failed');
    await expectProblem(await market.get(`/tokens/${newAddress()}/trades?type=buy`), 'token_not_found');
  });
});

const only = ({ data }: Positions): Position => {
  expect(data).toHaveLength(1);
  return data[0] as Position;
};

describe('a position', () => {
  test('has cost by average, realised and unrealised result, and names apart what was never bought', async () => {
    const mint = await market.launch();
    const wallet = newAddress();
    const own = (number: number, type: 'buy' | 'sell', solAmount: string, tokenAmount: string) =>
      tradeOf(mint, number, { traderWallet: wallet, type, solAmount, tokenAmount, spotPriceInSol: '0.03' });
    await market.store([own(1, 'buy', '1', '100'), own(2, 'buy', '2', '50'), own(3, 'sell', '3', '60')]);
    const path = `/wallets/${wallet}/positions`;
    const position = only(await market.json<Positions>(path));
    expect(Value.Check(PositionSchema, position)).toBe(true);
    expect(position).toMatchObject({
      mintAddress: mint,
      buyCount: 2,
      sellCount: 1,
      boughtInToken: '150',
      boughtInSol: '3',
      heldInToken: '90',
      costInSol: '1.8',
      averageCostInSol: '0.02',
      realisedInSol: '1.8',
      priceInSol: '0.03',
      unrealisedInSol: '0.9',
      uncoveredInToken: '0',
      balanceInToken: null,
      receivedInToken: null,
      sentInToken: null,
      complete: true,
      firstTradeAt: iso(FIRST_BLOCK_TIME_MS + 1_000),
      lastSellAt: iso(FIRST_BLOCK_TIME_MS + 3_000),
    });
    // 10 of 100 tokens were never bought: a tenth of the SOL belongs to no result.
    await market.store([own(4, 'sell', '1', '100')]);
    market.api.dependencies.traderCaches.positions.clear();
    expect(only(await market.json<Positions>(path))).toMatchObject({
      heldInToken: '0',
      costInSol: '0',
      averageCostInSol: null,
      uncoveredInToken: '10',
      uncoveredInSol: '0.1',
      realisedInSol: '0.9',
      unrealisedInSol: '0',
    });
    // What was sold without having been bought came in, as did the balance beyond the trades.
    await keepBalances(mint, [[wallet, 25_000_000n]]);
    market.api.dependencies.traderCaches.positions.clear();
    expect(only(await market.json<Positions>(path))).toMatchObject({
      balanceInToken: '25',
      receivedInToken: '35',
      sentInToken: '0',
    });
  });

  test.each([
    ['0.123456789123456789', '12.345678911'],
    // Less than a lamport, and a loss: no sign without a value.
    ['0.000000000000000001', '0'],
  ])('has no part of a lamport in its unrealised result, at a price of %s', async (price, gain) => {
    const mint = await market.launch();
    const wallet = newAddress();
    const bought = { traderWallet: wallet, solAmount: '0.000000001', tokenAmount: '100' };
    await market.store([tradeOf(mint, 1, { ...bought, spotPriceInSol: price })]);
    await keepBalances(mint, [[wallet, 40_000_000n]]);
    expect(only(await market.json<Positions>(`/wallets/${wallet}/positions`))).toMatchObject({
      unrealisedInSol: gain,
      balanceInToken: '40',
      sentInToken: '60',
    });
  });

  test('shows a loss as a negative result, and transfers by the balance', async () => {
    const mint = await market.launch();
    const wallet = newAddress();
    await market.store([
      tradeOf(mint, 1, { traderWallet: wallet, solAmount: '2', tokenAmount: '100' }),
      tradeOf(mint, 2, { traderWallet: wallet, type: 'sell', solAmount: '0.5', tokenAmount: '50' }),
    ]);
    await keepBalances(mint, [
      [wallet, 30_000_000n],
      [wallet, 5_000_000n],
    ]);
    expect(only(await market.json<Positions>(`/wallets/${wallet}/positions`))).toMatchObject({
      realisedInSol: '-0.5',
      unrealisedInSol: '-0.5',
      balanceInToken: '35',
      receivedInToken: '0',
      sentInToken: '15',
    });
  });

  test.each([
    ['0.00004', '10'],
    ['0.00006', '15'],
  ])(
    'of a wallet that only sold, for too little to be a price, says what came in: %s SOL for %s',
    async (sol, tokens) => {
      const mint = await market.launch();
      const wallet = newAddress();
      const sold = { type: 'sell' as const, solAmount: sol, tokenAmount: tokens };
      await market.store([tradeOf(mint, 1, { traderWallet: wallet, ...sold })]);
      await keepBalances(mint, [[wallet, 5_000_000n]]);
      expect(only(await market.json<Positions>(`/wallets/${wallet}/positions`))).toMatchObject({
        uncoveredInToken: tokens,
        uncoveredInSol: sol,
        receivedInToken: String(Number(tokens) + 5),
        lastBuyAt: null,
        priceInSol: null,
        unrealisedInSol: null,
      });
    },
  );

  test('is listed once, by mint, page by page, and never for a hidden token', async () => {
    const wallet = newAddress();
    const mints = [
      await market.launch(),
      await market.launch(),
      await market.launch(),
      await market.launch(),
    ];
    await market.store(mints.map((mint, at) => tradeOf(mint, at, { traderWallet: wallet })));
    await hide(mints[1] ?? '');
    const pages = await pagesOf<Positions>(`/wallets/${wallet}/positions?limit=1`);
    const visible = mints.filter((_, at) => at !== 1);
    expect(pages.flatMap(({ data }) => data.map(({ mintAddress }) => mintAddress)).sort()).toEqual(
      visible.sort(),
    );
    const stranger = `/wallets/${newAddress()}/positions?cursor=${pages[0]?.page.nextCursor}`;
    await expectProblem(await market.get(stranger), 'cursor_invalid');
  });

  test('is incomplete while older trades wait to be counted', async () => {
    const mint = await market.launch();
    const wallet = newAddress();
    await market.store([tradeOf(mint, 1, { traderWallet: wallet })]);
    await market.api.dependencies.database`
      insert into trader_recounts (mint_address, trader_wallet, from_slot) values (${mint}, ${wallet}, 1)`;
    expect(only(await market.json<Positions>(`/wallets/${wallet}/positions`)).complete).toBe(false);
  });
});

/** Stores balances of wallets, in raw units of six decimals, as if the token had been counted. */
async function keepBalances(mint: string, balances: readonly (readonly [string, bigint])[]): Promise<void> {
  const db = market.api.dependencies.database;
  await db`
    insert into holder_counting (mint_address, protocol_accounts, next_snapshot_at, snapshot_slot)
    values (${mint}, ${[DAMM_V2_POOL_AUTHORITY]}, now(), 7)`;
  await db`
    insert into holder_stats (mint_address, holder_count, provenance, slot, as_of)
    values (${mint}, ${balances.length}, 'onchain_snapshot', 7, ${iso(FIRST_BLOCK_TIME_MS)})`;
  for (const [owner, balance] of balances)
    await db`
      insert into holder_accounts (mint_address, account_address, owner_address, balance_raw, slot, place)
      values (${mint}, ${newAddress()}, ${owner}, ${balance.toString()}, 7, 0)`;
}

describe('the top of a token', () => {
  test('traders are those with the largest realised gain, and none without', async () => {
    const mint = await market.launch();
    const wallets = [newAddress(), newAddress(), newAddress(), newAddress()];
    const trade = (
      number: number,
      at: number,
      type: 'buy' | 'sell',
      solAmount: string,
      tokenAmount: string,
    ) => tradeOf(mint, number, { traderWallet: wallets[at] ?? '', type, solAmount, tokenAmount });
    await market.store([
      trade(1, 0, 'buy', '2', '10'),
      trade(11, 0, 'sell', '0.5', '4'),
      trade(0, 1, 'sell', '0.1', '1'),
      trade(2, 1, 'buy', '3', '10'),
      trade(12, 1, 'sell', '3', '6'),
      trade(3, 2, 'sell', '0.2', '2'),
      trade(4, 2, 'buy', '4', '10'),
      trade(5, 2, 'buy', '1', '10'),
      trade(13, 2, 'sell', '5', '8'),
      trade(14, 2, 'sell', '2', '4'),
      trade(6, 3, 'buy', '2', '10'),
      trade(15, 3, 'sell', '2.5', '10'),
    ]);
    const top = await market.json<TopTraders>(`/tokens/${mint}/top-traders`);
    expect(Value.Check(TopTradersSchema, top)).toBe(true);
    expect(top.data).toMatchObject([
      {
        traderWallet: wallets[2],
        buyCount: 2,
        sellCount: 3,
        boughtInToken: '20',
        boughtInSol: '5',
        soldInToken: '14',
        heldInToken: '8',
        costInSol: '2',
        averageCostInSol: '0.25',
        soldCostInSol: '3',
        uncoveredInToken: '2',
        uncoveredInSol: '0.2',
        realisedInSol: '4',
      },
      {
        traderWallet: wallets[1],
        buyCount: 1,
        sellCount: 2,
        boughtInToken: '10',
        boughtInSol: '3',
        soldInToken: '7',
        heldInToken: '4',
        costInSol: '1.2',
        averageCostInSol: '0.3',
        soldCostInSol: '1.8',
        uncoveredInToken: '1',
        uncoveredInSol: '0.1',
        realisedInSol: '1.2',
      },
      { traderWallet: wallets[3], heldInToken: '0', averageCostInSol: null, realisedInSol: '0.5' },
    ]);
    await expectProblem(await market.get(`/tokens/${newAddress()}/top-traders`), 'token_not_found');
  });

  test.each([
    [7, '1000000000.000001', ['39.999999', '29.999999', '24.999999']],
    [9, '500000000', ['80', '60', '50']],
  ])(
    'holders are those with the largest balance over their accounts, with share and labels: slot %d, supply %s',
    async (slot, totalSupply, shares) => {
      const mint = await market.launch();
      const { database } = market.api.dependencies;
      await database`update tokens set total_supply = ${totalSupply} where mint_address = ${mint}`;
      const [token] = await database<{ creatorWallet: string }[]>`
      select creator_wallet from tokens where mint_address = ${mint}`;
      const creator = token?.creatorWallet ?? '';
      const holder = newAddress();
      await keepBalances(mint, [
        [holder, 200_000_000_000_000n],
        [holder, 100_000_000_000_000n],
        [creator, 250_000_000_000_000n],
        [DAMM_V2_POOL_AUTHORITY, 400_000_000_000_000n],
      ]);
      await database`update holder_stats set slot = ${slot} where mint_address = ${mint}`;
      const top = await market.json<TopHolders>(`/tokens/${mint}/top-holders`);
      expect(Value.Check(TopHoldersSchema, top)).toBe(true);
      expect(top).toMatchObject({ slot: String(slot), totalSupply, asOf: iso(FIRST_BLOCK_TIME_MS) });
      expect(
        top.data.map(({ address, balanceInToken, sharePercent, labels }) =>
          [address, balanceInToken, sharePercent, ...labels].join(' '),
        ),
      ).toEqual([
        `${DAMM_V2_POOL_AUTHORITY} 400000000 ${shares[0]} pool`,
        `${holder} 300000000 ${shares[1]}`,
        `${creator} 250000000 ${shares[2]} creator`,
      ]);
    },
  );

  test('holders are unknown where no balances are kept', async () => {
    const mint = await market.launch();
    await expectProblem(await market.get(`/tokens/${mint}/top-holders`), 'holder_stats_not_found');
    await expectProblem(await market.get(`/tokens/${newAddress()}/top-holders`), 'token_not_found');
  });
});
