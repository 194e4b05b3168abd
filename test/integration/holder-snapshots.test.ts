import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { FOLLOWED_ACCOUNTS_MAX } from '../../src/indexer/holders/size-classes.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import {
  accountAddress,
  HELD_AT_SECONDS,
  type HolderFaults,
  type HolderNode,
  type HolderNodeOptions,
  ownerAddress,
  startHolderNode,
} from '../support/chain/holder-node.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { balanceTransaction } from '../support/holders/balance-transaction.ts';
import { holderCounter, holdersOf, knowMint, makeDue } from '../support/holders/holder-world.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';

const MINT_BYTES = new Uint8Array(32).fill(6);
const MINT = encodeAddress(MINT_BYTES);
let db: Database;
let worker: Database;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
});

beforeEach(async () => {
  await emptyTables(db, 'tokens', 'holder_accounts');
  await knowMint(db, MINT);
});

/** Lists `count` accounts, two to an owner, each with one unit. */
function startNode(count: number, changes: Partial<HolderNodeOptions> = {}): Promise<HolderNode> {
  return startHolderNode({
    mint: MINT_BYTES,
    slot: 50n,
    count,
    supplyRaw: BigInt(count),
    hasAddresses: true,
    accountAt: (position) => ({ owner: Math.floor(position / 2), amountRaw: 1n }),
    ...changes,
  });
}

/** The same pool, but the process seems to be gone at its transaction of this number. */
function killedAt(pool: Database, number: number): Database {
  let begun = 0;
  return new Proxy(pool, {
    get(target, property) {
      if (property !== 'begin') return Reflect.get(target, property);
      return (...parameters: Parameters<Database['begin']>) => {
        begun += 1;
        if (begun >= number) throw new Error('killed');
        return target.begin(...parameters);
      };
    },
  });
}

const stored = async () => (await db`select from holder_accounts`).count;

describe('a node that lies', () => {
  test.each<[string, HolderFaults & Partial<HolderNodeOptions>]>([
    ['leaves accounts out', { supplyRaw: 11n }],
    ['makes accounts up', { supplyRaw: 9n }],
    ['ends its list early', { truncateAt: 5 }],
    ['lists accounts of another mint', { otherMintAt: 3 }],
    ['lists accounts of another length', { wrongLengthAt: 3 }],
    ['lists an account twice', { hasAddresses: false }],
    ['names no slot', { withoutSlot: true }],
    ['names a slot the chain cannot have reached', { slot: 5_000n }],
    ['refuses to list', { refuse: true }],
    ['does not know the mint', { withoutMint: true }],
  ])('which %s is left for the next one', async (_, wrong) => {
    const lying = await startNode(10, { ...wrong, faults: wrong });
    const honest = await startNode(10);
    const chainHead = {
      current: () => ({ slot: 60n, blockHeight: 60n, observedAt: new Date() }),
      pace: () => nominalPace,
    };
    expect(await holderCounter(worker, [lying.url], { chainHead }).count()).not.toBe('counted');
    expect(await holdersOf(db, MINT)).toBeNull();
    expect(await stored()).toBe(0);
    await makeDue(db);
    expect(await holderCounter(worker, [lying.url, honest.url], { chainHead }).count()).toBe('counted');
    expect(await holdersOf(db, MINT)).toEqual({
      mintAddress: MINT,
      holderCount: 5,
      provenance: 'onchain_snapshot',
      slot: '50',
      asOf: new Date(HELD_AT_SECONDS * 1000).toISOString(),
    });
  });

  test('which lags behind what is counted changes nothing', async () => {
    const [ahead, behind] = [await startNode(10), await startNode(4, { slot: 49n })];
    await holderCounter(worker, [ahead.url]).count();
    await makeDue(db);
    expect(await holderCounter(worker, [behind.url]).count()).toBe('failed');
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: 5, slot: '50' });
  });
});

