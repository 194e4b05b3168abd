import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { claimOrders, isOrderDue } from '../../src/features/orders/sending/claim-orders.ts';
import { expireOrders } from '../../src/features/orders/sending/end-orders.ts';
import { createOrderMetrics } from '../../src/features/orders/sending/metrics.ts';
import { OrderSender, type OrderSenderDependencies } from '../../src/features/orders/sending/order-sender.ts';
import { readNonces } from '../../src/features/orders/sending/read-nonces.ts';
import { readUnsentAge } from '../../src/features/orders/sending/read-unsent-age.ts';
import { voidMigratedOrders, voidSpentOrders } from '../../src/features/orders/sending/void-orders.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { FirstBroadcaster } from '../../src/intents/send/first-broadcaster.ts';
import type { IntentSender } from '../../src/intents/send/intent-sender.ts';
import { createIntentSender } from '../../src/intents/submit/store-signed.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { signatureOf } from '../support/intents/sending-node.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import {
  insertPrice,
  insertTriggeredOrder,
  setMarketPrice,
  type TriggeredOrder,
  type TriggeredOrderOptions,
} from '../support/orders/insert-triggered-order.ts';
import { type OrderNode, startOrderNode } from '../support/orders/order-node.ts';
import { eventsOf, intentContext, openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

/** Errors of the program of the venue, whose instruction is the third. */
const failure = (number: number) => ({ InstructionError: [2, { Custom: number }] });
const SLIPPAGE = failure(6002);
const CURVE_COMPLETE = failure(6013);
const NO_POOL_YET = failure(3007);
const OLD_MS = 3_600_000;
const CLAIMED_MS = 10_000;
const box = createSecretBox(randomBytes(32));

let db: Database;
let accountId: string;
let clock: TestClock;
let nodes: [OrderNode, OrderNode];
let context: ReturnType<typeof intentContext>['context'];
let broadcaster: FirstBroadcaster;
let dependencies: OrderSenderDependencies;
const metrics = createOrderMetrics(createProcessMetrics('worker'));

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});

beforeEach(async () => {
  await db`delete from events`;
  await db`update orders set intent_id = null, status = 'voided', reason = 'migrated', completed_at = now()`;
  await db`delete from intent_broadcasts`;
  nodes = [startOrderNode(), startOrderNode()];
  clock = createTestClock(new Date());
  const rpcs = createChainRpcs(nodes.map(({ url }) => url));
  ({ context } = intentContext(db, rpcs, clock));
  const { db: database, outbox, recorder } = context;
  broadcaster = new FirstBroadcaster({
    database,
    targets: rpcs,
    holdOutPercent: 0,
    recorder,
    clock,
    log: silentLog,
    onDue: () => {},
  });
  const intents = createIntentSender({
    outbox,
    clock,
    chainHead: { pace: () => nominalPace },
    firstBroadcaster: broadcaster,
  });
  dependencies = { db: database, outbox, clock, rpcs, box, intents, metrics, log: silentLog };
});

/** An order whose nonce both nodes show, and which is old enough for what they say of it. */
async function triggered(options: Partial<TriggeredOrderOptions> = {}): Promise<TriggeredOrder> {
  const createdAt = new Date(clock.now().getTime() - OLD_MS);
  const order = await insertTriggeredOrder(db, {
    accountId,
    box,
    createdAt,
    triggeredAt: clock.now(),
    ...options,
  });
  for (const { nonces } of nodes) nonces.set(order.nonceAddress, order.nonce);
  return order;
}

async function work(sender = new OrderSender(dependencies)): Promise<void> {
  while (await sender.step());
  await sender.drain();
  await broadcaster.drain();
}

interface Stored {
  status: string;
  reason: string | null;
  intentId: string | null;
  attempts: number;
  version: number;
  refusal: { reason: string; programError: { number: number } | null } | null;
  dueInMs: number | null;
  sealed: number;
}

