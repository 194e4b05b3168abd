import { beforeEach, expect, test } from 'bun:test';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import {
  advanceOrderSlots,
  type OrderSlotsContext,
  SLOTS_MAX,
} from '../../src/features/orders/slots/advance-slots.ts';
import { claimDueSlots, isSlotDue, updateSlot } from '../../src/features/orders/slots/due-slot-rows.ts';
import { lockOrderSlot } from '../../src/features/orders/slots/slot-rows.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { RecordedChain, type RecordedNode } from '../support/chain/recorded-rpc.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { nonceAccountData } from '../support/intents/intent-transactions.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { insertOrder } from '../support/orders/insert-order.ts';
import { insertSlot } from '../support/orders/insert-slot.ts';
import { openDatabase, testOutbox } from '../support/processes/worker-context.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

const HEAD_SLOT = 1n;
const WINDOW_END = 100n;

let db: Database;
let chain: RecordedChain;
let nodes: RecordedNode[];
let clock: TestClock;
let context: OrderSlotsContext;
let accountId: string;
let changed: string[];
const accounts = new Map<string, ChainAccount>();

beforeEach(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
  chain = new RecordedChain();
  accounts.clear();
  chain.setAccounts(accounts);
  nodes = [chain.startNode(), chain.startNode()];
  clock = createTestClock(new Date());
  const rpcs = createChainRpcs(nodes.map(({ url }) => url));
  const head = { slot: HEAD_SLOT, blockHeight: WINDOW_END + 1n, observedAt: new Date() };
  const chainHead = {
    current: () => head,
    identity: () => null,
    pace: () => nominalPace,
    run: () => Promise.resolve(),
  };
  changed = [];
  const onStatusChanged = (ids: readonly string[]) => void changed.push(...ids);
  context = {
    db,
    outbox: testOutbox(clock),
    clock,
    rpcs,
    chainHead,
    metrics: { onOrdersEnded() {} },
    onStatusChanged,
  };
});

async function intentOf(status: 'prepared' | 'submitted' | 'confirmed' | 'expired'): Promise<string> {
  const now = new Date();
  const facts = { transaction: Buffer.alloc(10), lastValidBlockHeight: WINDOW_END, expiresAt: now, now };
  const first = status === 'expired' || status === 'prepared' ? 'prepared' : 'submitted';
  const id = await insertIntent(db, accountId, { ...facts, status: first });
  if (status !== first)
    await db`
      update transaction_intents set status = ${status}, version = version + 1, completed_at = now() where id = ${id}`;
  return id;
}

/** The nodes show the account of a slot. */
function show(nonceAddress: string, walletAddress: string, nonce = newAddress()): string {
  accounts.set(nonceAddress, { owner: SYSTEM_PROGRAM, data: nonceAccountData(nonce, walletAddress) });
  return nonce;
}

async function rowOf(id: string) {
  const [row] = await db<{ status: string; nonce: string | null; readSlot: bigint | null; dueAt: Date }[]>`
    select status, nonce, read_slot, due_at from order_slots where id = ${id}`;
  if (row === undefined) throw new Error(`no slot ${id}`);
  return row;
}

async function isDue(): Promise<boolean> {
  const [row] = await db<{ due: boolean }[]>`select ${isSlotDue(db, clock.now())} as due`;
  return row?.due ?? false;
}

const secondsUntilDue = async (id: string) =>
  Math.round(((await rowOf(id)).dueAt.getTime() - clock.now().getTime()) / 1_000);

test('a slot is looked at when its intent has ended, and is ready with the nonce that the chain shows', async () => {
  const [nonceAddress, walletAddress] = [newAddress(), newAddress()];
  const intentId = await intentOf('submitted');
  const id = await insertSlot(db, { accountId, intentId, nonceAddress, walletAddress });
  const nonce = show(nonceAddress, walletAddress);
  clock.advance(1_000);
  expect(await isDue()).toBe(false);
  await advanceOrderSlots(context);
  expect((await rowOf(id)).status).toBe('pending');
  expect(changed).toEqual([]);
  await db`update transaction_intents set status = 'confirmed', completed_at = now() where id = ${intentId}`;
  expect(await isDue()).toBe(true);
  await advanceOrderSlots(context);
  expect(await rowOf(id)).toMatchObject({ status: 'ready', nonce, readSlot: 1n });
  expect(changed).toEqual([id]);
  expect(await isDue()).toBe(false);
  expect(await secondsUntilDue(id)).toBe(60);
});

test('an unsigned slot expires; a node that fails decides nothing', async () => {
  const id = await insertSlot(db, { accountId, intentId: await intentOf('expired') });
  clock.advance(1_000);
  const [, second] = nodes;
  if (second !== undefined) second.faults = { broken: true };
  await advanceOrderSlots(context);
  expect((await rowOf(id)).status).toBe('pending');
  expect(await secondsUntilDue(id)).toBe(1);
  if (second !== undefined) second.faults = {};
  clock.advance(1_000);
  await advanceOrderSlots(context);
  expect((await rowOf(id)).status).toBe('expired');
});

test('a ready slot follows its nonce each minute, and each second while it is being closed', async () => {
  const [nonceAddress, walletAddress] = [newAddress(), newAddress()];
  const closingIntentId = await intentOf('submitted');
  const id = await insertSlot(db, {
    accountId,
    status: 'ready',
    nonceAddress,
    walletAddress,
    closingIntentId,
  });
  await db`update order_slots set read_slot = 0 where id = ${id}`;
  const nonce = show(nonceAddress, walletAddress);
  clock.advance(1_000);
  await advanceOrderSlots(context);
  expect(await rowOf(id)).toMatchObject({ status: 'ready', nonce, readSlot: 1n });
  expect(await secondsUntilDue(id)).toBe(1);
  await db`update transaction_intents set status = 'failed', error_code = 'solana_transaction_failed',
    error_detail = 'x', completed_at = now() where id = ${closingIntentId}`;
  clock.advance(1_000);
  await advanceOrderSlots(context);
  expect(await secondsUntilDue(id)).toBe(60);
});

