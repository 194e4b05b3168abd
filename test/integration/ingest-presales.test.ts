import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { advancePresales } from '../../src/features/presales/advance-presales.ts';
import { findPresale } from '../../src/features/presales/find-presale.ts';
import type { PresaleMovement } from '../../src/features/presales/movement-rules.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import { SETTLING_GRACE_MS } from '../../src/features/presales/state.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { consumers } from '../../src/shared/bus/topology.ts';
import { type IngestStream, newAddress, openIngestStream } from '../support/market/ingest-stream.ts';
import {
  createTestPresale,
  movementMessage,
  movementOf,
  presaleContext,
} from '../support/market/presales.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;
let clock = createTestClock();

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(() => {
  clock = createTestClock();
  return stream.reset();
});

const feed = (movement: PresaleMovement, changes: Record<string, unknown> = {}) =>
  stream.feed(`presale_${movement.kind}`, { ...movementMessage(movement), ...changes });
const advance = () => advancePresales(presaleContext(stream.db, clock).context, 100);
const deposit = (id: string, wallet: string, amount: bigint) =>
  movementOf(id, 'deposit', wallet, amount, clock.now());

/** An open presale; the clock stands at its start. */
async function openPresale(changes: Parameters<typeof createTestPresale>[2] = {}): Promise<string> {
  const { id } = await createTestPresale(stream.db, clock, changes);
  clock.advance(1_000);
  await advance();
  return id;
}

/** Totals beside the participations must be what the participations and movements say. */
async function expectTotalsOfMovements(): Promise<void> {
  const kept = await stream.db`
    select id, total_deposited_lamports as deposited, total_refunded_lamports as refunded, participant_count as count
    from presales where total_deposited_lamports > 0 order by id`;
  const participations = await stream.db`
    select presale_id as id, sum(deposited_lamports) as deposited, sum(refunded_lamports) as refunded,
      count(*)::int as count
    from presale_participations group by presale_id order by presale_id`;
  const movements = await stream.db`
    select presale_id as id, coalesce(sum(amount) filter (where kind = 'deposit'), 0) as deposited,
      coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
      count(distinct wallet_address)::int as count
    from presale_movements group by presale_id order by presale_id`;
  expect([...kept]).toEqual([...participations]);
  expect([...kept]).toEqual([...movements]);
}

test('a deposit that comes twice, in one batch or later, counts once, and the caches hear of it', async () => {
  const id = await openPresale();
  const [one, two] = [deposit(id, newAddress(), 20n), deposit(id, newAddress(), 10n)];
  for (const movement of [one, two, one, two]) await feed(movement);
  await stream.settle();
  expect(stream.changed).toContain(id);
  const told = stream.changed.length;
  await feed(one, { slot: '99' });
  await stream.settle();
  expect(stream.changed).toHaveLength(told);
  expect(await findPresale(stream.db, id)).toMatchObject({
    totalDepositedLamports: '30',
    participantCount: 2,
  });
  expect(await stream.rejections()).toEqual([]);
  await expectTotalsOfMovements();
});

test('a movement that the rules refuse is rejected with its reason and changes nothing', async () => {
  const id = await openPresale();
  const wallet = newAddress();
  const known = deposit(id, wallet, 60n);
  await feed(known);
  await feed(deposit(id, wallet, 1n));
  await feed(deposit(id, newAddress(), 41n));
  await feed(movementOf(id, 'deposit', wallet, 1n, new Date(clock.now().getTime() - 1)));
  await feed(movementOf(id, 'deposit', wallet, 1n, new Date(clock.now().getTime() + 60_000)));
  await feed({ ...known, amount: 59n });
  await stream.settle();
  expect(await findPresale(stream.db, id)).toMatchObject({
    totalDepositedLamports: '60',
    participantCount: 1,
  });
  const rejected = await stream.rejections();
  expect(rejected.map(({ reason }) => reason)).toEqual([
    'presale_wallet_cap_exceeded',
    'presale_cap_exceeded',
    'presale_not_started',
    'presale_deadline_passed',
    'identity_reused',
  ]);
  expect(rejected[0]?.detail).toBe(`deposit of 1 by ${wallet}; ${id} is active`);
  await expectTotalsOfMovements();
});

test('a deposit that overtakes its presale or its opening waits for it', async () => {
  const { id } = await createTestPresale(stream.db, clock, { status: 'initializing' });
  clock.advance(1_000);
  const unknown = Bun.randomUUIDv7();
  const early = [deposit(id, newAddress(), 5n), deposit(unknown, newAddress(), 7n)];
  for (const movement of early) await feed(movement);
  await stream.withWorkers(1, async () => {
    await eventually('first tries', async () => {
      const manager = await jetstreamManager(stream.connection);
      const info = await readConsumer(manager, consumers.ingest).catch(() => null);
      return info !== null && info.num_redelivered > 0;
    });
    await createTestPresale(stream.db, clock, {
      id: unknown,
      publicStartAt: clock.now(),
      deadline: new Date(clock.now().getTime() + 60_000),
    });
    await advance();
    await eventually('settled', () => stream.isSettled());
  });
  expect(await stream.rejections()).toEqual([]);
  expect(await findPresale(stream.db, id)).toMatchObject({ totalDepositedLamports: '5' });
  expect(await findPresale(stream.db, unknown)).toMatchObject({ totalDepositedLamports: '7' });
});