async function stored({ id }: Pick<TriggeredOrder, 'id'>): Promise<Stored> {
  const [row] = await db<Stored[]>`
    select status, reason, intent_id, attempts, version, refusal,
      (extract(epoch from next_attempt_at - ${clock.now()}::timestamptz) * 1000)::float8 as due_in_ms,
      (select count(*)::int from order_transactions t where t.order_id = o.id and sealed_transaction is not null) as sealed
    from orders o where id = ${id}`;
  if (row === undefined) throw new Error('no order');
  return row;
}

/** Wires that any node has got, each once. */
const sent = () => new Set(nodes.flatMap((node) => node.sent));
const refuse = (failure: unknown, wire = '*') => {
  for (const { failures } of nodes) failures.set(wire, failure);
};

const endContext = () => ({ ...dependencies, metrics });

describe('a triggered order', () => {
  test('is simulated in a state that has its trade, stored as a submitted intent, and sent', async () => {
    const order = await triggered();
    expect(await db`select ${isOrderDue(db, clock.now())} as due`).toMatchObject([{ due: true }]);
    await work();
    expect(nodes[0].simulated).toEqual([order.wires.curve]);
    expect(nodes.map((node) => node.sent)).toEqual([[order.wires.curve], [order.wires.curve]]);
    const intentId = order.transactionIds.curve;
    expect(await stored(order)).toMatchObject({ status: 'triggered', intentId, attempts: 0, version: 4 });
    const [intent] = await db`
      select kind, status, recent_blockhash, mint_address, last_valid_block_height, version,
        transaction_signature from transaction_intents where id = ${intentId}`;
    expect(intent).toEqual({
      kind: 'order',
      status: 'submitted',
      recentBlockhash: order.nonce,
      version: 1,
      mintAddress: order.mintAddress,
      lastValidBlockHeight: null,
      transactionSignature: signatureOf(order.wires.curve),
    });
    expect(await eventsOf(db)).toEqual([`transaction_intent.submitted ${intentId}`]);
    await work();
    expect(sent().size).toBe(1);
    expect(nodes[0].sent).toHaveLength(1);
  });

  test('waits for a node that has reached its trade', async () => {
    const order = await triggered();
    for (const node of nodes) node.slot = 0;
    const sender = new OrderSender(dependencies);
    await sender.step();
    await eventually('both were asked', async () => (await stored(order)).dueInMs === CLAIMED_MS);
    nodes[1].slot = 1;
    await sender.drain();
    await broadcaster.drain();
    expect(nodes.map(({ simulated }) => simulated.length)).toEqual([0, 1]);
    expect(sent()).toEqual(new Set([order.wires.curve]));
  });

  test('is sent only to protected addresses where its wallet has signed for them', async () => {
    const order = await triggered({ protectedRoute: true });
    await work();
    // No address is marked as protected here.
    expect(sent().size).toBe(0);
    expect(await stored(order)).toMatchObject({ intentId: order.transactionIds.curve });
  });

  test('takes its transaction for the pool when the curve is complete, or when the token has left it', async () => {
    const both = await triggered({ venues: ['curve', 'amm'] });
    refuse(CURVE_COMPLETE, both.wires.curve);
    await work();
    expect(sent()).toEqual(new Set([both.wires.amm]));
    expect(await stored(both)).toMatchObject({ intentId: both.transactionIds.amm });
    const left = await triggered({ venues: ['curve', 'amm'] });
    await db`update tokens set curve_stage = 'migrated' where mint_address = ${left.mintAddress}`;
    await work();
    expect(nodes.flatMap(({ simulated }) => simulated)).not.toContain(left.wires.curve);
    expect(await stored(left)).toMatchObject({ intentId: left.transactionIds.amm });
  });

  test('on its curve shows the refusal of the curve, and simulates nothing else', async () => {
    const order = await triggered({ venues: ['curve', 'amm'] });
    await insertPrice(db, order.mintAddress, '1.5');
    refuse(SLIPPAGE, order.wires.curve);
    refuse(NO_POOL_YET, order.wires.amm);
    await work();
    expect(nodes.flatMap(({ simulated }) => simulated)).toEqual([order.wires.curve]);
    expect(await stored(order)).toMatchObject({
      refusal: { reason: 'program_error', programError: { number: 6002, name: 'ExceededSlippage' } },
    });
  });
});

