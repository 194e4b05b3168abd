import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../../sandbox/services/free-port.ts';
import type { Database } from '../../src/db/client.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { RecordedChain, type RecordedFaults, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { endSessions, holdLocks } from '../support/database/held-locks.ts';
import {
  expectedTrades,
  type IndexerRun,
  knowToken,
  startIndexer,
  storedTrades,
  transactionsOf,
} from '../support/market/chain-indexer.ts';
import { clearIndexerStage } from '../support/market/indexer-stage.ts';
import { type CurveFixture, curveFixture } from '../support/pools/curve-fixtures.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let stage: WorkerStage;
let connection: NatsConnection;
let db: Database;
let chain: RecordedChain;
/** Two buys in one transaction, then a buy and a sell in another. */
const fixture: CurveFixture = curveFixture('e');
const transactions = transactionsOf(fixture);
const signatures = transactions.map(({ transaction }) => transaction.signatures[0] ?? '');

beforeAll(async () => {
  stage = await createWorkerStage();
  ({ db } = stage);
  connection = await connectBus(stage.nats.url, 'test');
  atEnd(() => connection.close());
});
beforeEach(async () => {
  await clearIndexerStage({ db, connection });
  chain = new RecordedChain();
  chain.add(...transactions);
  await knowToken(db, fixture);
});

function startNode(faults: RecordedFaults = {}): RecordedNode {
  const node = chain.startNode(faults);
  atEnd(() => node.stop());
  return node;
}

async function withIndexer(urls: readonly string[], work: (run: IndexerRun) => Promise<void>): Promise<void> {
  const run = startIndexer({ db, connection }, urls);
  try {
    await work(run);
  } finally {
    await run.stop();
  }
}

const stored = () => storedTrades(db, fixture);
async function readTo(): Promise<string | undefined> {
  const [row] = await db<{ lastSignature: string }[]>`select last_signature from indexer_cursors`;
  return row?.lastSignature;
}
async function expectWhole(): Promise<void> {
  const expected = expectedTrades(fixture);
  await eventually('cursor', async () => (await readTo()) === signatures.at(-1));
  await eventually('trades', async () => (await stored()).length >= expected.length);
  expect(await stored()).toEqual(expected);
}
/** The node has been asked for its list `count` more times. */
async function listedAgain(node: RecordedNode, count: number): Promise<void> {
  const before = node.requests.getSignaturesForAddress ?? 0;
  await eventually('lists', async () => (node.requests.getSignaturesForAddress ?? 0) >= before + count);
}
/** The pool was read up to its second transaction by an indexer that has ended. */
async function readFirstTwo(): Promise<void> {
  const node = startNode({ lagging: 1 });
  await withIndexer([node.url], async () => {
    await eventually('cursor', async () => (await readTo()) === signatures[1]);
    await eventually('trades', async () => (await stored()).length === 2);
  });
}

test('of two nodes one may lag or be gone for good: no trade is missed or doubled', async () => {
  const lagging = startNode({ lagging: 2 });
  const gone = `http://127.0.0.1:${await freePort()}`;
  await withIndexer([lagging.url, gone, startNode().url], async () => {
    await expectWhole();
    await listedAgain(lagging, 2);
    await expectWhole();
  });
});

test('a node that is behind the cursor moves nothing, and is used again when it has caught up', async () => {
  await readFirstTwo();
  const node = startNode({ lagging: 2 });
  await withIndexer([node.url], async () => {
    await listedAgain(node, 3);
    expect(await readTo()).toBe(signatures[1]);
    expect(node.requests.getTransaction).toBeUndefined();
    node.faults = {};
    await expectWhole();
  });
});

test('a node whose history begins after the cursor is not believed, because trades could lie between', async () => {
  const node = startNode({ lagging: 2 });
  await withIndexer([node.url], () =>
    eventually('cursor', async () => (await readTo()) === signatures[0]).then(),
  );
  node.faults = { pruned: 2 };
  await withIndexer([node.url], async ({ logged }) => {
    await eventually('alarm', async () => logged.some(({ msg }) => msg === 'indexer.node_has_gap'));
    expect(await readTo()).toBe(signatures[0]);
    expect(node.requests.getTransaction).toBe(1);
    node.faults = {};
    await expectWhole();
  });
});

