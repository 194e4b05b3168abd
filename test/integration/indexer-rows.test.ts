import { beforeEach, describe, expect, test } from 'bun:test';
import {
  dropAccounts,
  dropUnfollowed,
  keepBalances,
  listAccounts,
} from '../../src/indexer/holders/account-rows.ts';
import { listIndexedPools } from '../../src/indexer/pool-history/list-pools.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { insertRows } from '../support/rows/insert-rows.ts';

// What the statements of the indexer pick from tables that hold a row of every kind.

const db = await openDatabase();

beforeEach(() => emptyTables(db, 'tokens', 'token_pools', 'holder_accounts'));

describe('the pools to read', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const earlier = new Date(now.getTime() - 1);
  const later = new Date(now.getTime() + 1);

  const token = (mintAddress: string, poolAddress: string | null) => ({
    mintAddress,
    poolAddress,
    creatorWallet: 'creator',
    name: mintAddress,
    symbol: 'WIRE',
    decimals: 6,
    totalSupply: '1',
    launchType: 'dbc',
    status: 'bonding',
    createdAt: now,
    updatedAt: now,
  });
  const pool = (mintAddress: string, poolAddress: string, facts: object = {}) => ({
    mintAddress,
    poolAddress,
    program: 'dbc',
    unusableReason: null,
    curvePoolAddress: null,
    migrationSlot: null,
    migrationTransactionIndex: null,
    restsUntil: null,
    graduationThresholdInSol: '85',
    createdAt: now,
    ...facts,
  });

  async function listed(...facts: ('venue' | 'isInspected' | 'isMigrated' | 'migration')[]) {
    const pools = await listIndexedPools(db, now);
    return pools.map((one) => [one.poolAddress, ...facts.map((fact) => one[fact])]);
  }

  test('are the registered ones, inspected or not, in the order of their tokens', async () => {
    await insertRows(db, 'tokens', [
      token('m1', 'unread'),
      token('m2', 'curve'),
      token('m3', null),
      token('m4', 'strange'),
      token('m5', 'unusable'),
      token('m6', 'of another token'),
      token('m7', 'curve without its threshold'),
    ]);
    await insertRows(db, 'token_pools', [
      pool('m2', 'curve'),
      pool('m4', 'strange', { program: 'other' }),
      pool('m5', 'unusable', { unusableReason: 'stable_pool' }),
      pool('m3', 'of another token'),
      pool('m7', 'curve without its threshold', { graduationThresholdInSol: null }),
    ]);
    expect(await listed('venue', 'isInspected')).toEqual([
      ['unread', 'unknown', false],
      ['curve', 'dbc', true],
      ['strange', 'unknown', false],
      ['unusable', 'unknown', false],
      ['of another token', 'unknown', false],
      // Read once more.
      ['curve without its threshold', 'dbc', false],
    ]);
  });

  test('are also those that a curve migrated to, each once, with the place of the migration once it is known', async () => {
    await insertRows(db, 'tokens', [
      token('m1', 'curve1'),
      token('m2', 'amm2'),
      token('m3', 'curve3'),
      token('m4', 'curve4'),
    ]);
    const migrated = { program: 'damm_v2', migrationSlot: 7n, migrationTransactionIndex: 3 };
    await insertRows(db, 'token_pools', [
      pool('m1', 'curve1'),
      pool('m1', 'amm1', { ...migrated, curvePoolAddress: 'curve1' }),
      // It is the registered one itself.
      pool('m2', 'amm2', { ...migrated, curvePoolAddress: 'curve2' }),
      pool('m3', 'amm3', { program: 'damm_v1', curvePoolAddress: 'curve3', migrationSlot: 7n }),
      // No curve made it, and a curve is not what a curve migrates to.
      pool('m4', 'rival', { program: 'damm_v2' }),
      pool('m4', 'copy', { curvePoolAddress: 'curve4' }),
    ]);
    const migration = { slot: 7n, transactionIndex: 3 };
    const pools = await listed('venue', 'isInspected', 'isMigrated', 'migration');
    expect(pools.toSorted()).toEqual([
      ['amm1', 'damm', true, false, migration],
      ['amm2', 'damm', true, false, migration],
      ['amm3', 'damm_v1', true, false, null],
      ['curve1', 'dbc', true, true, null],
      ['curve3', 'unknown', false, true, null],
      ['curve4', 'unknown', false, true, null],
    ]);
    expect(pools.map(([address]) => String(address).slice(-1)).join('')).toBe('112334');
  });

  test('are not those that rest', async () => {
    await insertRows(db, 'tokens', [
      token('m1', 'curve1'),
      token('m2', 'curve2'),
      token('m3', 'curve3'),
      token('m4', 'curve4'),
    ]);
    const amm = (at: number, restsUntil: Date) =>
      pool(`m${at}`, `amm${at}`, { program: 'damm_v2', curvePoolAddress: `curve${at}`, restsUntil });
    await insertRows(db, 'token_pools', [
      pool('m1', 'curve1', { restsUntil: later }),
      amm(1, earlier),
      pool('m2', 'curve2', { restsUntil: now }),
      amm(2, now),
      amm(3, later),
      amm(4, later),
    ]);
    expect((await listed()).flat().toSorted()).toEqual(['amm1', 'amm2', 'curve2', 'curve3', 'curve4']);
  });
});

