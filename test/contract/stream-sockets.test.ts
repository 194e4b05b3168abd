import { beforeAll, describe, expect, test } from 'bun:test';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { expectRate } from '../support/api/rate-headers.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';
import { openSocket, type SocketClient } from '../support/streams/socket-client.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

const connect = (query = '', headers: Record<string, string> = {}) =>
  openSocket(`${market.api.baseUrl}/stream${query}`, headers);
const kinds = ({ messages }: SocketClient) =>
  messages.map(({ event }) => event).filter((event) => event !== 'heartbeat');
const named = (event: string) => (message: { event: string }) => message.event === event;
const answered = (requestId: string) => (message: ReceivedMessage) => message.requestId === requestId;

describe('a WebSocket', () => {
  test('carries the same messages as server-sent events', async () => {
    const mint = await market.launch();
    const topics = `?topics=token:${mint},trades:${mint}`;
    const [socket, stream] = await Promise.all([
      connect(topics),
      openEventStream(`${market.api.baseUrl}/stream${topics}`),
    ]);
    await Promise.all([socket.find(named('heartbeat')), stream.find(named('heartbeat'))]);
    await market.store(market.newTrades(mint, 3));
    const isLast = ({ event, data }: { event: string; data?: { solCollectedInSol: string } }) =>
      event === 'token' && data?.solCollectedInSol !== '0';
    await Promise.all([socket.find(isLast), stream.find(isLast)]);
    const histories = (messages: { event: string }[]) => messages.filter(named('trade'));
    expect(histories(socket.messages)).toEqual(histories(stream.messages));
    expect(histories(socket.messages).length).toBe(3);
    expect(socket.messages[0]).toEqual(stream.messages[0] as (typeof socket.messages)[0]);
    socket.close();
    stream.close();
  });

  test('chooses no subprotocol, whichever a client offers', async () => {
    const { host } = new URL(market.api.origin);
    const head = [
      'GET /api/v2/stream?topics=tokens HTTP/1.1',
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: graphql-ws, soap',
    ];
    const upgraded = await sendRaw(market.api.origin, `${head.join('\r\n')}\r\n\r\n`, {
      isEnd: (text) => text.includes('\r\n\r\n'),
    });
    expect(upgraded.status).toBe(101);
    expect(upgraded.headers.get('sec-websocket-accept')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(upgraded.headers.has('sec-websocket-protocol')).toBe(false);
    expectRate(upgraded, 'stream-open');
  });

  test('begins and ends topics with messages, in their order', async () => {
    const [mint, other] = [await market.launch(), await market.launch()];
    const socket = await connect();
    expect(await socket.find(named('ready'))).toMatchObject({ topics: [], resumed: false });
    socket.send({ type: 'subscribe', topics: [`trades:${mint}`], requestId: 'a' });
    socket.send({ type: 'subscribe', topics: [`trades:${mint}`, `token:${other}`], requestId: 'b' });
    expect(await socket.find(answered('a'))).toEqual({
      event: 'subscribed',
      requestId: 'a',
      topics: [`trades:${mint}`],
    });
    expect(await socket.find(answered('b'))).toEqual({
      event: 'subscribed',
      requestId: 'b',
      topics: [`token:${other}`],
    });
    await socket.find(({ topic, snapshot }) => topic === `token:${other}` && snapshot === true);
    const trades = market.newTrades(mint, 2);
    await market.store(trades);
    await socket.find(({ data }) => data?.id === trades[1]?.id);
    socket.send({ type: 'unsubscribe', topics: [`trades:${mint}`, 'tokens'], requestId: 'c' });
    expect(await socket.find(answered('c'))).toEqual({
      event: 'unsubscribed',
      requestId: 'c',
      topics: [`trades:${mint}`],
    });
    const told = socket.messages.length;
    await market.store([...market.newTrades(mint, 2), ...market.newTrades(other, 1)]);
    await socket.find(({ topic, snapshot }) => topic === `token:${other}` && snapshot === undefined);
    expect(socket.messages.slice(told).filter(named('trade'))).toEqual([]);
    socket.close();
  });

  test('continues after a cursor that its first subscription names', async () => {
    const mint = await market.launch();
    const first = await connect(`?topics=trades:${mint}`);
    const { id } = await first.find(named('heartbeat'));
    first.close();
    const missed = market.newTrades(mint, 4);
    await market.store(missed);
    const socket = await connect();
    socket.send({ type: 'subscribe', topics: [`trades:${mint}`], cursor: id });
    await socket.find(({ data }) => data?.id === missed.at(-1)?.id);
    expect(socket.messages.filter(named('trade')).map(({ data }) => data.id)).toEqual(
      missed.map((one) => one.id),
    );
    socket.send({ type: 'subscribe', topics: ['tokens'], cursor: id });
    const refused = await socket.find(named('problem'));
    expect(refused.problem).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: '/message/cursor' }],
    });
    socket.close();
  });

  test('accepts a key in a message once, and then topics of its account', async () => {
    const { database } = market.api.dependencies;
    const key = await createTestKey(database, { scopes: ['operations:read'] });
    const socket = await connect('?topics=events');
    socket.send({ type: 'subscribe', topics: ['intents'], requestId: 'early' });
    expect((await socket.find(answered('early'))).problem).toMatchObject({
      code: 'invalid_api_key',
      status: 401,
    });
    socket.send({ type: 'authenticate', key: key.text, requestId: 'key' });
    expect(await socket.find(answered('key'))).toEqual({
      event: 'authenticated',
      requestId: 'key',
      scopes: ['operations:read'],
    });
    socket.send({ type: 'subscribe', topics: ['deliveries'], requestId: 'scope' });
    expect((await socket.find(answered('scope'))).problem).toMatchObject({
      code: 'insufficient_scope',
      context: { missingScopes: ['webhooks:read'] },
    });
    socket.send({ type: 'subscribe', topics: ['intents'], requestId: 'late' });
    expect(await socket.find(answered('late'))).toMatchObject({ event: 'subscribed', topics: ['intents'] });
    socket.send({ type: 'authenticate', key: key.text, requestId: 'again' });
    expect((await socket.find(answered('again'))).problem).toMatchObject({ code: 'validation_failed' });
    const body = JSON.stringify({ id: 'x', data: { id: 'intent', status: 'confirmed' } });
    const type = 'build.service.transaction_intent.confirmed.v1';
    await insertEvent(database, { accountId: key.accountId, type, body });
    await insertEvent(database, { accountId: (await createTestKey(database)).accountId, type, body });
    expect((await socket.find(named('intent'))).data).toEqual({ id: 'intent', status: 'confirmed' });
    await market.store(market.newTrades(await market.launch(), 1));
    await socket.find(named('event'));
    expect(kinds(socket).filter((kind) => kind === 'intent' || kind === 'event')).toHaveLength(2);
    socket.close();
  });

  test.each(['https://shop.example', 'null'])(
    'that a page of %s opened accepts no key in a message, and goes on without one',
    async (origin) => {
      const key = await createTestKey(market.api.dependencies.database);
      const socket = await connect('', { origin });
      socket.send({ type: 'authenticate', key: key.text, requestId: 'key' });
      expect((await socket.find(answered('key'))).problem).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: '/message/type' }],
      });
      socket.send({ type: 'subscribe', topics: ['intents'], requestId: 'account' });
      expect((await socket.find(answered('account'))).problem).toMatchObject({ code: 'invalid_api_key' });
      socket.send({ type: 'subscribe', topics: ['tokens'], requestId: 'public' });
      await socket.find(answered('public'));
      socket.close();
    },
  );

  test('with a key in its header, which no page can send, is opened whatever its origin', async () => {
    const key = await createTestKey(market.api.dependencies.database, { scopes: ['operations:read'] });
    const socket = await connect('?topics=intents', { ...key.header, origin: 'https://bot.example' });
    expect(await socket.find(named('ready'))).toMatchObject({ topics: ['intents'] });
    socket.close();
  });

  test('draws on a budget for each topic that it subscribes to, and on that of its key once it has one', async () => {
    const limited = await startTestApi({
      environment: { RATE_LIMITS: '{"stream-subscribe":{"limit":3,"windowSeconds":3600}}' },
    });
    let reads = 0;
    const { recordSources: sources } = limited.dependencies;
    const { newestTrades, visibleMints } = sources;
    sources.newestTrades = (mints, ...more) => {
      reads += mints.length;
      return newestTrades(mints, ...more);
    };
    sources.visibleMints = async (mints) => {
      await visibleMints(mints);
      return new Set(mints);
    };
    const socket = await openSocket(`${limited.baseUrl}/stream`);
    const subscribe = async (count: number, requestId: string) => {
      const topics = Array.from({ length: count }, () => `trades:${newAddress()}`);
      socket.send({ type: 'subscribe', topics, requestId });
      return socket.find(answered(requestId));
    };
    expect(await subscribe(2, 'two')).toMatchObject({ event: 'subscribed' });
    const { problem } = await subscribe(2, 'too many');
    expect(problem).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect(problem.detail).toMatch(/^The policy stream-subscribe admits the request in \d+ seconds\.$/);
    expect(await subscribe(1, 'the rest')).toMatchObject({ event: 'subscribed' });
    expect(reads).toBe(3);
    // Another connection of the same address has the same budget.
    const other = await openSocket(`${limited.baseUrl}/stream`);
    other.send({ type: 'subscribe', topics: ['tokens'], requestId: 'other' });
    expect((await other.find(answered('other'))).problem).toMatchObject({ code: 'rate_limit_exceeded' });
    const key = await createTestKey(limited.dependencies.database);
    socket.send({ type: 'authenticate', key: key.text });
    await socket.find(named('authenticated'));
    // More than the limit costs the whole of it.
    expect(await subscribe(4, 'with a key')).toMatchObject({ event: 'subscribed' });
    expect((await subscribe(1, 'over')).problem).toMatchObject({ code: 'rate_limit_exceeded' });
    socket.close();
    other.close();
  });

  test('with a wrong key gets a refusal and ends', async () => {
    const socket = await connect();
    socket.send({
      type: 'authenticate',
      key: 'lw_test_0000000000000000_0000000000000000000000000000000000000000000',
    });
    expect(await socket.closed).toEqual({ code: 1008, reason: 'invalid_api_key' });
    expect(socket.messages.at(-1)).toMatchObject({ event: 'problem', problem: { code: 'invalid_api_key' } });
  });

  test.each([
    [{ type: 'dance' }, '/message/type'],
    [{ type: 'subscribe' }, '/message/topics'],
    [{ type: 'subscribe', topics: 'tokens' }, '/message/topics'],
    [{ type: 'subscribe', topics: ['token:x'] }, '/message/topics'],
    [{ type: 'subscribe', topics: [] }, '/message/topics'],
    [{ type: 'unsubscribe', topics: [1] }, '/message/topics/0'],
    [{ type: 'authenticate' }, '/message/key'],
  ])('%j is refused with the field, and nothing changes', async (message, path) => {
    const socket = await connect();
    socket.send({ ...message, requestId: 'r' });
    const { problem } = await socket.find(answered('r'));
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path }] });
    socket.close();
  });

  test('refuses an unknown token, and more than a hundred topics', async () => {
    const mint = newAddress();
    const socket = await connect('?topics=tokens');
    socket.send({ type: 'subscribe', topics: [`token:${mint}`], requestId: 'unknown' });
    expect((await socket.find(answered('unknown'))).problem).toMatchObject({ code: 'token_not_found' });
    const known = await market.launch();
    const many = ['1m', '5m', '15m', '1h', '4h', '1d'].map((interval) => `candles:${known}:${interval}`);
    socket.send({
      type: 'subscribe',
      topics: [...many, ...Array.from({ length: 101 }, (_, at) => `x${at}`)],
      requestId: 'many',
    });
    expect((await socket.find(answered('many'))).problem).toMatchObject({ errors: [{ code: 'too_long' }] });
    socket.close();
  });

  test.each([
    ['not JSON', 'not_a_json_object'],
    ['[]', 'not_a_json_object'],
  ])('%s ends it', async (text, reason) => {
    const socket = await connect();
    socket.send(text);
    expect(await socket.closed).toEqual({ code: 1008, reason });
  });

  test('with too many messages, or one that is too large, ends', async () => {
    const socket = await connect();
    for (let at = 0; at < 61; at += 1) socket.send({ type: 'dance' });
    expect(await socket.closed).toEqual({ code: 1008, reason: 'too_many_messages' });
    const large = await connect();
    large.send({ type: 'subscribe', topics: ['x'.repeat(17_000)] });
    expect((await large.closed).code).toBe(1009);
  });

  test('is refused before the handshake, as any request', async () => {
    const headers = { upgrade: 'websocket', connection: 'Upgrade' };
    const refused = await fetch(`${market.api.baseUrl}/stream?topics=nothing`, { headers });
    expect(refused.status).toBe(422);
    const noHandshake = await fetch(`${market.api.baseUrl}/stream`, { headers });
    expect(noHandshake.status).toBe(422);
    expect(await noHandshake.json()).toMatchObject({ errors: [{ path: '/header/upgrade' }] });
    await expect(connect('?topics=intents')).rejects.toThrow('refused');
  });
});
