import { expect, test } from 'bun:test';
import { DAMM_V1 } from '../../src/chain/accounts/programs.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool, Venue } from '../../src/indexer/decode/known-pools.ts';
import { signatureOf } from '../support/market/market-arbitraries.ts';
import { builtTransaction } from '../support/pools/built-transaction.ts';
import { AMM, CURVE, keysOf } from '../support/pools/changed-recordings.ts';
import { type RecordedTransaction, readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { DammV1Market } from '../support/pools/damm-v1-market.ts';
import { readDammV1Recordings } from '../support/pools/damm-v1-recordings.ts';
import { addressOf } from '../support/pools/program-idl.ts';

// A pool of an unknown program is decoded as one of each program.

const asOne = (pool: TokenPool, venue: Venue | 'unknown') => ({ ...pool, venue }) as TokenPool;

/** Every recorded transaction with every pool of its history. */
const recorded: { transaction: RecordedTransaction; pool: TokenPool }[] = [
  ...readCurveFixtures().flatMap(({ pool, steps }) =>
    steps.map(({ transaction }) => ({ transaction, pool: asOne(pool, 'dbc') })),
  ),
  ...readDammFixtures().flatMap(({ curvePool, ammPool, steps }) =>
    steps.flatMap(({ transaction }) => [
      ...(curvePool === null ? [] : [{ transaction, pool: asOne(curvePool, 'dbc') }]),
      { transaction, pool: ammPool },
    ]),
  ),
  ...readDammV1Recordings().flatMap(({ pool, steps }) =>
    steps.map(({ transaction }) => ({ transaction, pool })),
  ),
];

/** Facts of the pool itself; a migration is reported for either of its two pools. */
const factsOf = ({ trades, launches, ammPoolsCreated, curveCompletions, ...more }: DecodedTransaction) => [
  ...trades,
  ...launches,
  ...ammPoolsCreated,
  ...curveCompletions,
  ...more.feeClaims,
  ...more.liquidityChanges,
  ...more.positionsCreated,
  ...more.permanentLocks,
];

test('every recorded transaction yields the same facts before the program is known, and no other program matches', () => {
  const told: Record<string, number> = { dbc: 0, damm: 0, damm_v1: 0 };
  for (const { transaction, pool } of recorded) {
    const read = readChainTransaction(transaction);
    const known = decodeTransaction(read, pool);
    expect(decodeTransaction(read, asOne(pool, 'unknown'))).toEqual(known);
    told[pool.venue ?? 'dbc'] = (told[pool.venue ?? 'dbc'] ?? 0) + known.trades.length;
    for (const venue of ['dbc', 'damm', 'damm_v1'] as const)
      if (venue !== pool.venue) {
        const others = decodeTransaction(read, asOne(pool, venue));
        expect([factsOf(others), others.skippedSwaps, others.skippedEvents]).toEqual([[], [], []]);
      }
  }
  expect(Object.values(told).every((trades) => trades >= 16)).toBe(true);
});

test('events of another program in the format of a trading program are not believed for a pool of unknown program', () => {
  let trades = 0;
  for (const { transaction, pool } of recorded) {
    const copy = structuredClone(transaction);
    // No account is added: the instructions are those of a program that is none of the three.
    const keys = copy.transaction.message.accountKeys;
    for (const [at, key] of keysOf(copy).entries())
      if ([CURVE, AMM, DAMM_V1].includes(key) && at < keys.length)
        keys[at] = addressOf(`in the place of ${key}`);
    trades += decodeTransaction(readChainTransaction(transaction), asOne(pool, 'unknown')).trades.length;
    expect(decodeTransaction(readChainTransaction(copy), asOne(pool, 'unknown')).trades).toEqual([]);
  }
  expect(trades).toBeGreaterThan(0);
});

test('a swap of DAMM v1 whose mint no balance shows is no trade of the token while the pool is not known to be its own', () => {
  const side = { totalRaw: 900_000_000_000n, lockedProfitRaw: 0n, lastReportSeconds: 0n };
  const vault = { ...side, lockedProfitDegradation: 0n, supply: 800_000_000_000n, shares: 300_000_000_000n };
  const mintAddress = addressOf('the token');
  const market = new DammV1Market({ mintAddress, sol: vault, token: vault });
  const swap = market.swap({
    trader: addressOf('a trader'),
    gives: 'sol',
    inRaw: 5_000_000_000n,
    unixSeconds: 1_797_000_000n,
  });
  if (swap === null) throw new Error('the library refuses');
  const decode = (mints: Record<string, string>) =>
    decodeTransaction(
      readChainTransaction(
        builtTransaction([swap.call], {
          signature: signatureOf(1),
          slot: 5,
          blockTime: 1_797_000_000,
          mints,
        }),
      ),
      { venue: 'unknown', poolAddress: market.poolAddress, mintAddress, decimals: 6 },
    );
  const { tokenVault } = market.sides[0];
  expect(decode({ [tokenVault]: mintAddress })).toMatchObject({
    trades: [{ venue: 'damm_v1', mintAddress }],
  });
  expect(decode({})).toMatchObject({ trades: [], skippedSwaps: ['unreadable'] });
  expect(decode({ [tokenVault]: addressOf('another token') })).toMatchObject({
    trades: [],
    skippedSwaps: ['mint_differs'],
  });
});