describe('a refused order', () => {
  test('is tried again after 1, 2, 4 and 8 seconds while the price is beyond its trigger, and fails then', async () => {
    const order = await triggered();
    await insertPrice(db, order.mintAddress, '1.5');
    refuse(SLIPPAGE);
    for (const [attempts, pauseMs] of [1_000, 2_000, 4_000, 8_000].entries()) {
      await work();
      expect(await stored(order)).toMatchObject({
        status: 'triggered',
        attempts: attempts + 1,
        version: 4 + attempts,
        dueInMs: pauseMs,
        refusal: { reason: 'program_error', programError: { number: 6002 } },
      });
      clock.advance(pauseMs - 1);
      await work();
      expect((await stored(order)).attempts).toBe(attempts + 1);
      clock.advance(1);
    }
    await work();
    expect(await stored(order)).toMatchObject({
      status: 'failed',
      reason: 'would_fail',
      attempts: 5,
      sealed: 0,
    });
    // Each attempt began with the other node.
    expect(nodes.map(({ simulated }) => simulated.length)).toEqual([3, 2]);
    expect(sent().size).toBe(0);
    expect(await eventsOf(db)).toEqual([`order.failed ${order.id}`]);
  });

  test('is open again when the price has gone back, and begins anew with its attempts', async () => {
    const order = await triggered();
    await insertPrice(db, order.mintAddress, '1.5', 5);
    refuse('InsufficientFundsForFee');
    await work();
    expect(await stored(order)).toMatchObject({ status: 'triggered', attempts: 1 });
    await insertPrice(db, order.mintAddress, '0.9', 6);
    clock.advance(1_000);
    await work();
    expect(await stored(order)).toMatchObject({
      status: 'open',
      attempts: 0,
      dueInMs: null,
      sealed: 1,
      refusal: { reason: 'insufficient_funds', programError: null },
    });
    expect(await eventsOf(db)).toEqual([`order.opened ${order.id}`]);
  });

  test('fails only by the price of the market: a trade alone that paid more ends nothing', async () => {
    const order = await triggered();
    await insertPrice(db, order.mintAddress, '1.5', 5);
    await setMarketPrice(db, order.mintAddress, '0.9');
    refuse(SLIPPAGE);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'open', attempts: 0, sealed: 1 });
  });

  test('waits without counting while its token is between curve and pool', async () => {
    const order = await triggered();
    await db`update tokens set curve_stage = 'completed' where mint_address = ${order.mintAddress}`;
    refuse(SLIPPAGE);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'triggered', attempts: 0, dueInMs: 5_000 });
  });

  test('is sent by the next attempt that the chain would take', async () => {
    const order = await triggered();
    refuse({ InstructionError: [1, { Custom: 1 }] });
    await work();
    expect(await stored(order)).toMatchObject({ attempts: 1, refusal: { reason: 'insufficient_funds' } });
    for (const { failures } of nodes) failures.clear();
    clock.advance(1_000);
    await work();
    expect(sent()).toEqual(new Set([order.wires.curve]));
  });
});

describe('an order that nobody can judge', () => {
  test('waits for a node without counting, and shows in the age of what is not sent', async () => {
    const order = await triggered({ triggeredAt: new Date(Date.now() - 60_000) });
    for (const node of nodes) node.isBroken = true;
    await work();
    expect(await stored(order)).toMatchObject({
      status: 'triggered',
      attempts: 0,
      version: 3,
      dueInMs: 1_000,
    });
    expect(await readUnsentAge(context.db)).toBeGreaterThanOrEqual(59);
    for (const node of nodes) node.isBroken = false;
    clock.advance(1_000);
    await work();
    expect(sent()).toEqual(new Set([order.wires.curve]));
    expect(await readUnsentAge(context.db)).toBe(0);
  });

  test('waits for a key that opens it', async () => {
    const order = await triggered({ box: createSecretBox(randomBytes(32)) });
    await work();
    expect(await stored(order)).toMatchObject({
      status: 'triggered',
      attempts: 0,
      dueInMs: 30_000,
      sealed: 1,
    });
    expect(sent().size).toBe(0);
  });
});

