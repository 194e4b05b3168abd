import { beforeAll, describe, expect, test } from 'bun:test';
import { cancelOperation } from '../../src/features/operations/cancel-operation.ts';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { changeOrder, type OrderChange } from '../../src/features/orders/change-orders.ts';
import { lockOrders } from '../../src/features/orders/order-rows.ts';
import { ChangeWaits } from '../../src/http/waits/change-waits.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { landIntent, learnLanding } from '../support/intents/landings.ts';
import { insertIntent } from '../support/intents/submitted-intent.ts';
import { insertOrder } from '../support/orders/insert-order.ts';
import { insertSlot } from '../support/orders/insert-slot.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { sharedNatsUrl } from '../support/servers/services.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  ({ api, key } = await start());
});

async function start(options: TestApiOptions = {}) {
  const started = await startTestApi(options);
  return { api: started, key: await createTestKey(started.dependencies.database) };
}

interface Stage {
  api: TestApi;
  key: TestKey;
}

const stage = (): Stage => ({ api, key });

async function newIntent({ api: on, key: owner } = stage()): Promise<string> {
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 60_000);
  const facts = { transaction: new Uint8Array(4), lastValidBlockHeight: null, expiresAt, now } as const;
  return insertIntent(on.dependencies.database, owner.accountId, { status: 'prepared', ...facts });
}

function get(path: string, headers: Record<string, string>, on = stage()) {
  return fetch(`${on.api.baseUrl}${path}`, {
    headers: { ...on.key.header, ...headers },
  });
}

const intentPath = (id: string) => `/transaction-intents/${id}`;
const waitsOf = ({ api: on }: Stage) => on.dependencies.pipeline.waits;
const waiting = (count: number, on = stage()) =>
  eventually(`${count} waiting`, async () => waitsOf(on).count === count);

async function change(id: string): Promise<void> {
  await api.dependencies.database`
    update transaction_intents set status = 'expired', completed_at = now(), version = 2 where id = ${id}`;
}

const statusOf = async (response: Response) => ((await response.json()) as { status: string }).status;

const land = (id: string) => landIntent(api.dependencies.database, id);

/** Its facts become known, or its block final. */
async function learn(id: string, finality: 'confirmed' | 'finalized'): Promise<void> {
  await learnLanding(api.dependencies.database, id, finality);
  waitsOf(stage()).wake([id]);
}

describe('a request for an intent that has landed', () => {
  test('waits for what became of it from the version that it names, until its block is final', async () => {
    const id = await newIntent();
    await land(id);
    for (const [version, finality] of [
      [3, 'confirmed'],
      [4, 'finalized'],
    ] as const) {
      const response = get(intentPath(id), { prefer: 'wait=25', 'if-none-match': `"${version}"` });
      await waiting(1);
      await learn(id, finality);
      const found = await (await response).json();
      expect(found).toMatchObject({ status: 'confirmed', finality, version: version + 1 });
      expect(found).toMatchObject({ landed: { slot: '1000', feeLamports: '5000', inputRaw: null } });
    }
    const final = await get(intentPath(id), { prefer: 'wait=25', 'if-none-match': '"5"' });
    expect(final.headers.get('etag')).toBe('"5"');
  });

  test('gets the confirmation itself, and not only what follows it', async () => {
    const id = await newIntent();
    const response = get(intentPath(id), { prefer: 'wait=25' });
    await waiting(1);
    await land(id);
    waitsOf(stage()).wake([id]);
    expect(await (await response).json()).toMatchObject({ status: 'confirmed', version: 3, landed: null });
  });

  test('is answered at once when it names no version, as before there were landings', async () => {
    const id = await newIntent();
    await land(id);
    const response = await get(intentPath(id), { prefer: 'wait=25' });
    expect(await response.json()).toMatchObject({ status: 'confirmed', finality: 'confirmed', landed: null });
    expect(response.headers.get('preference-applied')).toBe('wait=25');
  });

  test('shows nothing of a block that a fork has dropped', async () => {
    const id = await newIntent();
    await land(id);
    await learn(id, 'confirmed');
    await api.dependencies.database`
      update intent_landings set finality = 'reverted', settled_at = now() where intent_id = ${id}`;
    const shown = await (await get(intentPath(id), {})).json();
    expect(shown).toMatchObject({ status: 'confirmed', finality: 'reverted', landed: null });
    const list = await (await get('/transaction-intents?status=confirmed&limit=1', {})).json();
    expect(list).toMatchObject({ data: [{ id, finality: 'reverted', landed: null }] });
  });
});

test('an order is held until its version changes, and not once it has ended (contract/orders#list)', async () => {
  const { database, outbox, clock } = api.dependencies;
  const { accountId } = key;
  const slotId = await insertSlot(database, { accountId, status: 'ready' });
  const id = await insertOrder(database, { accountId, slotId });
  const path = `/orders/${id}`;
  const move = (change: Pick<OrderChange, 'to' | 'reason' | 'trigger'>) =>
    database.begin(async (transaction) => {
      const [order] = await lockOrders(transaction, [id]);
      if (order === undefined) throw new Error('the order exists');
      await changeOrder(transaction, { order, ...change }, { outbox, clock });
    });
  const first = await get(path, {});
  const version = first.headers.get('etag') ?? '';
  const held = get(path.toUpperCase().replace('/ORDERS', '/orders'), { prefer: 'wait=25' });
  await waiting(1);
  await move({ to: 'triggered', trigger: { tradeId: crypto.randomUUID(), slot: 1n, price: '0.1' } });
  waitsOf(stage()).wake([id]);
  const triggered = await held;
  expect(triggered.headers.get('preference-applied')).toBe('wait=25');
  expect(await triggered.json()).toMatchObject({ status: 'triggered', triggeredBy: { price: '0.1' } });
  // With the version that the client has, an earlier change is returned at once.
  const late = await get(path, { prefer: 'wait=25', 'if-none-match': version });
  expect(await late.json()).toMatchObject({ status: 'triggered' });
  await move({ to: 'cancelled', reason: 'requested' });
  const etag = (await get(path, {})).headers.get('etag') ?? '';
  const ended = await get(path, { prefer: 'wait=25', 'if-none-match': etag });
  expect(await ended.json()).toMatchObject({ status: 'cancelled' });
});