test.each(['is gone', 'has another authority', 'holds tokens'])(
  'a slot whose account %s is closed, whoever did it',
  async (change) => {
    const [nonceAddress, walletAddress] = [newAddress(), newAddress()];
    const id = await insertSlot(db, { accountId, status: 'ready', nonceAddress, walletAddress });
    if (change === 'has another authority') show(nonceAddress, newAddress());
    if (change === 'holds tokens')
      accounts.set(nonceAddress, {
        owner: newAddress(),
        data: nonceAccountData(newAddress(), walletAddress),
      });
    clock.advance(1_000);
    await advanceOrderSlots(context);
    expect((await rowOf(id)).status).toBe('closed');
  },
);

const statusesOf = async (slotId: string) =>
  (await db`select status, reason from orders where slot_id = ${slotId} order by id`).map(
    ({ status, reason }) => `${status} ${reason}`,
  );

test('the orders of a slot end with it, also when the worker is killed a moment later', async () => {
  const id = await insertSlot(db, { accountId, status: 'ready' });
  for (const status of ['unsigned', 'open', 'cancelled'] as const)
    await insertOrder(db, { accountId, slotId: id, status });
  clock.advance(1_000);
  const onStatusChanged = () => {
    throw new Error('killed');
  };
  await expect(advanceOrderSlots({ ...context, onStatusChanged })).rejects.toThrow('killed');
  expect((await rowOf(id)).status).toBe('closed');
  expect(await statusesOf(id)).toEqual(['voided slot_closed', 'voided slot_closed', 'cancelled requested']);
});

test('an order that is being stored over a slot keeps it from being closed, and ends with it', async () => {
  const id = await insertSlot(db, { accountId, status: 'ready' });
  clock.advance(1_000);
  const isLocked = Promise.withResolvers<void>();
  for (const node of nodes) node.faults = { until: isLocked.promise };
  const advancing = advanceOrderSlots(context);
  await eventually('the slot is claimed', async () =>
    nodes.every(({ requests }) => requests.getMultipleAccounts === 1),
  );
  await db.begin(async (transaction) => {
    expect(await lockOrderSlot(transaction, id, accountId)).toMatchObject({ status: 'ready' });
    await insertOrder(transaction, { accountId, slotId: id });
    isLocked.resolve();
    await untilBlockedBy(transaction, 'the slot cannot be closed', /update order_slots/);
  });
  await advancing;
  expect(await statusesOf(id)).toEqual(['voided slot_closed']);
  await db.begin(async (transaction) => {
    await transaction`set local role launchwire_api`;
    expect(await lockOrderSlot(transaction, id, accountId)).toMatchObject({ status: 'closed' });
  });
});

test('workers share the slots; those of a worker that was killed are due again after ten seconds', async () => {
  const intentId = null;
  const ids = [];
  for (let count = 0; count < 5; count += 1)
    ids.push(await insertSlot(db, { accountId, status: 'ready', intentId }));
  clock.advance(1_000);
  const until = new Date(clock.now().getTime() + 10_000);
  const claims = await Promise.all([2, 2, 2].map((limit) => claimDueSlots(db, clock.now(), until, limit)));
  const claimed = claims.flat().map(({ id }) => id);
  expect(new Set(claimed).size).toBe(claimed.length);
  const rest = await claimDueSlots(db, clock.now(), until, SLOTS_MAX);
  expect([...claimed, ...rest.map(({ id }) => id)].toSorted()).toEqual(ids.toSorted());
  clock.advance(10_000);
  expect(await claimDueSlots(db, clock.now(), until, SLOTS_MAX)).toHaveLength(5);
});

test('of two looks the first decides, and an older reading replaces no newer one', async () => {
  const id = await insertSlot(db, { accountId, status: 'ready' });
  clock.advance(1_000);
  const [slot] = await claimDueSlots(db, clock.now(), clock.now(), 1);
  if (slot === undefined) throw new Error('the slot is due');
  const look = { dueAt: clock.now(), now: clock.now() };
  await updateSlot(db, slot, { ...look, status: null, newest: { slot: 9n, nonce: 'newer' } });
  await updateSlot(db, slot, { ...look, status: null, newest: { slot: 8n, nonce: 'older' } });
  await updateSlot(db, slot, { ...look, status: null, newest: null });
  expect(await rowOf(id)).toMatchObject({ nonce: 'newer', readSlot: 9n });
  await updateSlot(db, slot, { ...look, status: 'closed', newest: null });
  await updateSlot(db, slot, { ...look, status: null, newest: { slot: 10n, nonce: 'late' } });
  expect(await rowOf(id)).toMatchObject({ status: 'closed', nonce: 'newer', readSlot: 9n });
});

test('a worker may do all of it with the rights of its role', async () => {
  const id = await insertSlot(db, { accountId, status: 'ready' });
  await db.begin(async (transaction) => {
    await transaction`set local role launchwire_worker`;
    const [slot] = await claimDueSlots(transaction, clock.now(), clock.now(), 1);
    if (slot === undefined) throw new Error('the slot is due');
    const look = { dueAt: clock.now(), now: clock.now(), newest: { slot: 9n, nonce: 'seen' } };
    await updateSlot(transaction, slot, { ...look, status: 'closed' });
  });
  expect(await rowOf(id)).toMatchObject({ status: 'closed', nonce: 'seen' });
});
