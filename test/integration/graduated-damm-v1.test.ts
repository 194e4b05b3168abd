import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../src/db/client.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import type { ReportedToken } from '../../src/features/tokens/upsert-token.ts';
import { listIndexedPools } from '../../src/indexer/pool-history/list-pools.ts';
import { multiplyDecimals, normaliseDecimal, rawToDecimal } from '../../src/shared/decimal.ts';
import { RecordedChain, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { type IndexerRun, knowToken, storedTrades } from '../support/market/chain-indexer.ts';
import { clearIndexerStage, createIndexerStage, whileIndexing } from '../support/market/indexer-stage.ts';
import { DammV1Life } from '../support/pools/damm-v1-life.ts';
import { readDammV1Recordings, solRawAfter } from '../support/pools/damm-v1-recordings.ts';
import { bn } from '../support/pools/damm-v1-sdk.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const SMALL = { pageSize: 3, batchSize: 2 };
let connection: NatsConnection;
let db: Database;
let chain: RecordedChain;
let node: RecordedNode;

beforeAll(async () => {
  ({ db, connection } = await createIndexerStage());
});
beforeEach(async () => {
  await clearIndexerStage({ db, connection });
  chain = new RecordedChain();
  const started = chain.startNode();
  atEnd(() => started.stop());
  node = started;
});

const know = ({ fixture }: DammV1Life, report: Partial<ReportedToken> = {}) =>
  knowToken(db, { name: fixture.name, pool: fixture.curvePool ?? fixture.ammPool }, report);

async function indexing(work: (run: IndexerRun) => Promise<void>, limits = SMALL): Promise<void> {
  await whileIndexing({ db, connection }, [node.url], { limits }, work);
}

/** The chain goes on by these transactions, and nodes tell the accounts as they are afterwards. */
function goOn(life: DammV1Life, ...transactions: Parameters<RecordedChain['add']>): void {
  chain.add(...transactions);
  chain.setAccounts(life.accounts(), { areNew: true });
}

async function expectTrades({ mintAddress, expected }: DammV1Life): Promise<void> {
  const stored = () => storedTrades(db, { pool: { mintAddress } });
  await eventually('trades', async () => (await stored()).length >= expected.length);
  const withoutPool = expected.map(({ poolAddress: _pool, ...trade }) => trade);
  expect((await stored()).map(({ poolAddress: _pool, ...trade }) => trade)).toEqual(withoutPool);
}

async function expectMarket(life: DammV1Life): Promise<void> {
  await expectTrades(life);
  const liquidity = life.liquidityInSol();
  const market = () => findMarketSnapshot(db, life.mintAddress);
  await eventually('liquidity', async () => (await market())?.liquidityInSol === liquidity);
  // Its own price, because the pool's is not told.
  const price = life.expected.at(-1)?.pricePerTokenInSol ?? '';
  const found = await market();
  expect(String(found?.priceInSol)).toBe(price);
  expect(String(found?.marketCapInSol)).toBe(
    multiplyDecimals(normaliseDecimal(price), normaliseDecimal(String(found?.totalSupply))),
  );
}

const provenSeconds = async ({ mintAddress }: DammV1Life) => {
  const [row] = await db<{ through: Date }[]>`
    select through from source_proofs where mint_address = ${mintAddress}`;
  return row === undefined ? null : row.through.getTime() / 1_000;
};

const buy = (sol: bigint) => ({ gives: 'sol' as const, inRaw: sol * 1_000_000_000n });
const sell = (tokens: bigint) => ({ gives: 'token' as const, inRaw: tokens * 1_000_000n });

test('a token that graduates into DAMM v1 while it is read goes on trading there, in one series and proven', async () => {
  const life = new DammV1Life('a');
  await know(life, { announce: true });
  chain.add(...life.curveTransactions);
  await indexing(async () => {
    await expectTrades(life);
    goOn(life, life.migration);
    await eventually(
      'graduated',
      async () => (await findToken(db, life.mintAddress))?.status === 'graduated',
    );
    goOn(life, life.trade([buy(2n)]));
    await expectMarket(life);
    goOn(
      life,
      life.trade([sell(900_000n), buy(1n)]),
      life.trade([buy(3n)], { failed: true }),
      life.trade([sell(5_000n), buy(1n), sell(70_000n)], { isRouted: true }),
    );
    await expectMarket(life);
    await eventually('proven', async () => (await provenSeconds(life)) === chain.head.blockTime);
    expect((await findMarketSnapshot(db, life.mintAddress))?.asOf).toBe(
      new Date(chain.head.blockTime * 1_000).toISOString(),
    );
    // The clock of the chain goes on, and so does what is proven, without a trade.
    chain.emptySlots = 7;
    await eventually('proven on', async () => (await provenSeconds(life)) === chain.head.blockTime);
  });
  const lastOnCurve = life.fixture.steps.findLast(
    ({ expected }) => expected.liquidityPool === life.fixture.known.pool,
  );
  expect(await findToken(db, life.mintAddress)).toMatchObject({
    status: 'graduated',
    graduatedAt: new Date(Number(life.migration.blockTime) * 1_000).toISOString(),
    solCollectedInSol: lastOnCurve?.expected.liquidityInSol,
  });
  const launchEvents = (await eventsOf(db)).filter((event) => !event.startsWith('fee_distribution.'));
  expect(launchEvents).toEqual(
    ['launch.created', 'token.curve_completed', 'launch.graduated'].map(
      (name) => `${name} ${life.mintAddress}`,
    ),
  );
});

test('a whole life is read in one go, with any page size, again after a restart, and none of it twice', async () => {
  const life = new DammV1Life('b');
  await know(life);
  chain.add(...life.curveTransactions);
  goOn(life, life.migration);
  for (let round = 1n; round <= 12n; round += 1n) goOn(life, life.trade([buy(round), sell(round * 1_000n)]));
  for (const limits of [SMALL, { pageSize: 1_000, batchSize: 64 }]) {
    await indexing(() => expectMarket(life), limits);
    // As when a process dies before it has moved its cursors.
    await db`delete from indexer_cursors`;
  }
  await indexing(() => expectMarket(life));
  goOn(life, life.trade([buy(1n)]));
  await indexing(() => expectMarket(life));
});

test('the successor of a curve whose history is gone is derived from its config', async () => {
  const life = new DammV1Life('a');
  // Too long ago for the node.
  life.trade([buy(2n)]);
  life.expected.splice(0);
  goOn(life, life.trade([buy(3n)]), life.trade([sell(1_000n)]));
  await know(life);
  await indexing(() => expectMarket(life));
  // The time of its graduation is unknown.
  expect(await findToken(db, life.mintAddress)).toMatchObject({ status: 'graduated', graduatedAt: null });
  const listed = (await listIndexedPools(db, new Date())).map(({ poolAddress, venue }) => [
    poolAddress,
    venue,
  ]);
  expect(listed).toEqual([[life.market.poolAddress, 'damm_v1']]);
});

test('while nodes return no accounts the liquidity is unknown, and never an old value', async () => {
  const life = new DammV1Life('a');
  await know(life);
  chain.add(...life.curveTransactions, life.migration);
  const liquidity = async () => (await findMarketSnapshot(db, life.mintAddress))?.liquidityInSol;
  await indexing(async ({ logged }) => {
    await eventually('migrated', async () => (await liquidity()) === null);
    chain.add(life.trade([buy(2n)]));
    await expectTrades(life);
    expect(await liquidity()).toBeNull();
    goOn(life, life.trade([sell(3_000n)]));
    await expectMarket(life);
    chain.add(life.trade([buy(1n)]));
    chain.setAccounts(new Map());
    await eventually('unknown', async () => (await liquidity()) === null);
    await expectTrades(life);
    expect(logged.map(({ msg }) => msg)).toContain('indexer.liquidity_unread');
    goOn(life, life.trade([buy(1n)]));
    await expectMarket(life);
  });
});

test('accounts from before the newest trade are not used', async () => {
  const life = new DammV1Life('a');
  await know(life);
  chain.add(...life.curveTransactions, life.migration, life.trade([buy(2n)]));
  // These are of slot 1.
  chain.setAccounts(life.accounts());
  await indexing(async ({ logged }) => {
    await expectTrades(life);
    await eventually('given up', async () => logged.some(({ msg }) => msg === 'indexer.liquidity_unread'));
    expect((await findMarketSnapshot(db, life.mintAddress))?.liquidityInSol).toBeNull();
    chain.setAccounts(life.accounts(), { areNew: true });
    await expectMarket(life);
  });
});

for (const recording of readDammV1Recordings()) {
  test(`a recorded pool that was registered itself is read: ${recording.name}`, async () => {
    const { steps, pool } = recording;
    const last = steps.at(-1);
    chain.add(...steps.map(({ transaction }) => transaction));
    chain.setAccounts(last?.accounts ?? new Map(), { areNew: true });
    await knowToken(db, recording);
    const liquidity = rawToDecimal((last && solRawAfter(recording, last)) ?? 0n, 9);
    await indexing(async ({ unused }) => {
      await eventually('trades', async () => (await storedTrades(db, { pool })).length === 8);
      const market = () => findMarketSnapshot(db, pool.mintAddress);
      await eventually('liquidity', async () => (await market())?.liquidityInSol === liquidity);
      expect(unused).toEqual([]);
    });
  });
}

test('a stable pool that was registered itself is refused by name', async () => {
  const life = new DammV1Life('a');
  const stable = {
    stable: {
      amp: bn(100n),
      tokenMultiplier: { tokenAMultiplier: bn(1n), tokenBMultiplier: bn(1n), precisionFactor: 9 },
      depeg: { baseVirtualPrice: bn(0n), baseCacheUpdated: bn(0n), depegType: { none: {} } },
      lastAmpUpdatedTimestamp: bn(0n),
    },
  };
  const { poolAddress } = life.market;
  chain.add(life.trade([buy(2n)]));
  chain.setAccounts(new Map([[poolAddress, life.market.poolAccount(stable)]]), { areNew: true });
  const pool = { mintAddress: life.mintAddress, decimals: 6, poolAddress };
  await knowToken(db, { name: 'stable', pool });
  await indexing(async ({ logged, unused }) => {
    await eventually('left and counted', async () => unused.length > 0);
    expect(await listIndexedPools(db, new Date())).toEqual([]);
    expect(logged).toContainEqual(
      expect.objectContaining({ msg: 'indexer.pool_unusable', reason: 'stable_pool' }),
    );
    expect(unused).toEqual(['unusable_pool stable_pool']);
  });
});

test('a constant-product pool that was registered itself is read', async () => {
  const life = new DammV1Life('a');
  life.expected.splice(0);
  goOn(life, life.trade([buy(2n)]), life.trade([sell(1_000n)]));
  const { poolAddress } = life.market;
  await knowToken(db, {
    name: 'registered',
    pool: { mintAddress: life.mintAddress, decimals: life.fixture.decimals, poolAddress },
  });
  await indexing(async () => {
    await expectMarket(life);
    await eventually('proven', async () => (await provenSeconds(life)) === chain.head.blockTime);
    goOn(life, life.trade([buy(1n)]));
    await expectMarket(life);
  });
  expect(await findToken(db, life.mintAddress)).toMatchObject({ status: 'bonding', solCollectedInSol: '0' });
});
