import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import type { Database } from '../../src/db/client.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { advancePresales } from '../../src/features/presales/advance-presales.ts';
import { allocationRaw, saleSupplyRaw } from '../../src/features/presales/allocation.ts';
import { findPresale } from '../../src/features/presales/find-presale.ts';
import type { PresaleMovement } from '../../src/features/presales/movement-rules.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import { SETTLING_GRACE_MS } from '../../src/features/presales/state.ts';
import { presaleWorker } from '../../src/features/presales/worker.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { createTestPresale, movementOf, presaleContext } from '../support/market/presales.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { eventsOf, openDatabase, startDueWork } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { sharedNatsUrl } from '../support/servers/services.ts';

let db: Database;
let clock = createTestClock();

beforeAll(async () => {
  db = await openDatabase();
});
beforeEach(async () => {
  clock = createTestClock();
  await emptyTables(db, 'presale_movements', 'presale_participations', 'presales', 'events');
});

const advance = (limit = 100) => advancePresales(presaleContext(db, clock).context, limit);
const create = (changes: Parameters<typeof createTestPresale>[2] = {}) =>
  createTestPresale(db, clock, changes);
const record = (...movements: PresaleMovement[]) =>
  db.begin((transaction) => recordMovements(transaction, clock, movements));
const statusOf = async (id: string) => (await findPresale(db, id))?.status;
const presaleEvents = async () => (await eventsOf(db)).filter((event) => event.startsWith('presale'));

/** Opens the presale and lets these wallets deposit. */
async function openWith(id: string, ...deposits: [wallet: string, amount: bigint][]): Promise<void> {
  clock.advance(1_000);
  await advance();
  const movements = deposits.map(([wallet, amount]) =>
    movementOf(id, 'deposit', wallet, amount, clock.now()),
  );
  const { verdicts } = await record(...movements);
  expect(verdicts).toEqual(deposits.map(() => ({ outcome: 'applied' })));
}

test('a presale opens at its start and settles after its deadline, with its events and allocations', async () => {
  const { id } = await create();
  clock.advance(999);
  expect(await advance()).toBe(0);
  expect(await statusOf(id)).toBe('initializing');
  const [one, two, three] = [newAddress(), newAddress(), newAddress()];
  clock.advance(-999);
  await openWith(id, [one, 20n], [two, 20n], [three, 15n], [one, 2n]);
  clock.advance(60_000);
  expect(await advance()).toBe(1);
  expect(await statusOf(id)).toBe('settling');
  expect(await advance()).toBe(0);
  clock.advance(SETTLING_GRACE_MS);
  expect(await advance()).toBe(1);
  expect(await advance()).toBe(0);
  expect(await findPresale(db, id)).toMatchObject({
    status: 'settled',
    totalDepositedLamports: '57',
    participantCount: 3,
    updatedAt: clock.now().toISOString(),
  });
  // 600 tokens of 6 decimals are sold.
  const saleRaw = saleSupplyRaw('1000', 6, 6_000);
  expect(saleRaw).toBe(600_000_000n);
  const rows = await db`
    select wallet_address, status, deposited_lamports, allocation_raw from presale_participations`;
  for (const { walletAddress, status, depositedLamports, allocationRaw: allocated } of rows) {
    const expected = allocationRaw(BigInt(depositedLamports), 57n, saleRaw).toString();
    expect({ status, allocated }).toEqual({ status: 'settled', allocated: expected });
    expect([one, two, three]).toContain(walletAddress);
  }
  expect(await presaleEvents()).toEqual([`presale.opened ${id}`, `presale.settled ${id}`]);
});

test('events carry the presale as it is after the transition', async () => {
  const { id } = await create();
  await openWith(id, [newAddress(), 10n]);
  const [row] = await db<{ body: string }[]>`select body from events where subject = ${id}`;
  const { data } = JSON.parse(row?.body ?? '{}') as { data: unknown };
  expect([...Value.Errors(documentedEvents['presale.opened'].schema, data)]).toEqual([]);
  expect(data).toMatchObject({ id, status: 'active', totalDepositedLamports: '0' });
});

