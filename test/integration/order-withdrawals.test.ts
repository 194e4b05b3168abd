import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/db/client.ts';
import { createSlotDependents } from '../../src/features/orders/slots/settle-slot-intents.ts';
import { endIntents, type IntentEnd } from '../../src/intents/end/end-intents.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import {
  insertTriggeredOrder,
  type TriggeredOrder,
  type TriggeredOrderOptions,
} from '../support/orders/insert-triggered-order.ts';
import { eventsOf, intentContext, openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';

const box = createSecretBox(randomBytes(32));

let db: Database;
let accountId: string;
let clock: TestClock;
let context: ReturnType<typeof intentContext>['context'];
let ended: (string | null)[];
let woken: string[];

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});

beforeEach(async () => {
  await db`delete from events`;
  clock = createTestClock(new Date());
  ({ context } = intentContext(db, [], clock));
  ended = [];
  woken = [];
  context.dependents = createSlotDependents({
    ...context,
    metrics: { onOrdersEnded: (orders) => void ended.push(...orders.map(({ reason }) => reason)) },
    onStatusChanged: (ids) => void woken.push(...ids),
  });
});

const openOrder = (options: Partial<TriggeredOrderOptions> = {}) =>
  insertTriggeredOrder(db, { accountId, box, status: 'open', ...options });

async function submitted(kind: 'order_slot_advance' | 'order_slot_closure'): Promise<string> {
  const now = clock.now();
  const facts = { transaction: Buffer.alloc(10), lastValidBlockHeight: 100n, expiresAt: now, now };
  const id = await insertIntent(db, accountId, facts);
  await db`update transaction_intents set kind = ${kind} where id = ${id}`;
  return id;
}

/** Stops an order, as its account asked, with the intent that makes its signature worthless. */
async function withdraw({ id }: TriggeredOrder): Promise<string> {
  const intentId = await submitted('order_slot_advance');
  await db`
    update orders set status = 'cancelled', reason = 'requested', completed_at = now(), advance_intent_id = ${intentId}
    where id = ${id}`;
  return intentId;
}

async function close({ slotId }: TriggeredOrder): Promise<string> {
  const intentId = await submitted('order_slot_closure');
  await db`update order_slots set closing_intent_id = ${intentId} where id = ${slotId}`;
  return intentId;
}

const confirmed = (intentId: string): IntentEnd => ({
  intentId,
  status: 'confirmed',
  slot: 12n,
  transactionSignature: newAddress(),
});

async function stateOf({ id }: TriggeredOrder): Promise<string> {
  const [row] = await db<{ state: string }[]>`
    select concat_ws(' ', status, reason,
      (select count(*) from order_transactions t where t.order_id = o.id and sealed_transaction is not null)) as state
    from orders o where id = ${id}`;
  return row?.state ?? 'gone';
}

const slotStatus = async ({ slotId }: TriggeredOrder) =>
  (await db<{ status: string }[]>`select status from order_slots where id = ${slotId}`)[0]?.status;

describe('an intent that advanced the nonce of a slot', () => {
  test('ends the other orders of that nonce, of whatever price, and those of no other', async () => {
    const order = await openOrder();
    const open = await openOrder({ beside: order });
    const due = await openOrder({ beside: order, status: 'triggered' });
    const newer = await openOrder({ beside: { ...order, nonce: newAddress() } });
    const apart = await openOrder();
    const intentId = await withdraw(order);
    expect(await endIntents(context, [confirmed(intentId)])).toBe(1);
    expect(await stateOf(order)).toStartWith('cancelled requested');
    expect(await stateOf(open)).toBe('voided withdrawn 0');
    expect(await stateOf(due)).toBe('voided withdrawn 0');
    expect(await stateOf(newer)).toBe('open 1');
    expect(await stateOf(apart)).toBe('open 1');
    expect(ended).toEqual(['withdrawn', 'withdrawn']);
    expect((await eventsOf(db)).toSorted()).toEqual(
      [
        `transaction_intent.confirmed ${intentId}`,
        `order.voided ${open.id}`,
        `order.voided ${due.id}`,
      ].toSorted(),
    );
    const [slot] = await db`select due_at <= now() as due from order_slots where id = ${order.slotId}`;
    expect(slot).toMatchObject({ due: true });
  });

  test('ends nothing when it failed', async () => {
    const order = await openOrder();
    const open = await openOrder({ beside: order });
    const intentId = await withdraw(order);
    await endIntents(context, [
      {
        intentId,
        status: 'failed',
        errorCode: 'transaction_intent_expired',
        transactionSignature: null,
      },
    ]);
    expect(await stateOf(open)).toBe('open 1');
  });

  test('leaves the orders to one that was sent, which may have spent the nonce', async () => {
    const order = await openOrder();
    const sent = await openOrder({ beside: order, status: 'triggered' });
    const open = await openOrder({ beside: order });
    await db`update orders set intent_id = ${await submitted('order_slot_advance')} where id = ${sent.id}`;
    await endIntents(context, [confirmed(await withdraw(order))]);
    expect(await stateOf(sent)).toBe('triggered 1');
    expect(await stateOf(open)).toBe('open 1');
  });

  test('is not ended when its orders cannot be', async () => {
    const order = await openOrder();
    const open = await openOrder({ beside: order });
    const intentId = await withdraw(order);
    const { dependents } = context;
    if (dependents === undefined) throw new Error('there are dependents');
    context.dependents = {
      ...dependents,
      async end(...parameters) {
        await dependents.end(...parameters);
        throw new Error('killed before the commit');
      },
    };
    await expect(endIntents(context, [confirmed(intentId)])).rejects.toThrow('killed');
    expect(await stateOf(open)).toBe('open 1');
    expect(ended).toEqual([]);
    expect(await eventsOf(db)).toEqual([]);
    context.dependents = dependents;
    expect(await endIntents(context, [confirmed(intentId)])).toBe(1);
    expect(await endIntents(context, [confirmed(intentId)])).toBe(0);
    expect(await stateOf(open)).toBe('voided withdrawn 0');
  });

  test('ends them once, whichever of two workers ends it', async () => {
    const order = await openOrder();
    await openOrder({ beside: order });
    const intentId = await withdraw(order);
    const ends = [confirmed(intentId)];
    expect((await Promise.all([endIntents(context, ends), endIntents(context, ends)])).toSorted()).toEqual([
      0, 1,
    ]);
    expect(ended).toEqual(['withdrawn']);
  });
});

describe('an intent that returned the rent of a slot', () => {
  test('closes the slot and ends its orders, and wakes who waits for it', async () => {
    const order = await openOrder();
    const apart = await openOrder();
    const intentId = await close(order);
    await endIntents(context, [confirmed(intentId)]);
    expect(await slotStatus(order)).toBe('closed');
    expect(await slotStatus(apart)).toBe('ready');
    expect(await stateOf(order)).toBe('voided slot_closed 0');
    expect(await stateOf(apart)).toBe('open 1');
    expect(woken).toEqual([order.slotId]);
  });

  test('leaves the order that was sent to its own end', async () => {
    const order = await openOrder({ status: 'triggered' });
    await db`update orders set intent_id = ${await submitted('order_slot_advance')} where id = ${order.id}`;
    await endIntents(context, [confirmed(await close(order))]);
    expect(await slotStatus(order)).toBe('closed');
    expect(await stateOf(order)).toBe('triggered 1');
  });
});
