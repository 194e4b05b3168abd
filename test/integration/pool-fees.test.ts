import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { readTokenBalance } from '../../src/chain/accounts/token-account.ts';
import type { Database } from '../../src/db/client.ts';
import { findFeeState } from '../../src/features/fees/find-fee-state.ts';
import { listFeeDistributions } from '../../src/features/fees/list-fee-distributions.ts';
import type { FeeState } from '../../src/features/fees/schema.ts';
import { FeeRefresh } from '../../src/indexer/fees/fee-refresh.ts';
import { feeStates } from '../../src/indexer/fees/run-fee-states.ts';
import { type ChainFees, storeChainFees } from '../../src/indexer/store/chain-fees.ts';
import { storeFeeClaimables } from '../../src/indexer/store/fee-claimables.ts';
import { storeFeeDistributions } from '../../src/indexer/store/fee-distributions.ts';
import { storeFeeStates } from '../../src/indexer/store/fee-states.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { claimableMessage, distributionMessage, feeStateMessage } from '../support/market/fees.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { feeDependencies, recordHistory, registerToken } from '../support/market/pool-fees.ts';
import { foreignAccount } from '../support/pools/composition-stage.ts';
import { type DammFixture, lookup, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, eventsOf, openDatabase } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const graduated = readDammFixtures().filter(({ curvePool }) => curvePool !== null);
let db: Database;
let worker: Database;
let chain: SandboxChain;

beforeAll(async () => {
  db = await openDatabase();
  worker = asWorker(db);
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
});

beforeEach(async () => {
  await emptyTables(db, 'tokens', 'events', 'indexer_cursors');
  chain.setFaults({});
  for (const { accountsAfter } of graduated) setAccounts(accountsAfter);
});

function setAccounts(accounts: Iterable<readonly [string, ChainAccount]>): void {
  for (const [address, { owner, data }] of accounts)
    chain.ledger.setAccount(address, {
      lamports: 10_000_000n,
      owner,
      data,
      executable: false,
      rentEpoch: 0n,
    });
  chain.advanceSlots(1);
}

const dependencies = () => feeDependencies(worker, [chain.rpcUrl]);

async function readAll(): Promise<void> {
  const refresh = new FeeRefresh(dependencies());
  while (await refresh.step());
}

async function register(fixture: DammFixture): Promise<void> {
  await registerToken(db, fixture.known.baseMint, fixture.curvePool?.poolAddress ?? '');
}

async function stateOf(mint: string, wallet: string): Promise<FeeState> {
  const state = await findFeeState(db, mint, wallet);
  if (state === null || state === 'unknown') throw new Error(`the fees of ${mint} are ${state}`);
  return state;
}

const paidTo = async (mint: string) =>
  (await listFeeDistributions(db, mint, { limit: 100 }))?.items
    .map(({ recipientWallet, role, amountLamports }) => `${role} ${recipientWallet} ${amountLamports}`)
    .sort();

/** The wallet that the recording says a share is for. */
interface Parties {
  creator: string;
  partner: string;
}

function partiesOf({ known }: DammFixture): Parties {
  return { creator: known.creator, partner: (known as unknown as { feeClaimer: string }).feeClaimer };
}

const lamports = (sol: string) => BigInt(Math.round(Number(sol) * 1e9));

/** Distributions as the README of the recordings makes them follow from its claims. */
function expectedPayments(fixture: DammFixture): string[] {
  const { creator, partner } = partiesOf(fixture);
  const claims = fixture.steps.flatMap(({ expected }) => expected.feeClaims ?? []);
  return claims
    .filter(({ solAmount }) => solAmount !== '0')
    .flatMap(({ kind, claimant, solRecipient, solAmount }) => {
      const role = kind.includes('rotocol')
        ? 'platform'
        : { [creator]: 'creator', [partner]: 'platform' }[claimant];
      return role === undefined ? [] : [`${role} ${solRecipient} ${lamports(solAmount)}`];
    })
    .sort();
}

