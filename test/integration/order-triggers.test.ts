import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../src/db/client.ts';
import { changeOrder } from '../../src/features/orders/change-orders.ts';
import { lockOrders } from '../../src/features/orders/order-rows.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import type { WaitingOrder } from '../../src/indexer/market/order-crossings.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { compareDecimals, type DecimalString, rawToDecimal } from '../../src/shared/decimal.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import {
  countedPrice,
  FIRST_BLOCK_TIME_MS,
  numberedTrade,
  signatureOf,
  tradesOf,
} from '../support/market/market-arbitraries.ts';
import { insertSlot } from '../support/orders/insert-slot.ts';
import { eventually } from '../support/run/eventually.ts';

const MINTS = [newAddress(), newAddress()];
const [MINT = ''] = MINTS;
const OPENED_AT = new Date(FIRST_BLOCK_TIME_MS);

let stream: IngestStream;
let worker: Database;
let owner: OrderOwner;

beforeAll(async () => {
  stream = await openIngestStream();
  worker = stream.context.db;
  owner = await createOrderOwner(stream.db);
  // The sender's intents are no part of these tests: any id says that an order was sent.
  await stream.db`alter table orders drop constraint orders_intent_id_transaction_intents_id_fk`;
});

async function reset(): Promise<void> {
  const { db, context } = stream;
  await emptyTables(db, 'tokens', 'orders', 'events', 'reverted_trades');
  for (const mint of MINTS)
    await db.begin((sql) =>
      upsertToken(sql, context.outbox, systemClock, {
        ...tokenMessage(mint),
        launchType: 'dbc',
        status: 'bonding',
      }),
    );
}

const insertOrder = (order: Partial<OpenOrder> = {}) =>
  insertOpenOrder(stream.db, owner, { mintAddress: MINT, openedAt: OPENED_AT, ...order });
const store = (trades: readonly IndexedTrade[]) =>
  worker.begin((sql) => storeTrades(sql, trades, undefined, stream.context.orders));
const revert = (trades: readonly IndexedTrade[]) => {
  const reversals = trades.map(({ id, slot }) => ({ tradeId: id, slot }));
  return worker.begin((sql) => storeReversals(sql, reversals, new Date(), stream.context.orders));
};
/** As the loop that sends: it takes what is triggered. */
const send = (id: string) =>
  stream.db`
    update orders set intent_id = ${Bun.randomUUIDv7()}
    where id = ${id} and status = 'triggered' and intent_id is null`;
const cancel = (id: string) =>
  stream.db.begin(async (sql) => {
    const [order] = await lockOrders(sql, [id]);
    if (order === undefined || order.intentId !== null || order.completedAt !== null) return;
    await changeOrder(
      sql,
      { order, to: 'cancelled', reason: 'requested' },
      { outbox: stream.context.outbox, clock: systemClock },
    );
  });
const pricedAt = (number: number, price: string, spotPriceInSol?: string) =>
  numberedTrade(MINT, number, {
    solAmount: price,
    tokenAmount: '1',
    ...(spotPriceInSol !== undefined && { spotPriceInSol }),
  });

async function ordersNow() {
  return await stream.db<
    {
      id: string;
      status: string;
      version: number;
      intentId: string | null;
      tradeId: string | null;
      slot: bigint | null;
      price: string | null;
    }[]
  >`
    select id, status, version, intent_id, trigger_trade_id as trade_id, trigger_slot as slot, trigger_observed_price::text as price
    from orders order by id`;
}

