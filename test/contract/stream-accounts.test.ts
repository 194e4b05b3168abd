import { beforeAll, describe, expect, test } from 'bun:test';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { changeOrder } from '../../src/features/orders/change-orders.ts';
import { lockOrders } from '../../src/features/orders/order-rows.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey, type TestKeyOptions } from '../support/api/api-keys.ts';
import { expectRate } from '../support/api/rate-headers.ts';
import { insertOrder } from '../support/orders/insert-order.ts';
import { insertSlot } from '../support/orders/insert-slot.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';
import { openEventStream } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

const newKey = (options: TestKeyOptions = {}) => createTestKey(api.dependencies.database, options);
const open = (topics: string, key?: TestKey, on = api) =>
  openEventStream(`${on.baseUrl}/stream?topics=${topics}`, { ...key?.header });
const named = (event: string) => (message: { event: string }) => message.event === event;
const eventOf = (name: string, data: object = {}) => ({
  type: `build.service.${name}.v1`,
  body: JSON.stringify({ type: `build.service.${name}.v1`, data }),
});

describe('topics of an account', () => {
  test.each([
    ['intents', 'operations:read'],
    ['orders', 'operations:read'],
    ['operations', 'operations:read'],
    ['deliveries', 'webhooks:read'],
  ] as const)('%s need a key with %s', async (topic, scope) => {
    const lacking = await open(topic, await newKey({ scopes: ['fees:read'] }));
    expect(lacking.response.status).toBe(403);
    expect(await lacking.response.json()).toMatchObject({
      code: 'insufficient_scope',
      context: { missingScopes: [scope] },
    });
    const wrong = await openEventStream(`${api.baseUrl}/stream?topics=tokens`, {
      authorization: 'Bearer nonsense',
    });
    expect(wrong.response.status).toBe(401);
    const stream = await open(topic, await newKey({ scopes: [scope] }));
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('cache-control')).toBe('private, no-store, no-transform');
    expect(stream.response.headers.get('access-control-allow-origin')).toBeNull();
    stream.close();
  });

  test('show operations: first the open ones, then every change', async () => {
    const { database } = api.dependencies;
    const key = await newKey();
    const operation = await database.begin((transaction) =>
      createOperation(transaction, systemClock, { accountId: key.accountId, kind: 'manual', input: {} }),
    );
    const stream = await open('operations', key);
    const shown = await stream.find(named('operation'));
    expect(shown).toMatchObject({ snapshot: true, topic: 'operations' });
    const current = await fetch(`${api.baseUrl}/operations/${operation.id}`, { headers: key.header });
    expect(shown.data).toEqual(await current.json());
    await stream.find(named('heartbeat'));
    await database`update operations set progress_completed = 1, progress_total = 4, progress_unit = 'rows' where id = ${operation.id}`;
    const changed = await stream.find(
      ({ event, snapshot }) => event === 'operation' && snapshot === undefined,
    );
    expect(changed.data.progress).toEqual({ completed: 1, total: 4, unit: 'rows' });
    stream.close();
  });

  test('show orders: first those that have not ended, then every change of a status', async () => {
    const { database } = api.dependencies;
    const { accountId, ...key } = await newKey();
    const slotId = await insertSlot(database, { accountId, status: 'ready' });
    await insertOrder(database, { accountId, slotId, status: 'landed' });
    const id = await insertOrder(database, { accountId, slotId });
    const stream = await open('orders', { accountId, ...key });
    const shown = await stream.find(named('order'));
    expect(shown).toMatchObject({ snapshot: true, topic: 'orders', data: { id, status: 'open' } });
    await stream.find(named('heartbeat'));
    const { outbox } = api.dependencies;
    await database.begin(async (transaction) => {
      const [order] = await lockOrders(transaction, [id]);
      if (order === undefined) throw new Error('the order exists');
      const change = { order, to: 'cancelled', reason: 'requested' } as const;
      await changeOrder(transaction, change, { outbox, clock: systemClock });
    });
    const changed = await stream.find(({ event, snapshot }) => event === 'order' && snapshot === undefined);
    expect(changed.data).toMatchObject({ id, status: 'cancelled', reason: 'requested', version: 2 });
    expect(stream.messages.filter(named('order'))).toHaveLength(2);
    stream.close();
  });

  test('show deliveries and intents of that account alone', async () => {
    const { database } = api.dependencies;
    const [key, other] = [await newKey(), await newKey()];
    const stream = await open('deliveries,intents', key);
    await stream.find(named('heartbeat'));
    const ids: string[] = [];
    for (const { accountId } of [other, key]) {
      const endpointId = await insertEndpoint(database, { accountId });
      const eventId = await insertEvent(database, {
        accountId,
        ...eventOf('transaction_intent.failed', { of: accountId }),
      });
      ids.push(await insertDelivery(database, { endpointId, eventId }));
    }
    const delivery = await stream.find(named('delivery'));
    expect(delivery.data).toMatchObject({ id: ids[1], status: 'succeeded' });
    expect(stream.messages.filter(named('intent')).map(({ data }) => data)).toEqual([{ of: key.accountId }]);
    stream.close();
  });

  test('show events: public ones to all, those of the account by the scopes of its key', async () => {
    const { database } = api.dependencies;
    const key = await newKey({ scopes: ['predictions:read'] });
    const [anonymous, keyed] = await Promise.all([open('events'), open('events', key)]);
    await Promise.all([anonymous.find(named('heartbeat')), keyed.find(named('heartbeat'))]);
    const events = [
      { accountId: key.accountId, ...eventOf('prediction.submitted', { at: 1 }) },
      { accountId: key.accountId, ...eventOf('operation.succeeded', { at: 2 }) },
      { accountId: key.accountId, ...eventOf('webhook_endpoint.disabled', { at: 3 }) },
      { accountId: (await newKey()).accountId, ...eventOf('prediction.submitted', { at: 4 }) },
      { accountId: null, ...eventOf('launch.created', { at: 5 }) },
    ];
    for (const event of events) await insertEvent(database, event);
    const isLast = ({ event, data }: { event: string; data?: { data: { at: number } } }) =>
      event === 'event' && data?.data.at === 5;
    await Promise.all([anonymous.find(isLast), keyed.find(isLast)]);
    const told = (stream: typeof keyed) =>
      stream.messages.filter(named('event')).map(({ data }) => data.data.at);
    expect(told(anonymous)).toEqual([5]);
    expect(told(keyed)).toEqual([1, 5]);
    anonymous.close();
    keyed.close();
  });

  test('end when their key is revoked or expires, and only then', async () => {
    const [revoked, expired] = [await newKey(), await newKey()];
    const first = await open('intents', revoked);
    const second = await open('intents', expired);
    const third = await open('intents', await newKey());
    const socket = await openSocket(`${api.baseUrl}/stream?topics=intents`, revoked.header);
    await Promise.all([first, second, third].map((stream) => stream.find(named('heartbeat'))));
    await socket.find(named('heartbeat'));
    const { database } = api.dependencies;
    await database`update api_keys set revoked_at = now() where id = ${revoked.keyId}`;
    await database`update api_keys set expires_at = now() where id = ${expired.keyId}`;
    const ends = await Promise.all([first, second, socket].map((stream) => stream.find(named('end'))));
    for (const end of ends) expect(end).toMatchObject({ reason: 'key_revoked', cursor: expect.any(String) });
    await Promise.all([first.ended, second.ended]);
    const { sequence } = await third.find(named('heartbeat'));
    await third.find((message) => Number(message.sequence) > Number(sequence) + 1);
    third.close();
  });
});