/** The change of a token account in a step, by the balances of the node. */
function changeOf({ transaction }: DammFixture['steps'][number], address: string): bigint {
  const { meta, transaction: sent } = transaction as unknown as {
    meta: Record<
      'preTokenBalances' | 'postTokenBalances',
      { accountIndex: number; uiTokenAmount: { amount: string } }[]
    > &
      (typeof transaction)['meta'];
    transaction: (typeof transaction)['transaction'];
  };
  const { writable, readonly } = meta.loadedAddresses;
  const index = [...sent.message.accountKeys, ...writable, ...readonly].indexOf(address);
  const of = (balances: { accountIndex: number; uiTokenAmount: { amount: string } }[]) =>
    BigInt(balances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0n);
  return of(meta.postTokenBalances) - of(meta.preTokenBalances);
}

describe.each(graduated)('$name', (fixture) => {
  const { known } = fixture;
  const { creator, partner } = partiesOf(fixture);
  const { quoteVault, ammVaultB } = known as unknown as { quoteVault: string; ammVaultB: string };

  test('each of its claims becomes one distribution, however often and in whatever order it is reported', async () => {
    await register(fixture);
    const pools = fixture.curvePool === null ? [] : [fixture.curvePool];
    // The AMM pool may be read before the migration of the curve.
    await recordHistory(dependencies(), fixture, lookup([fixture.ammPool]));
    await recordHistory(dependencies(), fixture, lookup(pools));
    await readAll();
    await recordHistory(dependencies(), fixture);
    await readAll();
    expect(await paidTo(known.baseMint)).toEqual(expectedPayments(fixture));
    const sent = (await eventsOf(db)).filter((event) => event.startsWith('fee_distribution.completed'));
    expect(sent).toHaveLength(expectedPayments(fixture).length);
  });

  test('its state equals the balances and payments of the vaults', async () => {
    await register(fixture);
    await recordHistory(dependencies(), fixture);
    await readAll();
    const state = await stateOf(known.baseMint, creator);
    const isShared = ({ kind, claimant }: { kind: string; claimant: string }) =>
      kind !== 'positionFee' || claimant === creator || claimant === partner;
    const paid = fixture.steps
      .filter(({ expected }) => expected.feeClaims?.every(isShared))
      .filter(({ expected }) => (expected.feeClaims ?? []).length > 0)
      .reduce((sum, step) => sum - changeOf(step, quoteVault) - changeOf(step, ammVaultB), 0n);
    expect(BigInt(state.distributedLamports)).toBe(paid);
    // After the migration a curve's vault holds nothing but fees; a pool's holds its reserve besides, and gifts.
    const held = (address: string) =>
      readTokenBalance(fixture.accountsAfter.get(address) ?? null, WRAPPED_SOL) ?? 0n;
    const unclaimed = BigInt(state.accruedLamports) - BigInt(state.distributedLamports);
    const reserve = lamports(
      fixture.steps.findLast(({ expected }) => expected.liquidityInSol)?.expected.liquidityInSol ?? '',
    );
    const gifts = fixture.steps
      .filter(({ what }) => what.includes('gift'))
      .reduce((sum, step) => sum + changeOf(step, ammVaultB), 0n);
    const dust = held(quoteVault) + held(ammVaultB) - reserve - gifts - unclaimed;
    // Shares are rounded down, so a pool keeps a unit or two of a swap's fee for nobody.
    expect(dust).toBeGreaterThanOrEqual(0n);
    expect(dust).toBeLessThan(BigInt(fixture.steps.length));
    const claimable = async (wallet: string) =>
      BigInt((await stateOf(known.baseMint, wallet)).claimableLamports);
    expect((await claimable(creator)) + (await claimable(partner))).toBeLessThanOrEqual(unclaimed);
    expect(await claimable(newAddress())).toBe(0n);
    expect(state.feeBps.creator + state.feeBps.platform).toBe(10_000);
    expect(BigInt(state.slot)).toBeLessThanOrEqual(chain.ledger.slot);
  });
});