async function orderNow(id: string) {
  const order = (await ordersNow()).find((one) => one.id === id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** The events of orders as they were appended: their order, their name, and the trade of those that are triggered. */
async function orderEvents() {
  return await stream.db<{ id: string; name: string; tradeId: string | null; version: number }[]>`
    select subject as id, substring(type from 'order\.([a-z]+)') as name, body::jsonb #>> '{data,triggeredBy,tradeId}' as trade_id,
      (body::jsonb #>> '{data,version}')::int as version
    from events where type like '%.order.%' order by recorded_in, events.id`;
}

describe('an order', () => {
  test('is triggered in the transaction that stores the first trade at its price, with its event', async () => {
    await reset();
    const id = await insertOrder();
    const other = await insertOrder({ mintAddress: MINTS[1] ?? '' });
    const [high, first, second] = [pricedAt(1, '0.6'), pricedAt(2, '0.4'), pricedAt(3, '0.3')];
    expect((await store([second, high, first])).triggered).toBe(1);
    expect(await orderNow(id)).toMatchObject({
      status: 'triggered',
      version: 3,
      tradeId: first.id,
      slot: 102n,
      price: '0.4',
    });
    expect(await orderNow(other)).toMatchObject({ status: 'open', version: 2 });
    expect(await orderEvents()).toEqual([{ id, name: 'triggered', tradeId: first.id, version: 3 }] as never);
    // The same trades again, as after a lost acknowledgement, change nothing.
    expect((await store([second, high, first])).triggered).toBe(0);
    expect(await orderEvents()).toHaveLength(1);
  });

  test('is not triggered by a trade that is not stored: an unknown token, one that is stored already, one taken back', async () => {
    await reset();
    const trade = pricedAt(1, '0.4');
    await store([trade]);
    const gone = pricedAt(2, '0.4');
    await revert([gone]);
    const unknown = newAddress();
    const ids = [await insertOrder(), await insertOrder({ mintAddress: unknown })];
    await store([trade, gone, numberedTrade(unknown, 1, { solAmount: '1', tokenAmount: '10' })]);
    for (const id of ids) expect(await orderNow(id)).toMatchObject({ status: 'open' });
  });

  test('compares the price that it names, and goes by price, then by time', async () => {
    await reset();
    const spot = await insertOrder({ triggerOf: 'spot', triggerPrice: '0.35' });
    const far = await insertOrder({ triggerPrice: '0.42' });
    const later = await insertOrder({ triggerPrice: '0.5', openedAt: new Date(FIRST_BLOCK_TIME_MS + 1) });
    const near = await insertOrder({ triggerPrice: '0.5' });
    const above = await insertOrder({ triggerWhen: 'at_or_above', triggerPrice: '0.41' });
    await store([pricedAt(1, '0.41', '0.36'), pricedAt(2, '0.9', '0.35')]);
    const ids = (await orderEvents()).map(({ id }) => id);
    expect(ids).toEqual([above, near, later, far, spot]);
    // What sends claims them by this time.
    const due = await stream.db<{ id: string; isDue: boolean }[]>`
      select id, next_attempt_at <= triggered_at as is_due from orders order by next_attempt_at`;
    expect(due.map(({ id }) => id)).toEqual(ids);
    expect(due.every(({ isDue }) => isDue)).toBe(true);
  });

  test('that others see hidden is triggered too: its owner trades what it holds', async () => {
    await reset();
    const id = await insertOrder();
    await stream.db.begin((sql) => setTokenHidden(sql, MINT, true));
    await store([pricedAt(1, '0.4')]);
    expect(await orderNow(id)).toMatchObject({ status: 'triggered' });
  });

  test('opens again when its trade is taken back before it was sent, unless another trade is at its price', async () => {
    await reset();
    const [stop, low] = [await insertOrder(), await insertOrder({ triggerPrice: '0.35' })];
    // One comes late: when another trade has triggered the order.
    const [late, first, second, third] = [
      pricedAt(1, '0.44'),
      pricedAt(2, '0.3'),
      pricedAt(3, '0.4'),
      pricedAt(4, '0.45'),
    ];
    await store([first]);
    await store([second, third]);
    await store([late]);
    expect((await revert([first])).triggered).toBe(1);
    expect(await orderNow(stop)).toMatchObject({ status: 'triggered', version: 5, tradeId: late.id });
    expect((await revert([late])).triggered).toBe(1);
    expect(await orderNow(stop)).toMatchObject({
      status: 'triggered',
      version: 7,
      tradeId: second.id,
      price: '0.4',
    });
    expect(await orderNow(low)).toMatchObject({
      status: 'open',
      version: 4,
      tradeId: null,
      slot: null,
      price: null,
    });
    expect((await orderEvents()).map(({ id, name }) => [id === stop ? 'stop' : 'low', name])).toEqual([
      ['stop', 'triggered'],
      ['low', 'triggered'],
      ['stop', 'opened'],
      ['low', 'opened'],
      ['stop', 'triggered'],
      ['stop', 'opened'],
      ['stop', 'triggered'],
    ]);
    await send(stop);
    await revert([second, third]);
    expect(await orderNow(stop)).toMatchObject({ status: 'triggered', version: 7, tradeId: second.id });
  });
});

const isBeyond = (price: string, { triggerWhen, triggerPrice }: WaitingOrder) => {
  const side = compareDecimals(price as DecimalString, triggerPrice);
  return triggerWhen === 'at_or_above' ? side >= 0 : side <= 0;
};
const priceFor = (trade: IndexedTrade, { triggerOf }: WaitingOrder) =>
  (triggerOf === 'trade' ? countedPrice(trade) : null) ?? trade.spotPriceInSol;
const triggers = (trade: IndexedTrade, order: WaitingOrder) => {
  const price = priceFor(trade, order);
  return trade.mintAddress === order.mintAddress && price !== null && price !== '0' && isBeyond(price, order);
};

type Step =
  | { kind: 'store' | 'kill' | 'revert' | 'fork'; from: number; length: number }
  | {
      kind: 'race';
      from: number;
      length: number;
      offset: number;
      order: number;
      what: 'store' | 'revert' | 'cancel' | 'send';
    }
  | { kind: 'send' | 'cancel'; order: number };

/** A worker that dies after its last statement: the server ends the session without a commit. */
async function storeAndDie(trades: readonly IndexedTrade[]): Promise<void> {
  const death = worker.begin(async (sql) => {
    await storeTrades(sql, trades, undefined, stream.context.orders);
    const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await stream.db`select pg_terminate_backend(${session?.pid ?? 0})`;
    await sql`select pg_advisory_xact_lock(1)`;
  });
  expect(
    await death.then(
      () => 'committed',
      () => 'died',
    ),
  ).toBe('died');
}

/** The later half of the trades comes first and triggers what it crosses, then comes the earlier one; the later one is reverted. */
async function fork(trades: readonly IndexedTrade[]): Promise<void> {
  const inTurn = trades.toSorted((left, right) => Number(left.slot - right.slot));
  const half = Math.floor(inTurn.length / 2);
  await store(inTurn.slice(half));
  await store(inTurn.slice(0, half));
  await revert(inTurn.slice(half));
}

test('each order triggers once for a trade that stays, whatever workers do at once, die of, and take back', async () => {
  const [from, length] = [fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 8 })];
  const order = fc.integer({ min: 0, max: 7 });
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constantFrom('store' as const, 'kill' as const, 'revert' as const, 'fork' as const),
          from,
          length,
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('race' as const),
          from,
          length,
          order,
          offset: fc.integer({ min: 0, max: 4 }),
          what: fc.constantFrom('store' as const, 'revert' as const, 'cancel' as const, 'send' as const),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constantFrom('send' as const, 'cancel' as const), order }),
      },
    ),
    { minLength: 4, maxLength: 14 },
  );
  const shapes = fc.array(
    fc.record({
      mintAddress: fc.constantFrom(...MINTS),
      triggerOf: fc.constantFrom('trade' as const, 'spot' as const),
      triggerWhen: fc.constantFrom('at_or_above' as const, 'at_or_below' as const),
      triggerPrice: fc.oneof(
        fc.bigInt({ min: 1n, max: 10n ** 12n }).map((raw) => rawToDecimal(raw, 18)),
        fc.bigInt({ min: 1n, max: 10n ** 5n }).map((raw) => rawToDecimal(raw, 5)),
      ),
    }),
    { minLength: 8, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(tradesOf(MINTS, 24), shapes, steps, async (trades, waiting, story) => {
      await reset();
      const orders: WaitingOrder[] = [];
      for (const shape of waiting)
        orders.push({ ...shape, id: await insertOrder(shape), openedAt: OPENED_AT });
      const idOf = (at: number) => orders[at]?.id ?? '';
      for (const step of story) await take(step, trades, idOf);
      await checkOrders(orders, trades);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

async function take(
  step: Step,
  trades: readonly IndexedTrade[],
  idOf: (at: number) => string,
): Promise<void> {
  if (!('from' in step)) await (step.kind === 'send' ? send : cancel)(idOf(step.order));
  else {
    const batch = trades.slice(step.from, step.from + step.length);
    if (step.kind === 'store') await store(batch);
    else if (step.kind === 'kill') await storeAndDie(batch);
    else if (step.kind === 'revert') await revert(batch.slice(0, 2));
    else if (step.kind === 'fork') await fork(batch);
    else if (step.kind === 'race') {
      const others = trades.slice(step.from + step.offset, step.from + step.offset + step.length);
      const beside = {
        store: () => store(others),
        revert: () => revert(others.slice(0, 2)),
        cancel: () => cancel(idOf(step.order)),
        send: () => send(idOf(step.order)),
      };
      await Promise.all([store(batch), beside[step.what]()]);
    }
  }
}

async function checkOrders(orders: readonly WaitingOrder[], trades: readonly IndexedTrade[]): Promise<void> {
  const rows = await stream.db<{ id: string }[]>`select id from trades`;
  const kept = new Set(rows.map(({ id }) => id));
  const events = Map.groupBy(await orderEvents(), ({ id }) => id);
  for (const now of await ordersNow()) {
    const order = orders.find(({ id }) => id === now.id);
    if (order === undefined) return expect.unreachable();
    const own = events.get(now.id) ?? [];
    // One event for each change, in turn.
    expect(own.map(({ version }) => version)).toEqual(own.map((_, at) => at + 3));
    expect(now.version).toBe(own.length + 2);
    const names = own.map(({ name }) => name).filter((name) => name !== 'cancelled');
    expect(names).toEqual(names.map((_, at) => (at % 2 === 0 ? 'triggered' : 'opened')));
    const triggeredBy = own.flatMap(({ name, tradeId }) => (name === 'triggered' ? [tradeId] : []));
    expect(new Set(triggeredBy).size).toBe(triggeredBy.length);
    expect(triggeredBy.filter((id) => id !== null && kept.has(id)).length).toBeLessThanOrEqual(1);
    if (now.status === 'cancelled') continue;
    const isOnChain = (trade: IndexedTrade) => kept.has(trade.id) && triggers(trade, order);
    if (now.intentId === null) expect(now.status).toBe(trades.some(isOnChain) ? 'triggered' : 'open');
    if (now.status !== 'triggered') continue;
    const trade = trades.find(({ id }) => id === now.tradeId);
    if (trade === undefined) return expect.unreachable();
    if (now.intentId === null) expect(kept).toContain(trade.id);
    expect(triggers(trade, order)).toBe(true);
    expect([now.slot, Number(now.price)]).toEqual([trade.slot, Number(priceFor(trade, order))]);
  }
}

test('workers of the stream wake what sends once its trade is committed, and take back what is reverted', async () => {
  await stream.reset();
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await stream.settle();
  const id = await insertOrder({ mintAddress: mint });
  const seen: Promise<string>[] = [];
  stream.context.onOrdersTriggered = () => {
    seen.push(orderNow(id).then(({ status }) => status));
  };
  await stream.feed('trade', tradeMessage(mint, 1, { solAmount: '9' }));
  await stream.feed('trade', tradeMessage(mint, 2, { solAmount: '1.2' }));
  await stream.settle(2);
  expect(await Promise.all(seen)).toEqual(['triggered']);
  await stream.feed('trade_reverted', { transactionSignature: signatureOf(2), outerIndex: 0, innerIndex: 0 });
  await stream.settle(2);
  await eventually('taken back', async () => (await orderNow(id)).status === 'open');
});

/** Who owns an order, and its slot. */
interface OrderOwner {
  accountId: string;
  slotId: string;
}

async function createOrderOwner(db: Database): Promise<OrderOwner> {
  const { accountId } = await createTestKey(db);
  return { accountId, slotId: await insertSlot(db, { accountId, status: 'ready' }) };
}

/** What ingest looks at, of an order that sells below a price. */
interface OpenOrder extends Pick<WaitingOrder, 'mintAddress'> {
  triggerOf?: WaitingOrder['triggerOf'];
  triggerWhen?: WaitingOrder['triggerWhen'];
  triggerPrice?: string;
  openedAt?: Date;
}

/** Inserts a signed order that waits for its price. It has no transaction to send. Returns its id. */
async function insertOpenOrder(
  db: Database,
  { accountId, slotId }: OrderOwner,
  order: OpenOrder,
): Promise<string> {
  const { mintAddress, triggerOf = 'trade', triggerWhen = 'at_or_below', triggerPrice = '0.5' } = order;
  const { openedAt = new Date() } = order;
  const id = Bun.randomUUIDv7();
  await db`
    insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
      limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
      created_at, opened_at)
    values (${id}, ${accountId}, ${slotId}, ${newAddress()}, ${newAddress()}, ${newAddress()}, ${mintAddress}, 'sell', '1000',
      '1', ${triggerPrice}, ${triggerWhen}, ${triggerOf}, 'fast', 0, 'open', 2, now() + interval '1 day',
      now() + interval '1 day', ${openedAt}, ${openedAt})`;
  return id;
}