test('reaching the maximum exactly ends the sale before the deadline, immediately', async () => {
  const { id } = await create();
  await openWith(id, [newAddress(), 60n], [newAddress(), 40n]);
  expect(await advance()).toBe(1);
  expect(await statusOf(id)).toBe('settling');
  expect(await advance()).toBe(1);
  expect(await statusOf(id)).toBe('settled');
});

test('a presale that misses its minimum refunds, and fails with the last refund', async () => {
  const { id } = await create();
  const [one, two] = [newAddress(), newAddress()];
  await openWith(id, [one, 30n], [two, 19n]);
  clock.advance(60_000);
  await advance();
  clock.advance(SETTLING_GRACE_MS);
  await advance();
  expect(await statusOf(id)).toBe('refunding');
  const refund = (wallet: string, amount: bigint) =>
    record(movementOf(id, 'refund', wallet, amount, clock.now()));
  await refund(one, 30n);
  await refund(two, 18n);
  expect(await advance()).toBe(0);
  await refund(two, 1n);
  expect(await advance()).toBe(1);
  expect(await findPresale(db, id)).toMatchObject({ status: 'failed', totalDepositedLamports: '49' });
  expect(await presaleEvents()).toEqual([`presale.opened ${id}`, `presale.failed ${id}`]);
  const rows = await db`select distinct status from presale_participations`;
  expect([...rows]).toEqual([{ status: 'refunded' }]);
});

test('a presale without deposits fails, and one without a minimum settles on nothing', async () => {
  const [missed, free] = [await create(), await create({ minCapLamports: '0' })];
  await openWith(missed.id);
  clock.advance(60_000);
  await advance();
  clock.advance(SETTLING_GRACE_MS);
  expect(await advance()).toBe(2);
  expect(await advance()).toBe(1);
  expect(await statusOf(missed.id)).toBe('failed');
  expect(await statusOf(free.id)).toBe('settled');
});

test('a deposit made before the deadline and reported in the grace period counts and decides; later it is refused', async () => {
  const { id } = await create();
  const [one, two] = [newAddress(), newAddress()];
  await openWith(id, [one, 40n]);
  const late = [10n, 1n].map((amount) => movementOf(id, 'deposit', two, amount, clock.now()));
  clock.advance(60_000);
  await advance();
  clock.advance(SETTLING_GRACE_MS - 1);
  expect((await record(...late.slice(0, 1))).verdicts).toEqual([{ outcome: 'applied' }]);
  clock.advance(1);
  await advance();
  expect(await statusOf(id)).toBe('settled');
  expect((await record(...late)).verdicts).toMatchObject([
    { outcome: 'applied' },
    { outcome: 'rejected', reason: 'presale_closed' },
  ]);
  expect(await findPresale(db, id)).toMatchObject({ totalDepositedLamports: '50', participantCount: 2 });
});

test('the grace counts from when a worker noticed the deadline: an outage leaves time for deposits that wait', async () => {
  const { id } = await create();
  await openWith(id, [newAddress(), 10n]);
  const waiting = movementOf(id, 'deposit', newAddress(), 40n, clock.now());
  clock.advance(3_600_000);
  await advance();
  expect(await statusOf(id)).toBe('settling');
  expect(await advance()).toBe(0);
  expect((await record(waiting)).verdicts).toEqual([{ outcome: 'applied' }]);
});

test('many workers make each transition once', async () => {
  const presales = await Promise.all(Array.from({ length: 12 }, () => create({ minCapLamports: '0' })));
  clock.advance(1_000);
  const race = async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => advance()));
    return made.reduce((sum, one) => sum + one, 0);
  };
  expect(await race()).toBe(12);
  clock.advance(60_000);
  expect(await race()).toBe(12);
  clock.advance(SETTLING_GRACE_MS);
  expect(await race()).toBe(12);
  expect((await presaleEvents()).sort()).toEqual(
    presales.flatMap(({ id }) => [`presale.opened ${id}`, `presale.settled ${id}`]).sort(),
  );
});