const [fixture] = graduated as [DammFixture, ...DammFixture[]];
const { baseMint: mint } = fixture.known;
const { creator, partner } = partiesOf(fixture);

test('before its pool was read, the fees of a token are unknown, and so are those of a pool that cannot be read', async () => {
  const [broken, missing] = [newAddress(), newAddress()];
  const foreign = newAddress();
  setAccounts([[foreign, foreignAccount]]);
  await registerToken(db, broken, foreign);
  await registerToken(db, missing, newAddress());
  await register(fixture);
  expect(await findFeeState(db, mint, creator)).toBe('unknown');
  await recordHistory(dependencies(), fixture);
  await readAll();
  expect(await findFeeState(db, broken, creator)).toBe('unknown');
  expect(await findFeeState(db, missing, creator)).toBe('unknown');
  expect(BigInt((await stateOf(mint, partner)).claimableLamports)).toBeGreaterThan(0n);
  const problems = await db`select problem from fee_pools where problem is not null`;
  expect(problems.map(({ problem }) => problem)).toEqual(['pool_unreadable', 'pool_unreadable']);
});

test('a migrated pool with unknown positions has no fee state, not a partial one', async () => {
  await register(fixture);
  await readAll();
  expect(await findFeeState(db, mint, creator)).toBe('unknown');
  await recordHistory(dependencies(), fixture);
  await db`update fee_pools set checked_at = 'epoch'`;
  await readAll();
  expect(await findFeeState(db, mint, creator)).not.toBe('unknown');
});

test('a feed does not count for a token with a pool, before or after, except for payments to stakers', async () => {
  const feed = (slot: number) =>
    db.begin(async (transaction) => {
      const { outbox, describeFeeDistribution } = dependencies();
      await storeFeeStates(transaction, [feeStateMessage(mint, slot)]);
      await storeFeeClaimables(transaction, [
        claimableMessage(mint, creator, slot),
        claimableMessage(mint, partner, slot),
      ]);
      await storeFeeDistributions(transaction, outbox, describeFeeDistribution, [
        distributionMessage(mint, slot),
        { ...distributionMessage(mint, slot + 1), role: 'stakers' as const },
      ]);
    });
  await registerToken(db, mint, fixture.curvePool?.poolAddress ?? '');
  // While it had no pool, the feed counted.
  await db`update tokens set pool_address = null`;
  await feed(900);
  expect(await stateOf(mint, creator)).toMatchObject({
    accruedLamports: '900000',
    claimableLamports: '9000',
  });
  await db`update tokens set pool_address = ${fixture.curvePool?.poolAddress ?? ''}`;
  expect(await findFeeState(db, mint, creator)).toBe('unknown');
  await recordHistory(dependencies(), fixture);
  await readAll();
  const told = await Promise.all([creator, partner].map((wallet) => stateOf(mint, wallet)));
  await feed(9_000_000_000);
  expect(await Promise.all([creator, partner].map((wallet) => stateOf(mint, wallet)))).toEqual(told);
  const payments = (await paidTo(mint)) ?? [];
  expect(payments.filter((payment) => !payment.startsWith('stakers'))).toEqual(expectedPayments(fixture));
  expect(payments.filter((payment) => payment.startsWith('stakers'))).toHaveLength(2);
});

