import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import {
  StakingLeaderboardSchema,
  StakingPoolSchema,
  StakingPositionsSchema,
} from '../../src/features/staking/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeStakingPools } from '../../src/indexer/store/staking-pools.ts';
import { storeStakingPositions } from '../../src/indexer/store/staking-positions.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { hintUntilDropped } from '../support/api/hint-until-dropped.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { stopAgeing } from '../support/api/stop-ageing.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { atSlot, poolMessage, positionMessage } from '../support/market/staking.ts';
import { eventually } from '../support/run/eventually.ts';

let market: MarketApi;
let key: TestKey;

beforeAll(async () => {
  market = await startMarketApi();
  key = await createTestKey(market.api.dependencies.database, { walletAddress: newAddress() });
});

const stakePool = (...pool: Parameters<typeof poolMessage>) =>
  market.api.dependencies.database.begin((transaction) =>
    storeStakingPools(transaction, [poolMessage(...pool)]),
  );
const stake = (...positions: ReturnType<typeof positionMessage>[]) =>
  market.api.dependencies.database.begin((transaction) => storeStakingPositions(transaction, positions));
const owned = (mint: string, by: TestKey = key) =>
  fetch(`${market.api.baseUrl}/tokens/${mint}/staking/positions`, { headers: by.header });

interface Leaderboard {
  asOf: string;
  data: { rank: number; walletAddress: string; stakedRaw: string; shareBps: number }[];
}