test('deposits that race with the settlement are either in the allocations or refused', async () => {
  const { id } = await create({ maxCapLamports: '1000', perWalletCapLamports: '1000' });
  await openWith(id, [newAddress(), 50n]);
  const late = Array.from({ length: 20 }, () => movementOf(id, 'deposit', newAddress(), 3n, clock.now()));
  clock.advance(60_000);
  await advance();
  clock.advance(SETTLING_GRACE_MS);
  const [, ...records] = await Promise.all([advance(), ...late.map((movement) => record(movement))]);
  const applied = records.filter(({ verdicts }) => verdicts[0]?.outcome === 'applied').length;
  const [sums] = await db`
    select sum(deposited_lamports) as deposited, sum(allocation_raw) as allocated,
      count(*) filter (where status <> 'settled')::int as unsettled
    from presale_participations`;
  expect(sums?.unsettled).toBe(0);
  expect(sums?.deposited).toBe(String(50 + applied * 3));
  expect(BigInt(sums?.allocated) <= 600_000_000n).toBe(true);
  expect(await findPresale(db, id)).toMatchObject({
    status: 'settled',
    totalDepositedLamports: sums?.deposited,
  });
});

test('a transition that is cut off leaves nothing behind and is made by the next', async () => {
  const { id } = await create();
  clock.advance(1_000);
  const { context, changed } = presaleContext(db, clock);
  const append = () => Promise.reject(new Error('killed'));
  const dying = { ...context, outbox: { ...context.outbox, append } };
  await expect(advancePresales(dying, 100)).rejects.toThrow('killed');
  expect(await statusOf(id)).toBe('initializing');
  expect(changed).toEqual([]);
  expect(await advance()).toBe(1);
  expect(await presaleEvents()).toEqual([`presale.opened ${id}`]);
});

test('a presale that cannot move does not hold up the others', async () => {
  const [broken, sound] = [await create(), await create()];
  clock.advance(1_000);
  const { context } = presaleContext(db, clock);
  const { outbox } = context;
  const append: typeof outbox.append = (transaction, event) =>
    event.subject === broken.id ? Promise.reject(new Error('broken')) : outbox.append(transaction, event);
  await expect(advancePresales({ ...context, outbox: { ...outbox, append } }, 100)).rejects.toThrow('broken');
  expect(await statusOf(broken.id)).toBe('initializing');
  expect(await statusOf(sound.id)).toBe('active');
});

test('the presale of a hidden token moves on out of sight: no event', async () => {
  const { id, mintAddress } = await create();
  await db.begin((transaction) => setTokenHidden(transaction, mintAddress, true));
  clock.advance(1_000);
  expect(await advance()).toBe(1);
  expect(await presaleEvents()).toEqual([]);
  expect(await findPresale(db, id)).toBeNull();
  await db.begin((transaction) => setTokenHidden(transaction, mintAddress, false));
  expect(await statusOf(id)).toBe('active');
});

test('the job of two workers opens, settles and invalidates the caches by itself', async () => {
  const connection = await connectBus(await sharedNatsUrl(), 'test');
  const { id } = await createTestPresale(db, systemClock, {
    publicStartAt: new Date(Date.now() - 1),
    minCapLamports: '0',
  });
  const told: string[] = [];
  const subscription = connection.subscribe(hints.presaleChanged, {
    callback: (_error, message) => void told.push(message.string()),
  });
  await connection.flush();
  const stop = new AbortController();
  const context = {
    ...presaleContext(db, systemClock).context,
    onPresalesChanged: (ids: readonly string[]) => {
      for (const one of ids) connection.publish(hints.presaleChanged, one);
    },
  };
  const dueWork = startDueWork(db, stop.signal);
  const jobs = [1, 2].flatMap(() => presaleWorker.jobs({ ...context, decisiveClock: context.clock }));
  const running = jobs.map((job) => runTestJob(job, { connection, dueWork, signal: stop.signal }));
  await eventually('opened', async () => (await statusOf(id)) === 'active');
  const deposits = [60n, 40n].map((amount) => movementOf(id, 'deposit', newAddress(), amount, new Date()));
  await db.begin((transaction) => recordMovements(transaction, systemClock, deposits));
  connection.publish(hints.presaleChanged, id);
  await eventually('settled', async () => (await statusOf(id)) === 'settled');
  stop.abort();
  await Promise.all(running);
  await eventually('told', async () => told.filter((one) => one === id).length === 4);
  subscription.unsubscribe();
  await connection.close();
  expect(await presaleEvents()).toEqual([`presale.opened ${id}`, `presale.settled ${id}`]);
});