describe('a worker that is killed', () => {
  test.each([2, 3, 4, 5])(
    'at its transaction %p leaves a count that was true, and another finishes',
    async (number) => {
      const before = await startNode(10);
      const after = await startNode(6, {
        slot: 70n,
        supplyRaw: 12n,
        accountAt: (position) => ({ owner: Math.floor(position / 2), amountRaw: 2n }),
      });
      await holderCounter(worker, [before.url]).count();
      await makeDue(db);
      await expect(holderCounter(killedAt(worker, number), [after.url]).count()).rejects.toThrow('killed');
      const other = holderCounter(worker, [after.url]);
      expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: 5, slot: '50' });
      // This is of a later slot: it is kept, and counted when the snapshot is whole.
      await other.apply(
        balanceTransaction(MINT, 80n, 0, { account: accountAddress(90), owner: ownerAddress(90), after: 1n }),
      );
      await makeDue(db);
      expect(await other.count()).toBe('counted');
      expect(await holdersOf(db, MINT)).toMatchObject({
        holderCount: 4,
        slot: '80',
        provenance: 'live_trade_index',
      });
      expect(await stored()).toBe(7);
    },
  );
});

describe('a token of many accounts', () => {
  test('is followed up to 100,000 of them', async () => {
    const node = await startNode(FOLLOWED_ACCOUNTS_MAX);
    const { count, apply } = holderCounter(worker, [node.url]);
    expect(await count()).toBe('counted');
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: FOLLOWED_ACCOUNTS_MAX / 2 });
    expect(await stored()).toBe(FOLLOWED_ACCOUNTS_MAX);
    await apply(balanceTransaction(MINT, 80n, 0, { account: MINT, owner: MINT, after: 1n }));
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: FOLLOWED_ACCOUNTS_MAX / 2 + 1 });
  });

  test('is only counted beyond, and followed again from its own slot on once it is small', async () => {
    const large = await startNode(FOLLOWED_ACCOUNTS_MAX + 2);
    const growing = holderCounter(worker, [large.url]);
    const change = (slot: bigint) =>
      balanceTransaction(MINT, slot, 0, { account: accountAddress(0), owner: ownerAddress(7), after: 0n });
    await growing.apply(change(40n));
    expect(await growing.count()).toBe('counted');
    const holderCount = FOLLOWED_ACCOUNTS_MAX / 2 + 1;
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount, provenance: 'onchain_snapshot' });
    expect(await stored()).toBe(0);
    await growing.apply(change(60n));
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount, slot: '50' });
    expect(await stored()).toBe(0);

    const small = await startNode(10, { slot: 55n });
    const { count } = holderCounter(worker, [small.url]);
    await makeDue(db);
    expect(await count()).toBe('again');
    expect(await count()).toBe('failed');
    const later = await startNode(10, { slot: 61n });
    const follower = holderCounter(worker, [later.url]);
    await makeDue(db);
    expect(await follower.count()).toBe('counted');
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: 5, slot: '61' });
    await follower.apply(balanceTransaction(MINT, 62n, 0, { account: MINT, owner: MINT, after: 1n }));
    expect(await holdersOf(db, MINT)).toMatchObject({ holderCount: 6, slot: '62' });
  });

  test('whose count went on beyond its first large snapshot waits for a later one', async () => {
    const large = await startNode(FOLLOWED_ACCOUNTS_MAX + 2);
    const { count, apply } = holderCounter(worker, [large.url]);
    await apply(balanceTransaction(MINT, 51n, 0, { account: MINT, owner: MINT, after: 1n }));
    expect(await count()).toBe('again');
    expect(await count()).toBe('failed');
    const later = await startNode(FOLLOWED_ACCOUNTS_MAX + 2, { slot: 51n });
    await makeDue(db);
    expect(await holderCounter(worker, [later.url]).count()).toBe('counted');
    expect(await holdersOf(db, MINT)).toMatchObject({ slot: '51', provenance: 'onchain_snapshot' });
  });
});
