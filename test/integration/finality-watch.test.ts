import { beforeAll, expect, test } from 'bun:test';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { FinalityWatch, takeBack } from '../../src/indexer/finality/compare-finalized.ts';
import { NodeSet } from '../../src/indexer/pool-history/node-set.ts';
import { POOL_SHARDS, PoolShards } from '../../src/indexer/pool-history/pool-shards.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { registerToken } from '../support/market/pool-fees.ts';
import { openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { fastTime } from '../support/run/fast-time.ts';

const [mint, poolAddress] = [newAddress(), newAddress()];
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
  await registerToken(db, mint, poolAddress);
});

/** A node that knows nothing, and says so when the test lets it. */
function startNode() {
  const asked = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      asked.resolve();
      await answers.promise;
      return new Response('broken', { status: 500 });
    },
  });
  atEnd(() => server.stop(true));
  const nodes = new NodeSet(createChainRpcs([`http://127.0.0.1:${server.port}`]), silentLog);
  return { nodes, asked: asked.promise, answer: answers.resolve };
}

// Nothing is published in these tests.
const connection = undefined as never;

test('a worker gives pools away only when it no longer compares them', async () => {
  const { nodes, asked, answer } = startNode();
  const shards = new PoolShards();
  await shards.hold(new Set(Array(POOL_SHARDS).keys()));
  const dependencies = { db, connection, nodes, shards, clock: systemClock, log: silentLog, time: fastTime };
  const watch = new FinalityWatch({ ...dependencies, onRolledBack: () => {} });
  await watch.ends.add({ poolAddress, signature: newAddress(), slot: 20n });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await asked;
  let isGiven = false;
  const given = shards.hold(new Set()).then(() => {
    isGiven = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isGiven).toBe(false);
  answer();
  await given;
  stop.abort();
  await running;
});

test('what was read of a pool never counts as more because a later block was dropped', async () => {
  const { nodes, answer } = startNode();
  answer();
  const trades = [10n, 20n].map((slot) => numberedTrade(mint, Number(slot), { slot, onCurve: true }));
  await db.begin((sql) => storeTrades(sql, trades));
  const cursorAt = async (slot: bigint) => {
    await db`delete from indexer_cursors`;
    await db`
      insert into indexer_cursors (pool_address, last_signature, last_slot, updated_at)
      values (${poolAddress}, ${newAddress()}, ${slot}, now())`;
    const batch = { poolAddress, signature: newAddress(), slot: 20n, takenBackAt: null };
    await takeBack({ db, connection, nodes, now: () => new Date() }, batch);
    const [cursor] = await db<{ slot: bigint }[]>`select last_slot as slot from indexer_cursors`;
    return cursor?.slot;
  };
  expect(await cursorAt(25n)).toBe(10n);
  expect(await cursorAt(5n)).toBe(5n);
});