describe('limits', () => {
  test('of streams apply to a key, an address and the process, and a closed stream frees its place', async () => {
    const environment = { STREAMS_PER_KEY: '2', STREAMS_PER_ADDRESS: '1', STREAMS_MAX: '3' };
    const limited = await startTestApi({ environment });
    const [key, other] = [
      await createTestKey(limited.dependencies.database),
      await createTestKey(limited.dependencies.database),
    ];
    const anonymous = await open('tokens', undefined, limited);
    const refusal = async (from?: TestKey) => {
      const { response } = await open('tokens', from, limited);
      expect(response.headers.get('retry-after')).toBe('5');
      return response.json();
    };
    expect(await refusal()).toMatchObject({
      status: 429,
      code: 'stream_limit_reached',
      context: { of: 'address', limit: 1 },
    });
    const streams = [await open('tokens', key, limited), await open('tokens', key, limited)];
    expect(await refusal(key)).toMatchObject({ context: { of: 'key', limit: 2 } });
    expect(await refusal(other)).toMatchObject({ context: { of: 'process', limit: 3 } });
    anonymous.close();
    await eventually('room again', async () => limited.dependencies.streams.count === 2);
    const next = await open('tokens', other, limited);
    expect(next.response.status).toBe(200);
    for (const stream of [...streams, next]) stream.close();
    await eventually('all gone', async () => limited.dependencies.streams.count === 0);
  });

  test('of streams without a key leave room for those with a key, even for one that sends its key late', async () => {
    const limited = await startTestApi({
      environment: { STREAMS_MAX: '4', STREAMS_KEY_RESERVE_PERCENT: '50', STREAMS_PER_ADDRESS: '4' },
    });
    const socket = await openSocket(`${limited.baseUrl}/stream`);
    const streams = [await open('tokens', undefined, limited)];
    expect(await (await open('tokens', undefined, limited)).response.json()).toMatchObject({
      code: 'stream_limit_reached',
      context: { of: 'anonymous', limit: 2 },
    });
    const key = await createTestKey(limited.dependencies.database);
    streams.push(await open('tokens', key, limited), await open('tokens', key, limited));
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    // The process is full.
    socket.send({ type: 'authenticate', key: key.text, requestId: 'key' });
    expect(await socket.find(({ requestId }) => requestId === 'key')).toMatchObject({
      event: 'authenticated',
    });
    expect(await (await open('tokens', key, limited)).response.json()).toMatchObject({
      context: { of: 'process', limit: 4 },
    });
    for (const stream of streams) stream.close();
    await eventually('room again', async () => limited.dependencies.streams.count === 1);
    const next = await open('tokens', undefined, limited);
    expect(next.response.status).toBe(200);
    next.close();
    socket.close();
  });

  test('of an IPv6 /48 count all its addresses together', async () => {
    const limited = await startTestApi({
      environment: { STREAMS_PER_NETWORK: '2', TRUSTED_PROXY_HOPS: '1' },
    });
    const from = (address: string) =>
      openEventStream(`${limited.baseUrl}/stream?topics=tokens`, { 'x-forwarded-for': address });
    const streams = [await from('2001:db8:1:1::1'), await from('2001:db8:1:2::1')];
    expect(await (await from('2001:db8:1:3::1')).response.json()).toMatchObject({
      code: 'stream_limit_reached',
      context: { of: 'network', limit: 2 },
    });
    streams.push(await from('2001:db8:2:1::1'), await from('192.0.2.1'), await from('192.0.2.2'));
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    for (const stream of streams) stream.close();
  });

  test('of opening streams are those of stream-open', async () => {
    const limited = await startTestApi({
      environment: { RATE_LIMITS: '{"stream-open":{"limit":2,"windowSeconds":60}}' },
    });
    const first = await open('tokens', undefined, limited);
    expectRate(first.response, 'stream-open', { limit: 2, windowSeconds: 60 });
    expect(first.response.headers.get('x-ratelimit-remaining')).toBe('1');
    await open('nothing', undefined, limited);
    expect((await open('tokens', undefined, limited)).response.status).toBe(429);
    first.close();
  });
});

test('a stopping process ends its streams with a cursor, and opens no new ones', async () => {
  const stopping = await startTestApi();
  const stream = await open('tokens', undefined, stopping);
  const { id } = await stream.find(named('heartbeat'));
  stopping.dependencies.draining.begin();
  const end = await stream.find(named('end'));
  expect(end.reason).toBe('draining');
  expect(end.cursor.split('.').slice(0, 2)).toEqual(id?.split('.').slice(0, 2) as string[]);
  expect(end.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  await stream.ended;
  expect((await open('tokens', undefined, stopping)).response.status).toBe(503);
});

test('HEAD shows the headers and opens nothing', async () => {
  const response = await fetch(`${api.baseUrl}/stream?topics=tokens`, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe('');
});
