import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import type { Database } from '../../src/db/client.ts';
import { cancelOrder } from '../../src/features/orders/cancel-order.ts';
import { claimOrders } from '../../src/features/orders/sending/claim-orders.ts';
import {
  endSentOrders,
  expireOrders,
  isOrderEndDue,
  type SentEnd,
} from '../../src/features/orders/sending/end-orders.ts';
import { settleUnsent } from '../../src/features/orders/sending/settle-unsent.ts';
import { voidMigratedOrders, voidSpentOrders } from '../../src/features/orders/sending/void-orders.ts';
import type { OrderReason } from '../../src/features/orders/state.ts';
import { endIntents, type IntentEnd } from '../../src/intents/end/end-intents.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { nonceAccountData } from '../support/intents/intent-transactions.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import {
  insertTriggeredOrder,
  type TriggeredOrder,
  type TriggeredOrderOptions,
} from '../support/orders/insert-triggered-order.ts';
import { eventsOf, intentContext, openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock, type TestClock } from '../support/run/clock.ts';

const OLD_MS = 3_600_000;
const box = createSecretBox(randomBytes(32));

let db: Database;
let accountId: string;
let clock: TestClock;
let context: ReturnType<typeof intentContext>['context'];

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});

beforeEach(async () => {
  await db`delete from events`;
  await db`update orders set intent_id = null, status = 'voided', reason = 'migrated', completed_at = now()
    where completed_at is null`;
  clock = createTestClock(new Date());
  ({ context } = intentContext(db, [], clock));
});

const endContext = () => ({ ...context, metrics: { onOrdersEnded: () => {} } });

const live = ['unsigned', 'open', 'triggered'] as const;

async function insertOrder(
  status: (typeof live)[number],
  options: Partial<TriggeredOrderOptions> = {},
): Promise<TriggeredOrder> {
  const now = clock.now();
  const order = await insertTriggeredOrder(db, {
    accountId,
    box,
    status: status === 'unsigned' ? 'open' : status,
    createdAt: new Date(now.getTime() - OLD_MS),
    triggeredAt: now,
    ...options,
  });
  if (status === 'unsigned')
    await db`update orders set status = 'unsigned', opened_at = null where id = ${order.id}`;
  return order;
}

/** Status and reason of orders, in their order. An order has ended when its bytes are erased, and not before. */
async function statesOf(orders: readonly { id: string }[]): Promise<string[]> {
  const rows = await db<{ id: string; state: string; hasEnded: boolean; sealed: number }[]>`
    select id, concat_ws(' ', status, reason) as state, completed_at is not null as has_ended,
      (select count(*)::int from order_transactions t where t.order_id = o.id and sealed_transaction is not null) as sealed
    from orders o where id = any(${orders.map(({ id }) => id)}::uuid[])`;
  for (const { hasEnded, sealed } of rows) expect(sealed).toBe(hasEnded ? 0 : 1);
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return orders.map(({ id }) => states.get(id) ?? 'gone');
}

const sentEnds: Record<SentEnd, (intentId: string) => IntentEnd> = {
  landed: (intentId) => ({ intentId, status: 'confirmed', transactionSignature: newAddress(), slot: 12n }),
  landed_failed: (intentId) => ({ ...failed(intentId, 'solana_transaction_failed'), slot: 12n }),
  lost: (intentId) => failed(intentId, 'transaction_intent_expired'),
  never_sent: (intentId) => ({
    ...failed(intentId, 'transaction_intent_invalid_state'),
    transactionSignature: null,
  }),
};

function failed(intentId: string, errorCode: (IntentEnd & { status: 'failed' })['errorCode']) {
  return { intentId, status: 'failed', errorCode, transactionSignature: newAddress() } as const;
}

/** What becomes of an order that was sent; `sent` while nobody knows. */
type Fate = SentEnd | 'sent';

/** One or two orders over a nonce that are sent, one that is not, and one over the next nonce of the slot. */
interface Slot {
  fates: readonly Fate[];
  sent: TriggeredOrder[];
  intentIds: string[];
  sibling: TriggeredOrder;
  siblingStatus: (typeof live)[number];
  next: TriggeredOrder;
}

