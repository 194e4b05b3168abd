import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { accountAddress, ownerAddress, startHolderNode } from '../support/chain/holder-node.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { balanceTransaction } from '../support/holders/balance-transaction.ts';
import { holderCounter, holdersOf, knowMint } from '../support/holders/holder-world.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';

const MINT_BYTES = new Uint8Array(32).fill(6);
const MINT = encodeAddress(MINT_BYTES);
const SNAPSHOT_SLOT = 50;
const ACCOUNTS = 6;
let db: Database;
let worker: Database;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
});

const amount = fc.integer({ min: 0, max: 2 });
const owner = fc.integer({ min: 0, max: 3 });
/** Changes on the chain, in order: each sets the balance of one account of an owner, or closes it. */
const happening = fc.record({
  account: fc.integer({ min: 0, max: ACCOUNTS - 1 }),
  owner,
  after: fc.option(amount, { freq: 3 }),
});
const history = fc.record({
  before: fc.array(happening, { maxLength: 12 }),
  later: fc.array(happening, { maxLength: 12 }),
  /** Where the indexer's readings come: some before the snapshot is taken, any of them again. */
  early: fc.array(fc.nat(), { maxLength: 10 }),
  readings: fc.array(fc.nat(), { maxLength: 30 }),
  perSlot: fc.integer({ min: 1, max: 3 }),
  batch: fc.integer({ min: 1, max: 4 }),
});

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

/** The final accounts: the last change of each. */
function accountsAfter(happened: readonly Happening[]): Map<number, Happening> {
  const accounts = new Map<number, Happening>();
  for (const one of happened) {
    if (one.after === null) accounts.delete(one.account);
    else accounts.set(one.account, one);
  }
  return accounts;
}

test('any order and repetition of balances around a snapshot counts what the accounts hold in the end', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ before, later, early, readings, perSlot, batch }) => {
      await emptyTables(db, 'tokens', 'holder_accounts');
      await knowMint(db, MINT);
      const listed = [...accountsAfter(before).values()];
      const node = await startHolderNode({
        mint: MINT_BYTES,
        slot: BigInt(SNAPSHOT_SLOT),
        count: listed.length,
        hasAddresses: true,
        supplyRaw: BigInt(listed.reduce((sum, { after }) => sum + (after ?? 0), 0)),
        addressAt: (position) => listed[position]?.account ?? 0,
        accountAt: (position) => ({
          owner: listed[position]?.owner ?? 0,
          amountRaw: BigInt(listed[position]?.after ?? 0),
        }),
      });
      const { count, apply } = holderCounter(worker, [node.url]);
      // Everything before the snapshot ends in its slot, the rest begins in the next one.
      const firstSlot = SNAPSHOT_SLOT - Math.ceil(before.length / perSlot) + 1;
      const place = (one: Happening, at: number, from: number) =>
        balanceTransaction(MINT, BigInt(from + Math.floor(at / perSlot)), at % perSlot, {
          account: accountAddress(one.account),
          owner: ownerAddress(one.owner),
          after: one.after === null ? null : BigInt(one.after),
        });
      const transactions = [
        ...before.map((one, at) => place(one, at, firstSlot)),
        ...later.map((one, at) => place(one, at, SNAPSHOT_SLOT + 1)),
      ];
      const read = async (numbers: readonly number[]) => {
        const chosen = numbers.flatMap((number) => transactions[number % transactions.length] ?? []);
        for (let at = 0; at < chosen.length; at += batch) await apply(...chosen.slice(at, at + batch));
      };
      await read(early);
      expect(await count()).toBe('counted');
      await read(readings);
      // What was not read yet is read in the end, oldest last.
      await read(transactions.map((_, at) => transactions.length - 1 - at));
      const holders = new Set<number>();
      for (const one of accountsAfter([...before, ...later]).values())
        if ((one.after ?? 0) > 0) holders.add(one.owner);
      expect((await holdersOf(db, MINT))?.holderCount).toBe(holders.size);
      await node.stop();
    }),
    { numRuns: 150 },
  );
});

test('an account that is closed and opened again for another mint leaves the first one, in one transaction or in one batch', async () => {
  const other = encodeAddress(new Uint8Array(32).fill(7));
  const [account, owner] = [accountAddress(0), ownerAddress(0)];
  const balance = (mint: string, amount: string) => [
    { accountIndex: 0, mint, owner, uiTokenAmount: { amount } },
  ];
  const reopened = readChainTransaction({
    slot: 20,
    blockTime: 1_800_000_020,
    meta: {
      err: null,
      innerInstructions: [],
      preTokenBalances: balance(MINT, '5'),
      postTokenBalances: balance(other, '3'),
    },
    transaction: { signatures: ['reopened'], message: { accountKeys: [account], instructions: [] } },
  });
  const ways = [
    [{ transactionIndex: 0, transaction: reopened }],
    [
      balanceTransaction(MINT, 20n, 0, { account, owner, after: null }),
      balanceTransaction(other, 20n, 1, { account, owner, after: 3n }),
    ],
  ];
  for (const transactions of ways) {
    await emptyTables(db, 'tokens', 'holder_accounts');
    for (const mint of [MINT, other]) await knowMint(db, mint);
    const { apply } = holderCounter(worker, []);
    await apply(balanceTransaction(MINT, 10n, 0, { account, owner, after: 5n }));
    await apply(...transactions);
    const rows = await db`select mint_address, balance_raw::int as balance from holder_accounts`;
    expect(new Map(rows.map(({ mintAddress, balance: left }) => [mintAddress, left]))).toEqual(
      new Map([
        [MINT, 0],
        [other, 3],
      ]),
    );
  }
});