describe('the staking pool', () => {
  test('is answered as it was last observed, by its schema, cacheable', async () => {
    const mint = await market.launch();
    const observed = poolMessage(mint, 7, {
      totalStakedRaw: '18446744073709551615',
      status: 'paused',
      stakerCount: 4,
      rewardRatePerSecondRaw: '8',
      rewardsDistributedRaw: '81',
      lockPeriodSeconds: 3_600,
    });
    await stakePool(mint, 7, observed);
    const plain = await market.launch();
    await stakePool(plain, 6);
    expect(await market.json(`/tokens/${plain}/staking`)).toEqual(poolMessage(plain, 6));
    const response = await market.get(`/tokens/${mint}/staking`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=5');
    const etag = response.headers.get('etag') ?? '';
    const pool = await response.json();
    expect(Value.Check(StakingPoolSchema, pool)).toBe(true);
    expect(pool).toEqual(observed);
    const again = await fetch(response.url, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('appears as soon as the hint arrives, and so does the leaderboard', async () => {
    const mint = await market.launch();
    await stakePool(mint, 1);
    const goOn = stopAgeing(market.api);
    expect((await market.json<Leaderboard>(`/tokens/${mint}/staking/leaderboard`)).data).toEqual([]);
    expect(await market.json(`/tokens/${mint}/staking`)).toMatchObject({ slot: '1' });
    await stakePool(mint, 2);
    await stake(positionMessage(mint, newAddress(), 2));
    const { leaderboards } = market.api.dependencies.stakingCaches;
    await hintUntilDropped(market.api, hints.stakingChanged, mint, leaderboards);
    const slot = async () => (await market.json<{ slot: string }>(`/tokens/${mint}/staking`)).slot;
    await eventually('the reload', async () => (await slot()) === '2');
    const wallets = async () =>
      (await market.json<Leaderboard>(`/tokens/${mint}/staking/leaderboard`)).data.length;
    await eventually('that of the leaderboard', async () => (await wallets()) === 1);
    goOn();
  });
});

describe('the leaderboard', () => {
  test('lists the largest wallets, `stakingLeaderboard` at most, ties by age, with their shares of the total stake', async () => {
    const mint = await market.launch();
    const { stakingLeaderboard } = unpublishedLimits;
    const wallets = Array.from({ length: stakingLeaderboard + 3 }, newAddress);
    await stakePool(mint, 9, { totalStakedRaw: '1' });
    await stake(
      ...wallets.map((wallet, at) =>
        positionMessage(mint, wallet, 5, {
          stakedRaw: at < 2 ? '500' : '10',
          stakedAt: atSlot(at === 0 ? 3 : 1),
        }),
      ),
    );
    const board = await market.json<Leaderboard>(`/tokens/${mint}/staking/leaderboard`);
    expect(Value.Check(StakingLeaderboardSchema, board)).toBe(true);
    expect(board.asOf).toBe(atSlot(9));
    expect(board.data).toHaveLength(stakingLeaderboard);
    expect(board.data.slice(0, 3)).toMatchObject([
      { rank: 1, walletAddress: wallets[1], stakedRaw: '500', shareBps: 2_487 },
      { rank: 1, walletAddress: wallets[0], stakedRaw: '500', shareBps: 2_487 },
      { rank: 3, stakedRaw: '10', shareBps: 49 },
    ]);
    const tied = board.data.slice(2).map(({ walletAddress }) => walletAddress);
    expect(new Set(tied).size).toBe(98);
  });

  test('adds up the positions of a wallet', async () => {
    const [mint, wallet] = [await market.launch(), newAddress()];
    await stakePool(mint, 1, { totalStakedRaw: '400' });
    await stake(positionMessage(mint, wallet, 1), positionMessage(mint, wallet, 2, { stakedRaw: '90' }));
    const { data } = await market.json<Leaderboard>(`/tokens/${mint}/staking/leaderboard`);
    expect(data).toMatchObject([{ rank: 1, walletAddress: wallet, stakedRaw: '100', shareBps: 2_500 }]);
  });
});

describe('owned positions', () => {
  test("are those of the key's wallet with a stake or rewards, oldest first, never cached", async () => {
    const mint = await market.launch();
    const { walletAddress } = key;
    await stakePool(mint, 1);
    const young = positionMessage(mint, walletAddress, 4, {
      stakedAt: atSlot(2),
      unlocksAt: atSlot(9),
      pendingRewardsRaw: '4',
      claimedRewardsRaw: '3',
    });
    const old = positionMessage(mint, walletAddress, 3, {
      stakedRaw: '0',
      pendingRewardsRaw: '6',
      claimedRewardsRaw: '2',
    });
    const gone = positionMessage(mint, walletAddress, 5, { stakedRaw: '0', claimedRewardsRaw: '6' });
    await stake(young, old, gone, positionMessage(mint, newAddress(), 6));
    const response = await owned(mint);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const body = (await response.json()) as { asOf: string; data: { id: string }[] };
    expect(Value.Check(StakingPositionsSchema, body)).toBe(true);
    expect(body.asOf).toBe(atSlot(4));
    expect(body.data).toMatchObject([
      { walletAddress, stakedRaw: '0', pendingRewardsRaw: '6', claimedRewardsRaw: '2', unlocksAt: null },
      {
        walletAddress,
        stakedRaw: '10',
        pendingRewardsRaw: '4',
        claimedRewardsRaw: '3',
        stakedAt: atSlot(2),
        unlocksAt: atSlot(9),
      },
    ]);
    // An id names the account on chain for good.
    await stake({ ...young, stakedRaw: '11', slot: '8', asOf: atSlot(8) });
    const later = (await (await owned(mint)).json()) as typeof body;
    expect(later.data.map(({ id }) => id)).toEqual(body.data.map(({ id }) => id));
  });

  test('of a wallet without a stake are an empty list with the time of the pool', async () => {
    const mint = await market.launch();
    await stakePool(mint, 1);
    expect(await (await owned(mint)).json()).toEqual({ asOf: atSlot(1), data: [] });
  });

  test('need the scope', async () => {
    const { database } = market.api.dependencies;
    const without = await createTestKey(database, { scopes: ['fees:read'] });
    await expectProblem(await owned(newAddress(), without), 'insufficient_scope');
  });
});

describe('every staking read', () => {
  const paths = ['staking', 'staking/leaderboard', 'staking/positions'];
  const read = (mint: string, path: string) =>
    fetch(`${market.api.baseUrl}/tokens/${mint}/${path}`, {
      headers: path.endsWith('positions') ? key.header : {},
    });

  test('of a token that is unknown, hidden or without a pool is the same 404', async () => {
    const [hidden, plain] = [await market.launch(), await market.launch()];
    await stakePool(hidden, 1);
    await market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, hidden, true));
    // Positions may be known before their pool.
    await stake(positionMessage(plain, key.walletAddress, 1));
    for (const path of paths) {
      await expectProblem(await read(hidden, path), 'staking_pool_not_found');
      await expectProblem(await read(newAddress(), path), 'staking_pool_not_found');
      await expectProblem(await read(plain, path), 'staking_pool_not_found');
      await expectProblem(await read('not-an-address', path), 'validation_failed');
    }
  });
});