const fates = Object.keys(sentEnds) as SentEnd[];
const uses = (fate: Fate) => fate === 'landed' || fate === 'landed_failed';
/** A nonce is used once. */
const stories: readonly (readonly SentEnd[])[] = [
  ...fates.map((fate) => [fate]),
  ...fates.flatMap((first) =>
    fates.flatMap((second) => (uses(first) && uses(second) ? [] : [[first, second]])),
  ),
];

async function insertSlot(story: readonly SentEnd[], siblingStatus: Slot['siblingStatus']): Promise<Slot> {
  const sent: TriggeredOrder[] = [];
  const intentIds: string[] = [];
  const now = clock.now();
  for (const _fate of story) {
    const order = await insertOrder('triggered', sent[0] === undefined ? {} : { beside: sent[0] });
    const facts = { transaction: Buffer.alloc(10), lastValidBlockHeight: null, expiresAt: now, now };
    const intentId = await insertIntent(db, accountId, facts);
    await db`update orders set intent_id = ${intentId} where id = ${order.id}`;
    sent.push(order);
    intentIds.push(intentId);
  }
  const [first] = sent;
  if (first === undefined) throw new Error('nothing is sent');
  const sibling = await insertOrder(siblingStatus, { beside: first });
  const next = await insertOrder('open', { beside: { ...first, nonce: newAddress() } });
  return { fates: story, sent, intentIds, sibling, siblingStatus, next };
}

/** What contract/orders#ends says of the orders of a slot: those that were sent, the other one, and that over another nonce. */
function expectedStates(now: readonly Fate[], siblingStatus: string): string[] {
  const hasLanded = now.includes('landed');
  const isUndecided = now.includes('sent');
  const states: Record<Fate, string> = {
    sent: 'triggered',
    landed: 'landed',
    landed_failed: 'failed transaction_failed',
    // Whether it was the other one that landed is known when that has ended.
    lost: isUndecided ? 'triggered' : 'failed transaction_lost',
    never_sent: 'failed transaction_lost',
  };
  if (hasLanded) states.lost = 'cancelled other_landed';
  const isSpent = now.includes('landed_failed') || (now.includes('lost') && !isUndecided);
  let sibling = isSpent ? 'voided nonce_spent' : siblingStatus;
  if (hasLanded) sibling = 'cancelled other_landed';
  return [...now.map((fate) => states[fate]), sibling, 'open'];
}

describe('an order that was sent ends with its intent, and with it those over its nonce, as far as that is used', () => {
  test.each([
    ['when all end at once', 1_000, false],
    ['when each step ends one', 1, false],
    ['when one ends after the other', 1_000, true],
  ] as const)('%s', async (_when, limit, isInTurn) => {
    const slots = await Promise.all(
      stories.map((story, at) =>
        insertSlot(story, live[(at + limit + Number(isInTurn)) % live.length] ?? 'open'),
      ),
    );
    const check = async (ended: number) => {
      await endSome(slots, ended);
      expect(await db`select ${isOrderEndDue(db, clock.now())} as due`).toMatchObject([{ due: true }]);
      while ((await endSentOrders(endContext(), limit)) > 0);
      for (const { fates: story, sent, sibling, siblingStatus, next } of slots) {
        const now = story.map((fate, at): Fate => (at < ended ? fate : 'sent'));
        expect([now, await statesOf([...sent, sibling, next])]).toEqual([
          now,
          expectedStates(now, siblingStatus),
        ]);
      }
      await expectEvents(slots);
    };
    if (isInTurn) await check(1);
    await check(2);
  });
});

/** Ends the intents of the first orders of each slot. */
async function endSome(slots: readonly Slot[], ended: number): Promise<void> {
  const ends = slots.flatMap(({ fates: story, intentIds }) =>
    intentIds.slice(0, ended).map((intentId, at) => sentEnds[story[at] as SentEnd](intentId)),
  );
  await endIntents(context, ends);
}

