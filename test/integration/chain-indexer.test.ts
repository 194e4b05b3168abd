import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import bs58 from 'bs58';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { RecordedChain, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import {
  expectedTrades,
  type IndexerRun,
  knowToken,
  moreTransactions,
  startIndexer,
  storedTrades,
  transactionsOf,
} from '../support/market/chain-indexer.ts';
import { clearIndexerStage } from '../support/market/indexer-stage.ts';
import { type CurveFixture, curveFixture, readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

const SMALL = { pageSize: 2, batchSize: 1 };
let connection: NatsConnection;
let databaseUrl: string;
let db: Database;
let chain: RecordedChain;
let node: RecordedNode;
const nodes: RecordedNode[] = [];

beforeAll(async () => {
  const nats = await createTestNats();
  connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  ({ url: databaseUrl } = await createTestDatabase());
  db = connect();
  atEnd(async () => void (await Promise.all(nodes.map((one) => one.stop()))));
});
beforeEach(async () => {
  await clearIndexerStage({ db, connection });
  chain = new RecordedChain();
  node = chain.startNode();
  nodes.push(node);
});

function connect(): Database {
  const pool = connectDatabase(databaseUrl, { applicationName: 'test', connections: 6 });
  atEnd(() => pool.end({ timeout: 1 }));
  return pool;
}

async function withIndexer<Value>(run: IndexerRun, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    await run.stop();
  }
}

const storedCount = async (fixture: CurveFixture) => (await storedTrades(db, fixture)).length;
const readTo = async (fixture: CurveFixture) => {
  const [row] = await db`
    select last_signature from indexer_cursors where pool_address = ${fixture.pool.poolAddress}`;
  return row?.lastSignature;
};
const lastSignature = (fixture: CurveFixture) =>
  fixture.steps.at(-1)?.transaction.transaction.signatures[0] ?? '';

async function expectWhole(fixtures: readonly CurveFixture[]): Promise<void> {
  for (const fixture of fixtures) {
    await eventually('cursor', async () => (await readTo(fixture)) === lastSignature(fixture));
    const expected = expectedTrades(fixture);
    await eventually('trades', async () => (await storedCount(fixture)) >= expected.length);
    expect(await storedTrades(db, fixture)).toEqual(expected);
  }
}

test('the recorded histories become exactly the expected rows, whatever the page size', async () => {
  const fixtures = readCurveFixtures();
  for (const fixture of fixtures) {
    chain.add(...transactionsOf(fixture));
    await knowToken(db, fixture);
  }
  await withIndexer(startIndexer({ db, connection }, [node.url], { limits: SMALL }), () =>
    expectWhole(fixtures),
  );
  const completed = curveFixture('h').pool.mintAddress;
  const markets = await db`
    select t.mint_address, t.status, trim_scale(m.liquidity_in_sol)::text as liquidity
    from tokens t join token_markets m using (mint_address)`;
  for (const { mintAddress, status, liquidity } of markets) {
    expect(status).toBe(mintAddress === completed ? 'graduating_migration_pending' : 'bonding');
    const steps = fixtures.find(({ pool }) => pool.mintAddress === mintAddress)?.steps ?? [];
    const last = steps.findLast(({ expected }) => expected.liquidityInSol !== null);
    expect(liquidity).toBe(last?.expected.liquidityInSol);
  }
});

test('a token that becomes known while the indexer runs is read from its beginning, then followed', async () => {
  const fixture = curveFixture('e');
  const [creation, first, second] = transactionsOf(fixture);
  if (creation === undefined || first === undefined || second === undefined) throw new Error('no steps');
  chain.add(creation, first);
  await withIndexer(startIndexer({ db, connection }, [node.url]), async () => {
    await knowToken(db, fixture);
    await eventually('first trades', async () => (await storedCount(fixture)) === 2);
    chain.add(second);
    await expectWhole([fixture]);
  });
});

test('a history of many pages keeps the order of the chain, also among transactions of one slot', async () => {
  const fixture = curveFixture('a');
  const more = moreTransactions(fixture, 120);
  chain.add(...transactionsOf(fixture), ...more);
  await knowToken(db, fixture);
  const limits = { pageSize: 7, batchSize: 5 };
  await withIndexer(startIndexer({ db, connection }, [node.url], { limits }), () =>
    eventually('trades', async () => (await storedCount(fixture)) === 121),
  );
  const rows = await storedTrades(db, fixture);
  const signatures = more.map(({ transaction }) => transaction.signatures[0]);
  expect(rows.slice(1).map(({ signature }) => signature)).toEqual(signatures.map(String));
  expect((await db`select price_per_token_in_sol from trades`).length).toBe(121);
});

test('a migrated pool graduates its token once, with its event', async () => {
  const fixture = curveFixture('h');
  const [migration] = moreTransactions(fixture, 1);
  const swap = migration?.transaction.message.instructions[3];
  if (migration === undefined || swap === undefined) throw new Error('no swap');
  // The instruction that makes the pool of the next program, with the curve first; what it calls does not matter here.
  migration.slot += 1_000;
  swap.data = bs58.encode(Buffer.from('9ca9e66735e45040', 'hex'));
  const [curve = 0, token = 0] = [swap.accounts[2], swap.accounts[7]];
  swap.accounts = Array.from({ length: 26 }, (_, at) => ({ 0: curve, 13: token })[at] ?? 1);
  migration.meta.innerInstructions = [];
  chain.add(...transactionsOf(fixture), migration);
  await knowToken(db, fixture, { announce: true });
  const run = startIndexer({ db, connection }, [node.url]);
  const status = async () => (await db<{ status: string }[]>`select status from tokens`)[0]?.status;
  await withIndexer(run, async () =>
    eventually('graduated', async () => (await status()) === 'graduated').then(),
  );
  await emptyTables(db, 'indexer_cursors', 'token_pools');
  const again = startIndexer({ db, connection }, [node.url]);
  const signature = migration.transaction.signatures[0];
  await withIndexer(again, async () =>
    eventually('read again', async () => (await readTo(fixture)) === signature).then(),
  );
  const mint = fixture.pool.mintAddress;
  expect(await eventsOf(db)).toEqual([
    `launch.created ${mint}`,
    `token.curve_completed ${mint}`,
    `launch.graduated ${mint}`,
  ]);
});

test('an unknown event of the program is counted and reported, and the trades beside it are kept', async () => {
  const fixture = curveFixture('a');
  const transactions = transactionsOf(fixture);
  const swaps = transactions[1]?.meta.innerInstructions.find(({ index }) => index === 4)?.instructions;
  const event = swaps?.at(-1);
  if (swaps === undefined || event === undefined) throw new Error('no swap');
  const data = bs58.encode(Buffer.from('e445a52e51cb9a1d00112233445566770102', 'hex'));
  swaps.push({ ...event, data });
  chain.add(...transactions);
  await knowToken(db, fixture);
  const run = startIndexer({ db, connection }, [node.url]);
  await withIndexer(run, () => expectWhole([fixture]));
  const reports = run.logged.filter(({ msg }) => msg === 'indexer.undecoded');
  expect(reports).toMatchObject([{ kind: 'unknown_event 0011223344556677', total: 1, level: 50 }]);
});

test('of two workers one reads a pool, and the other takes over when it ends', async () => {
  const fixture = curveFixture('j');
  const transactions = transactionsOf(fixture);
  chain.add(...transactions.slice(0, 2));
  await knowToken(db, fixture);
  const other = chain.startNode();
  nodes.push(other);
  const first = startIndexer({ db, connection }, [node.url]);
  await eventually('first trade', async () => (await storedCount(fixture)) === 1);
  const second = startIndexer({ db: connect(), connection }, [other.url]);
  const runs = [
    { run: first, at: node },
    { run: second, at: other },
  ];
  await eventually('an even division', async () =>
    runs.every(({ run }) => run.logged.findLast(({ msg }) => msg === 'indexer.shards_held')?.shards === 8),
  );
  const isReading = ({ run }: (typeof runs)[number]) => run.indexing.state.poolCount === 1;
  await eventually('one that reads', async () => runs.filter(isReading).length === 1);
  const [reader = runs[0], rest = runs[1]] = [runs.find(isReading), runs.find((one) => !isReading(one))];
  if (reader === undefined || rest === undefined) throw new Error('nobody reads, or both do');
  await withIndexer(rest.run, async () => {
    const asked = () => [reader, rest].map(({ at }) => at.requests.getSignaturesForAddress ?? 0);
    const [before = 0, restBefore = 0] = asked();
    await eventually('polls', async () => (asked()[0] ?? 0) > before + 1);
    expect(asked()[1]).toBe(restBefore);
    const read = rest.at.requests.getTransaction ?? 0;
    await reader.run.stop();
    chain.add(...transactions.slice(2));
    await expectWhole([fixture]);
    expect(rest.at.requests.getTransaction).toBe(read + 2);
  });
});

test('indexers share the requests out by the pools that each of them reads', async () => {
  const start = (database: Database) =>
    startIndexer({ db: database, connection }, [node.url], { requestsPerSecond: 800 });
  const paceOf = ({ indexing }: IndexerRun) => indexing.budget.perSecond;
  const alone = start(db);
  await withIndexer(alone, async () => {
    await eventually('its shards', async () => alone.logged.some(({ msg }) => msg === 'indexer.shards_held'));
    expect(paceOf(alone)).toBe(800);
    const other = start(connect());
    await withIndexer(other, () =>
      eventually('half of them each', async () => paceOf(alone) === 400 && paceOf(other) === 400),
    );
  });
});
