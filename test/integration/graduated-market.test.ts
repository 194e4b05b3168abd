import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import type { Database } from '../../src/db/client.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import type { ReportedToken } from '../../src/features/tokens/upsert-token.ts';
import { listIndexedPools } from '../../src/indexer/pool-history/list-pools.ts';
import { RecordedChain, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { type IndexerRun, knowToken, storedTrades } from '../support/market/chain-indexer.ts';
import { clearIndexerStage, createIndexerStage, whileIndexing } from '../support/market/indexer-stage.ts';
import { type DammFixture, dammFixture, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const SMALL = { pageSize: 3, batchSize: 2 };
let connection: NatsConnection;
let db: Database;
let chain: RecordedChain;
let node: RecordedNode;
const nodes: RecordedNode[] = [];

beforeAll(async () => {
  ({ db, connection } = await createIndexerStage());
  atEnd(async () => void (await Promise.all(nodes.map((one) => one.stop()))));
});
beforeEach(async () => {
  await clearIndexerStage({ db, connection });
  chain = new RecordedChain();
  node = chain.startNode();
  nodes.push(node);
});

const graduated = () => readDammFixtures().filter(({ curvePool }) => curvePool !== null);
const mintOf = ({ ammPool }: DammFixture) => ammPool.mintAddress;
const transactionsOf = ({ steps }: DammFixture) => steps.map(({ transaction }) => transaction);
const migrationOf = ({ steps }: DammFixture) => {
  const step = steps.findIndex(({ expected }) => expected.migrated !== null);
  const blockTime = steps[step]?.transaction.blockTime ?? 0;
  return { step, at: new Date(blockTime * 1_000).toISOString() };
};

const know = (fixture: DammFixture, report: Partial<ReportedToken> = {}) =>
  knowToken(db, { name: fixture.name, pool: fixture.curvePool ?? fixture.ammPool }, report);

async function indexing(work: (run: IndexerRun) => Promise<void>, limits = SMALL): Promise<void> {
  await whileIndexing({ db, connection }, [node.url], { limits }, work);
}

/** Expects exactly the facts of the first `count` recorded steps. */
async function expectHistory(fixture: DammFixture, count = fixture.steps.length): Promise<void> {
  const steps = fixture.steps.slice(0, count);
  const expected = steps.flatMap(({ expected: { trades } }) =>
    trades.map(({ venue: _venue, poolAddress: _pool, ...trade }) => trade),
  );
  const last = steps.findLast(({ expected: { liquidityInSol } }) => liquidityInSol !== null)?.expected;
  const isRead = async () => {
    const { length } = await storedTrades(db, { pool: { mintAddress: mintOf(fixture) } });
    const market = await findMarketSnapshot(db, mintOf(fixture));
    return length >= expected.length && market?.liquidityInSol === last?.liquidityInSol;
  };
  await eventually(`the history of ${fixture.name}`, isRead);
  const stored = await storedTrades(db, { pool: { mintAddress: mintOf(fixture) } });
  expect(stored.map(({ poolAddress: _pool, ...trade }) => trade)).toEqual(expected);
  const listed = await listTrades(db, mintOf(fixture), { limit: 100 });
  expect(listed?.items.map(({ spotPriceInSol }) => String(spotPriceInSol))).toEqual(
    expected.map(({ spotPriceInSol }) => spotPriceInSol).reverse(),
  );
  const market = await findMarketSnapshot(db, mintOf(fixture));
  expect(String(market?.priceInSol)).toBe(String(expected.at(-1)?.spotPriceInSol));
}

async function expectGraduated(fixture: DammFixture): Promise<void> {
  await eventually('graduated', async () => (await findToken(db, mintOf(fixture)))?.graduatedAt != null);
  const token = await findToken(db, mintOf(fixture));
  const onCurve = fixture.steps.findLast(({ expected }) => expected.liquidityPool === fixture.known.pool);
  expect(token).toMatchObject({
    status: 'graduated',
    launchedAt: new Date((fixture.steps[0]?.transaction.blockTime ?? 0) * 1_000).toISOString(),
    graduatedAt: migrationOf(fixture).at,
    solCollectedInSol: onCurve?.expected.liquidityInSol,
  });
}

test('recorded lives of tokens become one series of trades over the migration, whatever the page size', async () => {
  for (const fixture of graduated()) {
    chain.add(...transactionsOf(fixture));
    await know(fixture);
  }
  await indexing(async () => {
    for (const fixture of graduated()) {
      await expectHistory(fixture);
      await expectGraduated(fixture);
    }
  });
});

test('a token that graduates while it is read goes on trading in the pool that its curve migrated to', async () => {
  const fixture = dammFixture('a');
  const { step } = migrationOf(fixture);
  await know(fixture, { announce: true });
  const transactions = transactionsOf(fixture);
  await indexing(async () => {
    for (const [from, to] of [
      [0, step],
      [step, step + 1],
      [step + 1, step + 2],
      [step + 2, transactions.length],
    ] as const) {
      chain.add(...transactions.slice(from, to));
      await expectHistory(fixture, to);
    }
    await expectGraduated(fixture);
  });
  const mint = mintOf(fixture);
  const launchEvents = (await eventsOf(db)).filter((event) => !event.startsWith('fee_distribution.'));
  expect(launchEvents).toEqual([
    `launch.created ${mint}`,
    `token.curve_completed ${mint}`,
    `launch.graduated ${mint}`,
  ]);
});

test('a curve is no longer read once it was read past its migration, and its successor is', async () => {
  const fixture = dammFixture('b');
  chain.add(...transactionsOf(fixture));
  await know(fixture);
  const listed = async () => (await listIndexedPools(db, new Date())).map(({ poolAddress }) => poolAddress);
  await indexing(async () => {
    await expectHistory(fixture);
    await eventually('only the successor', async () => (await listed()).length === 1);
    expect(await listed()).toEqual([fixture.ammPool.poolAddress]);
  });
  const [cursor] = await db`
    select last_signature from indexer_cursors where pool_address = ${fixture.curvePool?.poolAddress ?? ''}`;
  const last = transactionsOf(fixture).findLast(({ transaction }) =>
    transaction.message.accountKeys.includes(fixture.curvePool?.poolAddress ?? ''),
  );
  expect(cursor?.lastSignature).toBe(last?.transaction.signatures[0]);
  // Its fees can still be claimed.
  const later = new Date(Date.now() + 3_600_001);
  expect((await listIndexedPools(db, later)).length).toBe(2);
});

for (const status of ['pending', 'bonding', 'graduated', 'failed', 'graduation_failed'] as const) {
  test(`a token registered late as ${status} is where the chain says, without events`, async () => {
    const fixture = dammFixture('c');
    chain.add(...transactionsOf(fixture));
    chain.setAccounts(fixture.accountsAfter);
    await know(fixture, { status, launchedAt: '2026-01-01T00:00:00.000Z' });
    await indexing(async () => {
      await expectHistory(fixture);
      await expectGraduated(fixture);
    });
    expect(await eventsOf(db)).toEqual([]);
    // A later report of a feed changes nothing.
    await know(fixture, { status: 'failed', launchedAt: '2026-02-02T00:00:00.000Z' });
    await expectGraduated(fixture);
    expect(await eventsOf(db)).toEqual([]);
  });
}

test('a curve whose history is gone still leads to the pool that it migrated to', async () => {
  const fixture = dammFixture('c');
  const { step } = migrationOf(fixture);
  chain.add(...transactionsOf(fixture).slice(step + 1));
  chain.setAccounts(fixture.accountsAfter);
  await know(fixture);
  const expected = fixture.steps.slice(step + 1).flatMap(({ expected: { trades } }) => trades);
  const count = async () => (await storedTrades(db, { pool: { mintAddress: mintOf(fixture) } })).length;
  await indexing(() => eventually('trades', async () => (await count()) === expected.length).then());
  // The time of its graduation is unknown, and is not the time of reading.
  expect(await findToken(db, mintOf(fixture))).toMatchObject({ status: 'graduated', graduatedAt: null });
});

test('a pool that was registered itself is read with SOL as either token', async () => {
  const fixture = dammFixture('d');
  chain.add(...transactionsOf(fixture));
  chain.setAccounts(fixture.accountsAfter);
  await know(fixture);
  await indexing(() => expectHistory(fixture));
  expect(await findToken(db, mintOf(fixture))).toMatchObject({ status: 'bonding', solCollectedInSol: '0' });
});

const PROGRAM_OF_OTHERS = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';

function withAccount(fixture: DammFixture, change: (account: ChainAccount) => ChainAccount) {
  const address = fixture.curvePool?.poolAddress ?? '';
  const account = fixture.accountsAfter.get(address);
  if (account === undefined) throw new Error('the history has no curve');
  return new Map([...fixture.accountsAfter, [address, change(account)]]);
}

const BASE_MINT = 136;
const unusable = [
  {
    reason: 'other_program',
    of: (fixture: DammFixture) => withAccount(fixture, (one) => ({ ...one, owner: PROGRAM_OF_OTHERS })),
  },
  {
    reason: 'unreadable',
    of: (fixture: DammFixture) => withAccount(fixture, (one) => ({ ...one, data: one.data.slice(0, 100) })),
  },
  {
    reason: 'mint_differs',
    of: (fixture: DammFixture) =>
      withAccount(fixture, (one) => ({
        ...one,
        data: Buffer.from(one.data).fill(7, BASE_MINT, BASE_MINT + 32),
      })),
  },
  {
    reason: 'quote_is_not_sol',
    of(fixture: DammFixture) {
      const config = fixture.accountsAfter.get(fixture.known.config ?? '');
      if (config === undefined) throw new Error('the history has no config');
      const data = Buffer.from(config.data).fill(7, 8, 40);
      return new Map([...fixture.accountsAfter, [fixture.known.config ?? '', { ...config, data }]]);
    },
  },
];
for (const { reason, of } of unusable) {
  test(`a registered address that is no usable pool (${reason}) is named, counted and left alone`, async () => {
    const fixture = dammFixture('a');
    chain.add(...transactionsOf(fixture));
    chain.setAccounts(of(fixture));
    await know(fixture);
    await indexing(async ({ logged, unused }) => {
      await eventually('left and counted', async () => unused.length > 0);
      expect(await listIndexedPools(db, new Date())).toEqual([]);
      expect(logged).toContainEqual(expect.objectContaining({ msg: 'indexer.pool_unusable', reason }));
      expect(unused).toEqual([`unusable_pool ${reason}`]);
    });
    expect(await findMarketSnapshot(db, mintOf(fixture))).toMatchObject({
      priceInSol: null,
      liquidityInSol: null,
    });
    expect(node.requests.getTransaction).toBeUndefined();
  });
}
