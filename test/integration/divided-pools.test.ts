import { beforeAll, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { RunningChild } from '../../sandbox/services/child-process.ts';
import { advisoryLocks } from '../../src/db/advisory-lock.ts';
import type { Database } from '../../src/db/client.ts';
import { POOL_SHARDS } from '../../src/indexer/pool-history/pool-shards.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { knowToken } from '../support/market/chain-indexer.ts';
import { clearIndexerStage } from '../support/market/indexer-stage.ts';
import { PoolChain } from '../support/market/pool-chain.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const POOLS = 12;
/** Second keys of the locks of shards are at least this. */
const FIRST_SHARD = 16;

let stage: WorkerStage;
let connection: NatsConnection;
let db: Database;

beforeAll(async () => {
  stage = await createWorkerStage();
  ({ db } = stage);
  connection = await connectBus(stage.nats.url, 'test');
  atEnd(() => connection.close());
});

/** Pools of known tokens that trade, and what landed in each, in its order. */
class TradingPools {
  readonly #market: PoolChain;
  readonly #landed = new Map<string, string[]>();

  constructor(market: PoolChain) {
    this.#market = market;
  }

  static async launch(): Promise<TradingPools> {
    await clearIndexerStage({ db, connection });
    const market = await PoolChain.start('manual');
    atEnd(() => market.chain.stop());
    const pools = new TradingPools(market);
    for (let at = 0; at < POOLS; at += 1) {
      const { mintAddress, poolAddress, signature } = market.launch();
      pools.#landed.set(mintAddress, [signature]);
      const pool = { mintAddress, decimals: 6, poolAddress };
      await knowToken(db, { name: `Pool ${at}`, pool }, { poolAddress });
    }
    market.chain.ledger.advanceSlots(2n);
    return pools;
  }

  startWorker(): Promise<RunningChild> {
    const { rpcUrl, socketUrl } = this.#market.chain;
    return stage.startWorker({
      SOLANA_RPC_URL: rpcUrl,
      SOLANA_WS_URL: socketUrl,
      INDEXER_REQUESTS_PER_SECOND: '1000',
    });
  }

  /** Lands trades in all pools, several in each slot. */
  trade(rounds: number): void {
    for (let at = 0; at < rounds * POOLS; at += 1) {
      const { mintAddress, signature } = this.#market.trade(at);
      this.#landed.get(mintAddress)?.push(signature);
      if (at % 5 === 4) this.#market.chain.ledger.advanceSlots(1n);
    }
    this.#market.chain.ledger.advanceSlots(2n);
  }

  get count(): number {
    return [...this.#landed.values()].reduce((sum, signatures) => sum + signatures.length, 0);
  }

  async untilStored(): Promise<void> {
    await eventually('all trades', async () => {
      const [row] = await db<{ count: number }[]>`select count(*)::int as count from trades`;
      return (row?.count ?? 0) >= this.count;
    });
  }

  /** Every trade is stored and published once, and each pool's are in the order of the chain. */
  async expectWhole(): Promise<void> {
    await this.untilStored();
    const rows = await db<{ mintAddress: string; signature: string }[]>`
      select mint_address, transaction_signature as signature from trades
      order by slot, transaction_index, outer_index, inner_index`;
    const stored = Map.groupBy(rows, ({ mintAddress }) => mintAddress);
    for (const [mint, signatures] of this.#landed)
      expect(stored.get(mint)?.map(({ signature }) => signature)).toEqual(signatures);
    expect(rows).toHaveLength(this.count);
    const { streams } = await jetstreamManager(connection);
    const subject = ingestSubject('trade');
    const { state } = await streams.info(INGEST_STREAM, { subjects_filter: subject });
    expect(state.subjects?.[subject]).toBe(this.count);
  }
}

/** The number of shards of each session that holds some. */
async function heldShards(): Promise<number[]> {
  const rows = await db<{ count: number }[]>`
    select count(*)::int as count from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLocks.chainIndexer} and objid >= ${FIRST_SHARD} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
    group by pid order by count desc`;
  return rows.map(({ count }) => count);
}

async function untilHeld(...counts: number[]): Promise<void> {
  await eventually(`shards ${counts}`, async () => String(await heldShards()) === String(counts));
}

test('workers divide the pools; while one comes and one is killed, each trade is stored once, in its order', async () => {
  const pools = await TradingPools.launch();
  const first = await pools.startWorker();
  await untilHeld(POOL_SHARDS);
  const second = await pools.startWorker();
  pools.trade(2);
  await untilHeld(8, 8);
  pools.trade(2);
  await pools.untilStored();
  const third = await pools.startWorker();
  pools.trade(2);
  await untilHeld(6, 6, 4);
  await pools.expectWhole();
  pools.trade(3);
  await eventually(
    'a part of the trades',
    async () => (await db`select from trades`).length > pools.count - 30,
  );
  await first.kill();
  pools.trade(2);
  await pools.expectWhole();
  await untilHeld(8, 8);
  expect(await third.stop()).toEqual({ code: 0, signal: null });
  await untilHeld(POOL_SHARDS);
  pools.trade(1);
  await pools.expectWhole();
  expect(await second.stop()).toEqual({ code: 0, signal: null });
});

test('the pools of a frozen worker are read by another, and awake again it doubles nothing', async () => {
  const pools = await TradingPools.launch();
  const [frozen, other] = [await pools.startWorker(), await pools.startWorker()];
  await untilHeld(8, 8);
  pools.trade(2);
  process.kill(frozen.pid, 'SIGSTOP');
  pools.trade(2);
  await untilHeld(POOL_SHARDS);
  await pools.untilStored();
  process.kill(frozen.pid, 'SIGCONT');
  pools.trade(2);
  await untilHeld(8, 8);
  pools.trade(2);
  await pools.expectWhole();
  for (const worker of [frozen, other]) expect(await worker.stop()).toEqual({ code: 0, signal: null });
});