describe('a spent nonce', () => {
  const unknownNonce = 'BlockhashNotFound';

  test('voids the order when two nodes show another nonce', async () => {
    const order = await triggered();
    refuse(unknownNonce);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'triggered', attempts: 0 });
    nodes[0].nonces.set(order.nonceAddress, newAddress());
    clock.advance(1_000);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'triggered', attempts: 0 });
    nodes[1].nonces.set(order.nonceAddress, newAddress());
    clock.advance(1_000);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'voided', reason: 'nonce_spent', sealed: 0 });
    expect(await eventsOf(db)).toEqual([`order.voided ${order.id}`]);
  });

  test('is believed only of states that are younger than the order', async () => {
    const order = await triggered({ createdAt: clock.now() });
    refuse(unknownNonce);
    for (const { nonces } of nodes) nonces.set(order.nonceAddress, newAddress());
    await work();
    expect(await stored(order)).toMatchObject({ status: 'triggered' });
    // Counted from the order: the nodes may have begun their time in the second before.
    for (const node of nodes) node.chainSeconds = Math.floor(clock.now().getTime() / 1_000) + 61;
    clock.advance(61_000);
    await work();
    expect(await stored(order)).toMatchObject({ status: 'voided', reason: 'nonce_spent' });
  });

  test('ends the orders of its slot, or the slot is closed, unless one of them is on its way', async () => {
    const order = await triggered({ status: 'open' });
    const closed = await triggered({ status: 'open' });
    const way = await triggered();
    const beside = await triggered({ status: 'open', beside: way });
    await work();
    const all = [order, closed, way];
    for (const { nonces } of nodes) {
      nonces.set(order.nonceAddress, newAddress());
      nonces.delete(closed.nonceAddress);
      nonces.set(way.nonceAddress, newAddress());
    }
    const slotIds = all.map(({ slotId }) => slotId);
    const addresses = all.map(({ nonceAddress }) => nonceAddress);
    const readings = await readNonces(dependencies.rpcs, addresses, 1_000);
    expect(await voidSpentOrders(endContext(), slotIds, { readings, nodes: 2 })).toBe(2);
    expect(await stored(order)).toMatchObject({ status: 'voided', reason: 'nonce_spent' });
    expect(await stored(closed)).toMatchObject({ status: 'voided', reason: 'slot_closed' });
    expect(await stored(way)).toMatchObject({ status: 'triggered' });
    expect(await stored(beside)).toMatchObject({ status: 'open' });
  });
});

describe('a migration', () => {
  test('voids open and triggered orders without a transaction for the pool, and no others', async () => {
    const open = await triggered({ status: 'open' });
    const both = await triggered({ status: 'open', venues: ['curve', 'amm'], mintAddress: open.mintAddress });
    const due = await triggered({ mintAddress: open.mintAddress });
    expect(await voidMigratedOrders(endContext(), 10)).toBe(0);
    await db`
      update tokens set curve_stage = 'migrated', graduated_at = ${clock.now()} where mint_address = ${open.mintAddress}`;
    expect(await voidMigratedOrders(endContext(), 10)).toBe(1);
    await work();
    expect(await stored(open)).toMatchObject({ status: 'voided', reason: 'migrated', sealed: 0 });
    expect(await stored(both)).toMatchObject({ status: 'open', sealed: 2 });
    expect(await stored(due)).toMatchObject({ status: 'voided', reason: 'migrated' });
  });
});

