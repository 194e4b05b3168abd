import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../src/db/client.ts';
import { listProvableTokens, SourceProofs } from '../../src/indexer/proofs/source-proofs.ts';
import { INGEST_STREAM } from '../../src/shared/bus/topology.ts';
import { RecordedChain, type RecordedFaults, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { expectedTrades, knowToken, storedTrades, transactionsOf } from '../support/market/chain-indexer.ts';
import { clearIndexerStage, createIndexerStage, whileIndexing } from '../support/market/indexer-stage.ts';
import { type CurveFixture, curveFixture } from '../support/pools/curve-fixtures.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let connection: NatsConnection;
let db: Database;
let chain: RecordedChain;

beforeAll(async () => {
  ({ db, connection } = await createIndexerStage());
});
beforeEach(async () => {
  await clearIndexerStage({ db, connection });
  chain = new RecordedChain();
});

function startNode(faults: RecordedFaults = {}): RecordedNode {
  const node = chain.startNode(faults);
  atEnd(() => node.stop());
  return node;
}

const withIndexer = (node: RecordedNode, work: () => Promise<unknown>) =>
  whileIndexing({ db, connection }, [node.url], {}, async () => void (await work()));

async function provenSeconds({ pool }: CurveFixture): Promise<number | null> {
  const [row] = await db<{ through: Date }[]>`
    select through from source_proofs where mint_address = ${pool.mintAddress}`;
  return row === undefined ? null : row.through.getTime() / 1_000;
}
const isProvenTo = (fixture: CurveFixture, seconds: number) =>
  eventually('proven', async () => (await provenSeconds(fixture)) === seconds);
/** Waits until the node has been asked for its list this many more times. */
async function listedAgain(node: RecordedNode, count: number): Promise<void> {
  const before = node.requests.getSignaturesForAddress ?? 0;
  await eventually('lists', async () => (node.requests.getSignaturesForAddress ?? 0) >= before + count);
}

test('a pool is proven through the block that its node showed before, with every recorded trade until then', async () => {
  const fixture = curveFixture('e');
  const transactions = transactionsOf(fixture);
  await knowToken(db, fixture);
  chain.add(...transactions.slice(0, 2));
  const node = startNode();
  await withIndexer(node, async () => {
    await isProvenTo(fixture, chain.head.blockTime);
    // What the recorded transactions hold, independent of what decoded them here.
    const until = (await provenSeconds(fixture)) ?? 0;
    const due = fixture.steps
      .slice(0, 2)
      .filter(({ transaction }) => (transaction.blockTime ?? 0) < until)
      .flatMap(({ expected }) => expected.trades);
    const stored = await storedTrades(db, fixture);
    expect(stored.slice(0, due.length)).toEqual(due);
    // Blocks without a transaction of the pool move the proof, and nothing else.
    chain.emptySlots = 30;
    await isProvenTo(fixture, chain.head.blockTime);
    expect(await storedTrades(db, fixture)).toEqual(stored);
    chain.emptySlots = 0;
    chain.add(...transactions.slice(2));
    chain.emptySlots = 5;
    await isProvenTo(fixture, chain.head.blockTime);
    expect(await storedTrades(db, fixture)).toEqual(expectedTrades(fixture));
  });
});

test('a node that lost the history of a pool, or lists from a machine that lags, proves nothing', async () => {
  const fixture = curveFixture('e');
  await knowToken(db, fixture);
  chain.add(...transactionsOf(fixture));
  const node = startNode();
  await withIndexer(node, async () => {
    const before = chain.head.blockTime;
    await isProvenTo(fixture, before);
    node.faults = { pruned: fixture.steps.length, balanced: true };
    chain.emptySlots = 50;
    await listedAgain(node, 6);
    expect(await provenSeconds(fixture)).toBe(before);
    // The address reports the head of one machine, and another one, a transaction behind, lists.
    node.faults = { lagging: 1, balanced: true };
    await listedAgain(node, 6);
    expect(await provenSeconds(fixture)).toBe(before);
    node.faults = {};
    await isProvenTo(fixture, chain.head.blockTime);
  });
});

test('an indexer that ends between its trades and their proof leaves the next one to prove them', async () => {
  const fixture = curveFixture('b');
  await knowToken(db, fixture);
  chain.add(...transactionsOf(fixture));
  const blind = startNode({ isTimeless: true });
  await withIndexer(blind, async () => {
    await eventually(
      'read',
      async () => (await storedTrades(db, fixture)).length === expectedTrades(fixture).length,
    );
    await listedAgain(blind, 3);
    expect(await provenSeconds(fixture)).toBeNull();
  });
  await withIndexer(startNode(), () => isProvenTo(fixture, chain.head.blockTime));
});

test('a token that has migrated is proven by the pool that it trades in, once its curve is read to the end', async () => {
  const fixture = curveFixture('j');
  const { mintAddress, poolAddress: curve } = fixture.pool;
  await knowToken(db, fixture);
  const [amm, now] = ['5ammPoo1ofThisTestWhichNobodyReads1111111111', new Date()];
  expect(await listProvableTokens(db, [curve, amm])).toEqual([mintAddress]);
  await db`
    insert into token_pools (pool_address, mint_address, program, curve_pool_address, created_at)
    values (${curve}, ${mintAddress}, 'dbc', null, ${now}), (${amm}, ${mintAddress}, 'damm_v2', ${curve}, ${now})`;
  expect(await listProvableTokens(db, [curve, amm])).toEqual([]);
  await db`update token_pools set rests_until = ${now} where pool_address = ${curve}`;
  expect(await listProvableTokens(db, [curve])).toEqual([]);
  expect(await listProvableTokens(db, [amm])).toEqual([mintAddress]);
});

test('many pools are proven by few messages, each pool no more often than all of them may be', async () => {
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      pool_address, created_at, updated_at)
    select 'mint' || n, 'wallet', 'n', 's', 6, 1, 'dbc', 'bonding', 'pool' || n, now(), now()
    from generate_series(1, 2500) n`;
  let nowMs = 0;
  const head = (seconds: number) => ({ slot: BigInt(seconds), blockTime: new Date(seconds * 1_000) });
  const proofs = new SourceProofs({
    db,
    connection,
    log: silentLog,
    nodeTimes: { latest: () => null },
    time: { nowMs: () => nowMs, timerMs: (durationMs) => durationMs },
  });
  const pools = Array.from({ length: 2_500 }, (_, at) => `pool${at + 1}`);
  /** Tokens of each message that the next flushes publish. */
  const published = async () => {
    const { streams } = await jetstreamManager(connection);
    const before = (await streams.info(INGEST_STREAM)).state.last_seq;
    while (await proofs.flush());
    const { last_seq: after } = (await streams.info(INGEST_STREAM)).state;
    const sizes: number[] = [];
    for (let seq = before + 1; seq <= after; seq += 1) {
      const message = await streams.getMessage(INGEST_STREAM, { seq });
      sizes.push(message?.json<{ mintAddresses: string[] }>().mintAddresses.length ?? 0);
    }
    return sizes;
  };
  proofs.provePools(pools, head(10));
  proofs.provePools(pools, head(9));
  expect(await published()).toEqual([1_000, 1_000, 500]);
  nowMs = 1_000;
  proofs.provePools(pools, head(11));
  expect(await published()).toEqual([]);
  nowMs = 3_000;
  // Proofs of one head go together; pools without a token are left out.
  proofs.provePools(['pool1', 'pool2', 'unheard of'], head(12));
  expect((await published()).toSorted((left, right) => left - right)).toEqual([2, 498, 1_000, 1_000]);
  expect(proofs.isDue('pool1')).toBe(false);
});
