import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { readPoolConfig } from '../../src/chain/accounts/pool-config.ts';
import { BONDING_CURVE } from '../../src/chain/accounts/programs.ts';
import { readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import type { Database } from '../../src/db/client.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { listIndexedPools } from '../../src/indexer/pool-history/list-pools.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { RecordedChain } from '../support/chain/recorded-rpc.ts';
import { knowToken, startIndexer, storedTrades } from '../support/market/chain-indexer.ts';
import { clearIndexerStage, createIndexerStage } from '../support/market/indexer-stage.ts';
import type { ExpectedTrade, RecordedTransaction } from '../support/pools/curve-fixtures.ts';
import { dammFixture } from '../support/pools/damm-fixtures.ts';
import { DammV1Life } from '../support/pools/damm-v1-life.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

// A registered pool may be of any program. Its trades are read even before its account shows which.

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

/** SOL at which a curve is complete, from the accounts of the recording; null for an AMM pool. */
function thresholdOf(poolAddress: string, accounts: ReadonlyMap<string, ChainAccount>): string | null {
  const account = accounts.get(poolAddress) ?? null;
  const curvePool = account?.owner === BONDING_CURVE ? readVirtualPool(account) : null;
  const config = curvePool === null ? null : readPoolConfig(accounts.get(curvePool.config) ?? null);
  return config === null ? null : rawToDecimal(config.migrationQuoteThreshold, 9);
}

interface RegisteredPool {
  venue: 'dbc' | 'damm' | 'damm_v1';
  pool: { poolAddress: string; mintAddress: string; decimals: number };
  transactions: RecordedTransaction[];
  expected: Omit<ExpectedTrade, 'poolAddress'>[];
  accountsAfter: ReadonlyMap<string, ChainAccount>;
  liquidityAfter: string;
}

function curve(): RegisteredPool {
  const { steps, known, curvePool, accountsAfter } = dammFixture('b');
  if (curvePool === null) throw new Error('the history has no curve');
  const migration = steps.findIndex(({ expected }) => expected.migrated !== null);
  const onCurve = steps.slice(0, migration);
  const last = onCurve.findLast(({ expected }) => expected.liquidityPool === known.pool);
  return {
    venue: 'dbc',
    pool: curvePool,
    transactions: onCurve.map(({ transaction }) => transaction),
    expected: onCurve.flatMap(({ expected: { trades } }) =>
      trades.map(({ venue: _venue, poolAddress: _pool, ...trade }) => trade),
    ),
    accountsAfter,
    liquidityAfter: last?.expected.liquidityInSol ?? '',
  };
}

function dammV2(): RegisteredPool {
  const { steps, ammPool, accountsAfter } = dammFixture('d');
  const last = steps.findLast(({ expected }) => expected.liquidityInSol !== null);
  return {
    venue: 'damm',
    pool: ammPool,
    transactions: steps.map(({ transaction }) => transaction),
    expected: steps.flatMap(({ expected: { trades } }) =>
      trades.map(({ venue: _venue, poolAddress: _pool, ...trade }) => trade),
    ),
    accountsAfter,
    liquidityAfter: last?.expected.liquidityInSol ?? '',
  };
}

function dammV1(): RegisteredPool {
  const life = new DammV1Life('a');
  life.expected.splice(0);
  const transactions = [
    life.trade([{ gives: 'sol', inRaw: 2_000_000_000n }]),
    life.trade([{ gives: 'token', inRaw: 1_000_000_000n }]),
    life.trade([{ gives: 'sol', inRaw: 3_000_000_000n }], { isRouted: true }),
  ];
  const { mintAddress, market, fixture } = life;
  return {
    venue: 'damm_v1',
    pool: { mintAddress, poolAddress: market.poolAddress, decimals: fixture.decimals },
    transactions,
    expected: life.expected.map(({ poolAddress: _pool, ...trade }) => trade),
    accountsAfter: life.accounts(),
    liquidityAfter: life.liquidityInSol(),
  };
}

const silences = [
  { what: 'says that there is no account', begin: () => chain.setAccounts(new Map()) },
  { what: 'refuses to tell accounts', begin: () => {} },
];
for (const make of [curve, dammV2, dammV1])
  for (const { what, begin } of silences)
    test(`a registered pool (${make.name}) is read whole, and once, by a node that ${what}`, async () => {
      const { venue, pool, transactions, expected, accountsAfter, liquidityAfter } = make();
      const node = chain.startNode();
      atEnd(() => node.stop());
      begin();
      chain.add(...transactions);
      await knowToken(db, { name: 'registered', pool });
      const stored = async () =>
        (await storedTrades(db, { pool })).map(({ poolAddress: _pool, ...trade }) => trade);
      const liquidity = async () => (await findMarketSnapshot(db, pool.mintAddress))?.liquidityInSol;
      const run = startIndexer({ db, connection }, [node.url], { limits: { pageSize: 3, batchSize: 2 } });
      try {
        await eventually('all is read', async () => {
          const [cursor] = await db`
            select last_signature from indexer_cursors where pool_address = ${pool.poolAddress}`;
          return cursor?.lastSignature === transactions.at(-1)?.transaction.signatures[0];
        });
        await eventually('trades', async () => (await stored()).length >= expected.length);
        expect(await stored()).toEqual(expected);
        if (what.startsWith('refuses'))
          await eventually('given up', async () =>
            run.logged.some(({ msg }) => msg === 'indexer.pool_not_inspected'),
          );
        chain.setAccounts(accountsAfter, { areNew: true });
        await eventually('liquidity', async () => (await liquidity()) === liquidityAfter);
        expect(run.unused).toEqual([]);
      } finally {
        await run.stop();
      }
      // After a restart its account is looked at, whatever came before, and none of its trades is read twice.
      const again = startIndexer({ db, connection }, [node.url]);
      const listed = async () => {
        const pools = await listIndexedPools(db, new Date());
        return pools.find(({ poolAddress }) => poolAddress === pool.poolAddress);
      };
      try {
        await eventually('inspected', async () => (await listed())?.isInspected !== false);
      } finally {
        await again.stop();
      }
      expect((await listed())?.venue ?? venue).toBe(venue);
      const [shown] = await db`
        select graduation_threshold_in_sol as threshold from token_pools where pool_address = ${pool.poolAddress}`;
      expect(shown?.threshold ?? null).toBe(thresholdOf(pool.poolAddress, accountsAfter));
      expect(await stored()).toEqual(expected);
    });