test('a movement of a presale that never comes is rejected after its tries', async () => {
  const unknown = Bun.randomUUIDv7();
  await feed(deposit(unknown, newAddress(), 7n));
  await stream.settle(1, 'impatient');
  expect(await stream.rejections()).toMatchObject([{ reason: 'unknown_presale', detail: unknown }]);
});

test('malformed movements are rejected with the reason and hold up nothing', async () => {
  const id = await openPresale();
  const sound = deposit(id, newAddress(), 5n);
  await feed(sound, { amountLamports: '0' });
  await feed(sound, { amountLamports: '1.5' });
  await feed(sound, { presaleId: 'a presale' });
  await feed(sound, { walletAddress: '1'.repeat(40) });
  await feed(sound, { blockTime: '2026-02-31T99:00:00Z' });
  await stream.feed('presale_claim', movementMessage(sound));
  // Upper case is another spelling of the same presale.
  await feed(sound, { presaleId: id.toUpperCase() });
  await stream.settle();
  expect((await stream.rejections()).map(({ reason }) => reason)).toEqual(Array(6).fill('schema_invalid'));
  expect(await findPresale(stream.db, id)).toMatchObject({ totalDepositedLamports: '5' });
});

test('refunds and claims come from the stream too, each once', async () => {
  const [failing, settling] = [await openPresale(), await openPresale()];
  const [one, two] = [newAddress(), newAddress()];
  await feed(deposit(failing, one, 30n));
  await feed(deposit(settling, two, 50n));
  await stream.settle();
  clock.advance(61_000);
  await advance();
  clock.advance(SETTLING_GRACE_MS);
  await advance();
  const refund = movementOf(failing, 'refund', one, 30n, clock.now());
  const claim = movementOf(settling, 'claim', two, 200_000_000n, clock.now());
  const rest = movementOf(settling, 'claim', two, 400_000_000n, clock.now());
  const tooMuch = movementOf(settling, 'claim', two, 1n, clock.now());
  for (const movement of [refund, claim, refund, claim, rest]) await feed(movement);
  await stream.settle();
  await feed(tooMuch);
  await stream.settle();
  await advance();
  expect(await findPresale(stream.db, failing)).toMatchObject({ status: 'failed' });
  const rows = await stream.db`
    select wallet_address, status, refunded_lamports, allocation_raw, claimed_raw from presale_participations
    order by deposited_lamports`;
  const unsettled = { status: 'refunded', refundedLamports: '30', allocationRaw: null, claimedRaw: '0' };
  const settled = { status: 'settled', refundedLamports: '0', allocationRaw: '600000000' };
  expect([...rows]).toEqual([
    { walletAddress: one, ...unsettled },
    { walletAddress: two, ...settled, claimedRaw: '600000000' },
  ]);
  expect(await stream.rejections()).toMatchObject([{ reason: 'presale_claim_exceeded' }]);
});

test('concurrent writers never pass the caps, whatever the order, and every deposit counts once', async () => {
  const ids = [await openPresale(), await openPresale()];
  const wallets = Array.from({ length: 4 }, newAddress);
  const deposits = ids.flatMap((id) =>
    wallets.flatMap((wallet) => Array.from({ length: 12 }, () => deposit(id, wallet, 7n))),
  );
  const writers = Array.from({ length: 6 }, (_, writer) =>
    stream.db.begin((transaction) =>
      recordMovements(transaction, clock, writer % 2 === 0 ? deposits : deposits.toReversed()),
    ),
  );
  await Promise.all(writers);
  for (const id of ids)
    expect(await findPresale(stream.db, id)).toMatchObject({ totalDepositedLamports: '98' });
  const [most] = await stream.db`select max(deposited_lamports) as lamports from presale_participations`;
  expect(Number(most?.lamports)).toBeLessThanOrEqual(60);
  await expectTotalsOfMovements();
});

test('two workers share the stream, also when connections die under them', async () => {
  const id = await openPresale({ maxCapLamports: '1000', perWalletCapLamports: '1000' });
  const wallets = Array.from({ length: 7 }, newAddress);
  await stream.withWorkers(2, async () => {
    for (let number = 0; number < 200; number += 1) {
      await feed(deposit(id, wallets[number % 7] ?? '', 3n));
      if (number === 100) {
        await stream.db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
      }
    }
    await eventually('settled', () => stream.isSettled());
  });
  expect(await findPresale(stream.db, id)).toMatchObject({
    totalDepositedLamports: '600',
    participantCount: 7,
  });
  await expectTotalsOfMovements();
});