test('the clock ends orders that were not sent, and those alone', async () => {
  const endsAt = new Date(clock.now().getTime() + 60_000);
  const open = await triggered({ status: 'open', endsAt });
  const refused = await triggered({ endsAt });
  refuse(SLIPPAGE, refused.wires.curve);
  const way = await triggered({ endsAt });
  await work();
  expect(await expireOrders(endContext(), 10)).toBe(0);
  clock.advance(60_000);
  expect(await expireOrders(endContext(), 10)).toBe(2);
  expect(await stored(open)).toMatchObject({ status: 'expired', reason: 'not_triggered', sealed: 0 });
  expect(await stored(refused)).toMatchObject({ status: 'expired', reason: 'not_sent' });
  expect(await stored(way)).toMatchObject({ status: 'triggered' });
});

test('an order whose time ends during its simulation is not sent', async () => {
  const order = await triggered({ endsAt: new Date(clock.now().getTime() + 1_000) });
  for (const node of nodes) node.beforeSimulation = async () => clock.advance(1_000);
  await work();
  expect(sent().size).toBe(0);
  expect(await stored(order)).toMatchObject({ status: 'triggered', intentId: null });
});

describe('a worker that is killed', () => {
  /** The next worker after the claims of the killed one have ended. */
  async function nextWorker(): Promise<void> {
    clock.advance(CLAIMED_MS);
    await work();
  }

  test('after the claim leaves the order to the next one', async () => {
    const order = await triggered();
    const now = clock.now();
    const until = new Date(now.getTime() + CLAIMED_MS);
    expect(await claimOrders(context.db, { now, until, limit: 10 })).toHaveLength(1);
    await work();
    expect(sent().size).toBe(0);
    await nextWorker();
    expect(sent()).toEqual(new Set([order.wires.curve]));
  });

  test('before the intent commits has sent nothing, and the next one sends once', async () => {
    const order = await triggered();
    const failing: IntentSender = {
      ...dependencies.intents,
      async store(sql, transaction) {
        await dependencies.intents.store(sql, transaction);
        throw new Error('killed');
      },
    };
    await work(new OrderSender({ ...dependencies, intents: failing }));
    expect(sent().size).toBe(0);
    expect(await eventsOf(db)).toEqual([]);
    expect(await stored(order)).toMatchObject({ intentId: null, version: 3 });
    await nextWorker();
    expect(sent()).toEqual(new Set([order.wires.curve]));
  });

  test('after the commit leaves the send to the broadcaster', async () => {
    const order = await triggered();
    await work(new OrderSender({ ...dependencies, intents: { ...dependencies.intents, send: () => {} } }));
    expect(sent().size).toBe(0);
    expect(await stored(order)).toMatchObject({ intentId: order.transactionIds.curve });
    await nextWorker();
    expect(sent().size).toBe(0);
    await (await broadcastDue(context, 10)).sent;
    expect(sent()).toEqual(new Set([order.wires.curve]));
  });

  test('or that outlives its claim sends nothing twice', async () => {
    const order = await triggered();
    const { promise, resolve } = Promise.withResolvers<void>();
    nodes[0].beforeSimulation = () => promise;
    const slow = new OrderSender(dependencies);
    await slow.step();
    await eventually('it simulates', async () => nodes[0].simulated.length === 1);
    nodes[0].beforeSimulation = null;
    await nextWorker();
    resolve();
    await slow.drain();
    await broadcaster.drain();
    expect(nodes.map((node) => node.sent.length)).toEqual([1, 1]);
    expect(await stored(order)).toMatchObject({ version: 4 });
    expect((await eventsOf(db)).length).toBe(1);
  });
});

test('several workers send each of many orders once', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => triggered()));
  await Promise.all([1, 2, 3].map(() => work(new OrderSender(dependencies))));
  expect(sent()).toEqual(new Set(orders.map(({ wires }) => wires.curve)));
  expect(nodes[0].sent).toHaveLength(orders.length);
});

test('a cancellation during the simulation wins', async () => {
  const order = await triggered();
  nodes[0].beforeSimulation = () =>
    db`update orders set status = 'cancelled', reason = 'requested', version = version + 1, completed_at = now()
      where id = ${order.id}`;
  await work();
  expect(sent().size).toBe(0);
  expect(await stored(order)).toMatchObject({ status: 'cancelled', intentId: null });
});