describe('a request that prefers to wait', () => {
  test('gets the new state when a hint names the record, and not before it has changed', async () => {
    const id = await newIntent();
    const response = get(intentPath(id.toUpperCase()), { prefer: 'wait=25' });
    await waiting(1);
    waitsOf(stage()).wake([id]);
    waitsOf(stage()).wake([crypto.randomUUID()]);
    await change(id);
    waitsOf(stage()).wake([id]);
    const { status, headers } = await response;
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('wait=25');
    expect(headers.get('etag')).toBe('"2"');
    expect(await statusOf(await response)).toBe('expired');
    expect(waitsOf(stage()).count).toBe(0);
  });

  test('is woken by the hint on the bus, and when hints may have been missed', async () => {
    const connection = await connectBus(await sharedNatsUrl(), 'test');
    atEnd(() => connection.close());
    for (const wake of [
      (id: string) => connection.publish(hints.statusChanged, `${crypto.randomUUID()},${id}`),
      () => waitsOf(stage()).wakeAll(),
    ]) {
      const id = await newIntent();
      const response = get(intentPath(id), { prefer: 'wait=25' });
      await waiting(1);
      await change(id);
      await eventually('the response', async () => {
        wake(id);
        return waitsOf(stage()).count === 0;
      });
      expect(await statusOf(await response)).toBe('expired');
    }
  });

  test('gets the current state at its timeout, with Retry-After', async () => {
    const { accountId } = key;
    const { id } = await api.dependencies.database.begin((transaction) =>
      createOperation(transaction, systemClock, { accountId, kind: 'work', input: {} }),
    );
    const response = await get(`/operations/${id}`, { prefer: 'wait=1' });
    expect(response.headers.get('preference-applied')).toBe('wait=1');
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await statusOf(response)).toBe('queued');

    const later = get(`/operations/${id}`, { prefer: 'wait=25' });
    await waiting(1);
    const { outbox, clock, operationLinks: links } = api.dependencies;
    await api.dependencies.database.begin((transaction) =>
      cancelOperation(transaction, { outbox, clock, links }, id),
    );
    waitsOf(stage()).wake([id]);
    expect(await statusOf(await later)).toBe('cancelled');
  });

  test('does not wait for a final or missing record, or when it does not have the current state', async () => {
    const ended = await newIntent();
    await change(ended);
    const terminal = await get(intentPath(ended), { prefer: 'wait=25' });
    expect(terminal.headers.get('preference-applied')).toBe('wait=25');
    expect((await get(intentPath(crypto.randomUUID()), { prefer: 'wait=25' })).status).toBe(404);
    const id = await newIntent();
    const stale = await get(intentPath(id), { prefer: 'wait=25', 'if-none-match': '"7"' });
    expect(await statusOf(stale)).toBe('prepared');
    const held = get(intentPath(id), { prefer: 'wait=25', 'if-none-match': 'W/"1"' });
    await waiting(1);
    await change(id);
    waitsOf(stage()).wake([id]);
    expect((await held).status).toBe(200);
  });

  test('that is malformed is answered like any other', async () => {
    const id = await newIntent();
    const response = await get(intentPath(id), { prefer: 'wait=soon' });
    expect(response.headers.get('preference-applied')).toBeNull();
    expect(await statusOf(response)).toBe('prepared');
  });

  test('takes one request from the budget, however often it is woken', async () => {
    const id = await newIntent();
    const fresh = { api, key: await createTestKey(api.dependencies.database, { accountId: key.accountId }) };
    const response = get(intentPath(id), { prefer: 'wait=25' }, fresh);
    await waiting(1);
    waitsOf(fresh).wake([id]);
    await change(id);
    waitsOf(fresh).wakeAll();
    expect((await response).headers.get('x-ratelimit-remaining')).toBe('5999');
  });
});

describe('a process', () => {
  test('that has no room responds immediately, as without the preference', async () => {
    const waits = new ChangeWaits({ waitingMax: 2, perCallerMax: 1, readingMax: 1 });
    const on = await start({
      adjust: ({ pipeline }) => {
        pipeline.waits = waits;
      },
    });
    const id = await newIntent(on);
    const first = get(intentPath(id), { prefer: 'wait=25' }, on);
    await waiting(1, on);
    const second = await get(intentPath(id), { prefer: 'wait=25' }, on);
    expect(second.headers.get('preference-applied')).toBeNull();
    expect(waits.refused).toBe(1);
    waits.release();
    expect((await first).headers.get('preference-applied')).toBe('wait=25');
  });

  test('that stops ends all waits, and begins no new ones', async () => {
    const on = await start();
    const ids = await Promise.all(Array.from({ length: 20 }, () => newIntent(on)));
    const held = ids.map((id) => get(intentPath(id), { prefer: 'wait=25' }, on));
    await waiting(20, on);
    on.api.dependencies.draining.begin();
    for (const response of await Promise.all(held)) {
      expect(response.status).toBe(200);
      expect(response.headers.get('connection')).toBe('close');
    }
    const late = await get(intentPath(ids[0] ?? ''), { prefer: 'wait=25' }, on);
    expect(late.headers.get('preference-applied')).toBeNull();
  });
});