/** Each order that has ended has one event, and a landing comes before what it ends. */
async function expectEvents(slots: readonly Slot[]): Promise<void> {
  const events = (await eventsOf(db)).filter((event) => event.startsWith('order.'));
  const orders = slots.flatMap(({ sent, sibling }) => [...sent, sibling]);
  const states = await statesOf(orders);
  const expected = orders.flatMap(({ id }, at) => {
    const [status = ''] = states[at]?.split(' ') ?? [];
    return (live as readonly string[]).includes(status) ? [] : [`order.${status} ${id}`];
  });
  expect(events.toSorted()).toEqual(expected.toSorted());
  const placeOf = ({ id }: TriggeredOrder) => events.findIndex((event) => event.endsWith(id));
  for (const { fates: story, sent, sibling } of slots) {
    const landed = sent[story.indexOf('landed')];
    if (landed !== undefined && placeOf(landed) >= 0) expect(placeOf(landed)).toBeLessThan(placeOf(sibling));
  }
}

describe('an order that was not sent', () => {
  const refusal = { reason: 'refused', programError: null } as const;

  /** Two nodes show the account of its nonce so. */
  async function showNonce({ slotId, nonceAddress }: TriggeredOrder, nonce: string | null): Promise<void> {
    const data = nonce === null ? null : new Uint8Array(nonceAccountData(nonce));
    const account = data && { owner: SYSTEM_PROGRAM, data, lamports: 1n };
    const chainSeconds = BigInt(Math.floor(clock.now().getTime() / 1_000));
    const reading = { slot: 1n, chainSeconds, accounts: new Map([[nonceAddress, account]]) };
    await voidSpentOrders(endContext(), [slotId], { readings: [reading, reading], nodes: 2 });
  }

  /** How an order ends for each reason, and its state before; those that end with an intent have tests of their own. */
  const ways: Record<
    Exclude<OrderReason, 'transaction_failed' | 'transaction_lost' | 'other_landed' | 'withdrawn'>,
    {
      status: (typeof live)[number];
      to: string;
      spendsNonce?: true;
      end(order: TriggeredOrder): Promise<unknown>;
    }
  > = {
    would_fail: {
      status: 'triggered',
      to: 'failed',
      async end({ id }) {
        await db`update orders set attempts = 4 where id = ${id}`;
        const now = clock.now();
        const [due] = await claimOrders(context.db, { now, until: now, limit: 1 });
        if (due?.id !== id) throw new Error('it is not due');
        await settleUnsent(context, due, { outcome: 'refused', refusal });
      },
    },
    requested: {
      status: 'open',
      to: 'cancelled',
      end: ({ id: orderId }) =>
        context.db.begin((sql) =>
          cancelOrder(sql, { orderId, accountId }, 'chain_unavailable', context as never),
        ),
    },
    not_signed: { status: 'unsigned', to: 'expired', end: endTime },
    not_triggered: { status: 'open', to: 'expired', end: endTime },
    not_sent: { status: 'triggered', to: 'expired', end: endTime },
    nonce_spent: {
      status: 'open',
      to: 'voided',
      spendsNonce: true,
      end: (order) => showNonce(order, newAddress()),
    },
    slot_closed: { status: 'open', to: 'voided', spendsNonce: true, end: (order) => showNonce(order, null) },
    migrated: {
      status: 'open',
      to: 'voided',
      async end({ mintAddress }) {
        await db`update tokens set curve_stage = 'migrated', graduated_at = ${clock.now()} where mint_address = ${mintAddress}`;
        await voidMigratedOrders(endContext(), 10);
      },
    },
  };

  async function endTime({ id }: TriggeredOrder): Promise<void> {
    await db`update orders set ends_at = ${clock.now()} where id = ${id}`;
    await expireOrders(endContext(), 10);
  }

  test.each(Object.entries(ways))('%s: ends alone, unless its nonce is spent', async (reason, way) => {
    const order = await insertOrder(way.status);
    const siblings: TriggeredOrder[] = [];
    for (const status of live)
      siblings.push(await insertOrder(status, { beside: order, mintAddress: newAddress() }));
    await db`update orders set next_attempt_at = ${new Date(clock.now().getTime() + OLD_MS)}
      where status = 'triggered' and id <> ${order.id}`;
    await way.end(order);
    const end = `${way.to} ${reason}`;
    const others = way.spendsNonce ? live.map(() => end) : [...live];
    expect(await statesOf([order, ...siblings])).toEqual([end, ...others]);
  });
});