test('a pool whose beginning no node has is read from the beginning of the known history, with a log line', async () => {
  const node = startNode({ pruned: 2 });
  await withIndexer([node.url], async ({ logged }) => {
    await eventually('cursor', async () => (await readTo()) === signatures[2]);
    await eventually('trades', async () => (await stored()).length === 2);
    const begin = { msg: 'indexer.history_pruned', beginSignature: signatures[2] };
    expect(logged.filter(({ msg }) => msg === begin.msg)).toMatchObject([begin]);
  });
});

test('with one pruned and one whole node a new pool is read from its creation', async () => {
  await withIndexer([startNode({ pruned: 2 }).url, startNode().url], async () => expectWhole());
});

test('a listed transaction that a node does not have is asked of another, and never skipped', async () => {
  const missing = new Set([signatures[1] ?? '']);
  const node = startNode({ missing });
  await withIndexer([node.url], async () => {
    await eventually('asked again', async () => (node.requests.getTransaction ?? 0) > 4);
    expect(await readTo()).toBe(signatures[0]);
    expect(await stored()).toEqual([]);
    node.faults = {};
    await expectWhole();
  });
  await emptyTables(db, 'trades', 'indexer_cursors');
  await ensureEmptyStream();
  await withIndexer([startNode({ missing }).url, startNode().url], async () => expectWhole());
});

async function ensureEmptyStream(): Promise<void> {
  const { streams } = await jetstreamManager(connection);
  await streams.delete(INGEST_STREAM);
  await ensureStreams(connection);
}

test('a node that responds 429 is left alone as long as it asks, while another is read', async () => {
  const beganAtMs = performance.now();
  const busy = startNode({ rateLimitSeconds: 60 });
  const healthy = startNode();
  await withIndexer([busy.url, healthy.url], async () => {
    await expectWhole();
    await listedAgain(healthy, 2);
  });
  // Whichever request was answered so: the list is asked for at most once a minute, of which each passes five times as fast.
  // biome-ignore lint/plugin: the bound grows with the time that the machine took
  const minutes = Math.floor((5 * (performance.now() - beganAtMs)) / 60_000);
  expect(Object.keys(busy.requests)).not.toBeEmpty();
  expect(busy.requests.getSignaturesForAddress ?? 0).toBeLessThanOrEqual(1 + minutes);
});

test('a node that fails for a while is tried again', async () => {
  const node = startNode({ broken: true });
  await withIndexer([node.url], async ({ logged }) => {
    await eventually('rest', async () => logged.some(({ msg }) => msg === 'indexer.node_backing_off'));
    node.faults = {};
    await expectWhole();
  });
});

test('killed between publishing and marking as read, the next worker misses and doubles nothing', async () => {
  const node = startNode();
  const { streams } = await jetstreamManager(connection);
  const held = await holdLocks(
    db,
    (transaction) => transaction`lock table indexer_cursors in exclusive mode`,
  );
  const killed = await stage.startWorker({ SOLANA_RPC_URL: node.url });
  await held.untilBlocked('published, not marked');
  await eventually('trades', async () => (await stored()).length === expectedTrades(fixture).length);
  await killed.kill();
  // Its last statement must not be carried out by a server that has not noticed yet.
  await endSessions(db, await held.blocked());
  await held.commit();
  expect(await readTo()).toBeUndefined();
  const next = await stage.startWorker({ SOLANA_RPC_URL: node.url });
  await expectWhole();
  // The stream has proofs beside them.
  const subject = ingestSubject('trade');
  const { state } = await streams.info(INGEST_STREAM, { subjects_filter: subject });
  expect(state.subjects).toEqual({ [subject]: expectedTrades(fixture).length });
  expect(await next.stop()).toEqual({ code: 0, signal: null });
});