test('a pool is read again when its transactions go on, and claims are found there', async () => {
  await register(fixture);
  await recordHistory(dependencies(), fixture);
  await readAll();
  const before = await stateOf(mint, partner);
  const pool = fixture.curvePool?.poolAddress ?? '';
  const data = Buffer.from(fixture.accountsAfter.get(pool)?.data ?? []);
  // The partner claims a thousand lamports.
  data.writeBigUInt64LE(data.readBigUInt64LE(272) - 1_000n, 272);
  setAccounts([[pool, { owner: fixture.accountsAfter.get(pool)?.owner ?? '', data }]]);
  await readAll();
  expect(await stateOf(mint, partner)).toEqual(before);
  const now = new Date();
  await db`insert into indexer_cursors values (${pool}, 'x', ${String(chain.ledger.slot + 1n)}, ${now})`;
  await db`update fee_pools set checked_at = ${new Date(now.getTime() - 10_000)}`;
  await new FeeRefresh(dependencies()).step();
  const after = await stateOf(mint, partner);
  expect(BigInt(before.claimableLamports) - BigInt(after.claimableLamports)).toBe(1_000n);
  expect(BigInt(after.distributedLamports) - BigInt(before.distributedLamports)).toBe(1_000n);
  expect(after.accruedLamports).toBe(before.accruedLamports);
  expect(BigInt(after.slot)).toBeGreaterThan(BigInt(before.slot));
});

test('while no node responds nothing changes, and a slot far from the head is no answer', async () => {
  await register(fixture);
  await recordHistory(dependencies(), fixture);
  chain.setFaults({ down: 'unavailable' });
  await expect(readAll()).rejects.toThrow();
  chain.setFaults({});
  for (const slot of [chain.ledger.slot + 1_000n, chain.ledger.slot - 1_000n]) {
    const head = { slot, blockHeight: slot, observedAt: new Date() };
    const misled = new FeeRefresh({
      ...dependencies(),
      chainHead: { current: () => head, pace: () => nominalPace },
    });
    await expect(misled.step()).rejects.toThrow('far from the head');
  }
  expect(await findFeeState(db, mint, creator)).toBe('unknown');
  await readAll();
  expect(await findFeeState(db, mint, creator)).not.toBe('unknown');
});

test('a late write of a worker changes nothing after another worker has read more', async () => {
  await register(fixture);
  const wallet = newAddress();
  const at = (slot: bigint, amount: bigint): ChainFees => ({
    mintAddress: mint,
    poolAddress: newAddress(),
    creatorWallet: null,
    leftoverWallet: null,
    feeBps: { creator: 1, platform: 1, stakers: 0 },
    accrued: amount,
    distributed: 0n,
    claimable: new Map([[wallet, amount]]),
    slot,
    asOf: new Date(Number(slot)),
  });
  const stored = () => db`
    select s.slot, s.accrued_lamports, c.claimable_lamports from fee_states s join fee_claimables c using (mint_address)
    where s.mint_address = ${mint}`;
  await worker.begin((transaction) => storeChainFees(transaction, [at(20n, 7n)], [], new Date()));
  const before = [...(await stored())];
  expect(before).toMatchObject([{ slot: 20n, accruedLamports: '7', claimableLamports: '7' }]);
  await worker.begin((transaction) => storeChainFees(transaction, [at(19n, 5n)], [], new Date()));
  expect([...(await stored())]).toEqual(before);
});

test('several workers at once have the same result as one', async () => {
  for (const one of graduated) await register(one);
  const stop = new AbortController();
  const jobs = Array.from({ length: 3 }, () =>
    runTestJob(feeStates(dependencies()), { signal: stop.signal }),
  );
  await Promise.all([...graduated, ...graduated].map((one) => recordHistory(dependencies(), one)));
  const isRead = async () =>
    (await db`select from fee_states where source = 'chain'`).count === graduated.length &&
    (await db`select from fee_claims where status = 'pending'`).count === 0;
  await eventually('all are read', async () => {
    await db`update fee_pools set checked_at = 'epoch' where problem is not null`;
    return isRead();
  });
  stop.abort();
  await Promise.all(jobs);
  for (const one of graduated) expect(await paidTo(one.known.baseMint)).toEqual(expectedPayments(one));
});