describe('the kept accounts of a token', () => {
  const balance = (mintAddress: string, accountAddress: string, amountRaw: bigint, slot = 5n, place = 5) => ({
    mintAddress,
    accountAddress,
    owner: `owner of ${accountAddress}`,
    amountRaw,
    slot,
    place,
  });
  const keep = (...balances: ReturnType<typeof balance>[]) =>
    db.begin((transaction) => keepBalances(transaction, balances));
  const accountsOf = async (mint: string, after = '', limit = 9) =>
    (await listAccounts(db, mint, after, limit)).map(({ accountAddress }) => accountAddress);

  test('are listed in the order of their addresses, page by page, and without those of other tokens', async () => {
    await keep(
      ...['d', 'b', 'a', 'c'].flatMap((name) => [balance('one', name, 1n), balance('two', name, 2n)]),
    );
    expect(await accountsOf('one')).toEqual(['a', 'b', 'c', 'd']);
    expect(await accountsOf('one', '', 2)).toEqual(['a', 'b']);
    expect(await accountsOf('one', 'b', 2)).toEqual(['c', 'd']);
    expect(await accountsOf('one', 'd')).toEqual([]);
    expect(await listAccounts(db, 'two', 'c', 1)).toEqual([
      { accountAddress: 'd', ownerAddress: 'owner of d', balanceRaw: '2', slot: 5n },
    ]);
  });

  test('have the balance that came last on the chain, whatever is written last', async () => {
    await keep(balance('one', 'a', 1n), balance('two', 'a', 1n));
    const kept = async () => (await listAccounts(db, 'one', '', 1))[0]?.balanceRaw;
    for (const [amountRaw, slot, place, expected] of [
      [2n, 5n, 5, '1'],
      [3n, 5n, 4, '1'],
      [4n, 4n, 9, '1'],
      [5n, 5n, 6, '5'],
      [6n, 6n, 0, '6'],
    ] as const) {
      await keep(balance('one', 'a', amountRaw, slot, place));
      expect(await kept()).toBe(expected);
    }
    expect((await listAccounts(db, 'two', '', 1))[0]?.balanceRaw).toBe('1');
  });

  test('are dropped by a snapshot unless they came after it, and only those it names', async () => {
    await keep(
      balance('one', 'before', 1n, 4n),
      balance('one', 'in', 1n, 5n),
      balance('one', 'after', 1n, 6n),
      balance('one', 'other', 1n, 4n),
      balance('two', 'before', 1n, 4n),
    );
    await db.begin((transaction) => dropAccounts(transaction, 'one', ['before', 'in', 'after'], 5n));
    expect(await accountsOf('one')).toEqual(['after', 'other']);
    expect(await accountsOf('two')).toEqual(['before']);
  });

  test('of a token that is not followed are dropped piece by piece', async () => {
    await keep(...['a', 'b', 'c'].flatMap((name) => [balance('one', name, 1n), balance('two', name, 1n)]));
    expect(await dropUnfollowed(db, 'one', 2)).toBe(2);
    expect(await accountsOf('one')).toHaveLength(1);
    expect(await dropUnfollowed(db, 'one', 2)).toBe(1);
    expect(await accountsOf('two')).toEqual(['a', 'b', 'c']);
  });
});
