import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { TradeSchema } from '../../src/features/market/schema.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { storeHolderCounts } from '../../src/indexer/store/holder-counts.ts';
import { iso, type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

function open(topics: string, headers: Record<string, string> = {}): Promise<EventStream> {
  return openEventStream(`${market.api.baseUrl}/stream?topics=${topics}`, headers);
}

const isHeartbeat = ({ event }: ReceivedMessage) => event === 'heartbeat';
const tradesIn = (stream: EventStream) => stream.messages.filter(({ event }) => event === 'trade');

/** Resolves when all earlier commits have reached the stream. */
async function settled(stream: EventStream): Promise<void> {
  const [row] = await market.api.database.sql`select max(id)::text as id from stream_log`;
  const last = BigInt(row?.id ?? 0);
  await stream.find(({ event, id }) => event === 'heartbeat' && BigInt(id?.split('.')[2] ?? 0) >= last);
}

describe('a stream', () => {
  test('begins with ready, the current state of its topics, and a heartbeat with its place', async () => {
    const mint = await market.launch();
    const trades = market.newTrades(mint, 30);
    await market.store(trades);
    const stream = await open(`token:${mint},trades:${mint},candles:${mint}:1m`);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.response.headers.get('access-control-allow-origin')).toBe('*');
    await stream.find(isHeartbeat);
    const [ready, ...rest] = stream.messages;
    expect(ready).toEqual({
      event: 'ready',
      topics: [`token:${mint}`, `trades:${mint}`, `candles:${mint}:1m`],
      resumed: false,
      retryMs: 1_000,
    });
    const snapshots = rest.filter(({ snapshot }) => snapshot);
    expect(snapshots.every(({ id }) => id === undefined)).toBe(true);
    const shown = snapshots.filter(({ event }) => event === 'trade').map(({ data }) => data.id);
    expect(shown).toEqual(trades.slice(-20).map(({ id }) => id));
    expect(snapshots.find(({ event }) => event === 'token')?.data).toMatchObject({ mintAddress: mint });
    const token = await market.json<object>(`/tokens/${mint}`);
    expect(snapshots.find(({ event }) => event === 'token')?.data).toMatchObject(token);
    const bars = snapshots.filter(({ event }) => event === 'candle').map(({ data }) => data);
    expect(bars.at(-1)).toMatchObject({ mintAddress: mint, interval: '1m', closed: false });
    stream.close();
  });

  test.each([
    [42, '20.5'],
    [43, '21.5'],
  ])('begins with the market of a token: %d holders, %s SOL', async (holderCount, liquidityInSol) => {
    const mint = await market.launch();
    await market.store([numberedTrade(mint, 1, { liquidityInSol })]);
    const count = { mintAddress: mint, holderCount, slot: '7', asOf: iso(FIRST_BLOCK_TIME_MS) };
    await market.api.dependencies.database.begin((transaction) =>
      storeHolderCounts(transaction, [{ ...count, provenance: 'onchain_snapshot' }]),
    );
    const stream = await open(`token:${mint}`);
    const { data } = await stream.find(({ event }) => event === 'token');
    expect(data).toMatchObject({ holderCount, liquidityInSol });
    stream.close();
  });

  test('sends each trade once, although it fits two topics, with its token and its bars', async () => {
    const mint = await market.launch();
    const stream = await open(`trades,trades:${mint},token:${mint},candles:${mint}:1h`);
    await stream.find(isHeartbeat);
    const trades = ['3', '4', '2'].map((solAmount, at) =>
      numberedTrade(mint, at, { solAmount, tokenAmount: '2' }),
    );
    await market.store(trades);
    await settled(stream);
    const told = tradesIn(stream).filter(({ topic }) => topic === `trades:${mint}`);
    expect(told.map(({ data }) => data.id)).toEqual(trades.map(({ id }) => id));
    expect(told.every(({ data }) => Value.Check(TradeSchema, data))).toBe(true);
    const { data } = await market.json<{ data: object[] }>(`/tokens/${mint}/trades`);
    expect<unknown>(told.map((message) => message.data)).toEqual(data.toReversed());
    const token = stream.messages.findLast(({ event }) => event === 'token');
    expect(token?.data).toMatchObject(await market.json<object>(`/tokens/${mint}`));
    const bar = stream.messages.findLast(({ event }) => event === 'candle');
    const at = Date.parse(bar?.data.openTime);
    const { data: listed } = await market.json<{ data: object[] }>(
      `/tokens/${mint}/candles?interval=1h&from=${iso(at)}&to=${iso(at + 3_600_000)}`,
    );
    expect<unknown>(listed).toEqual([
      expect.objectContaining({
        open: bar?.data.open,
        close: bar?.data.close,
        tradeCount: bar?.data.tradeCount,
      }),
    ]);
    expect(bar?.data).toMatchObject({ open: '1.5', high: '2', low: '1', close: '1', tradeCount: 3 });
    stream.close();
  });

  test('continues after a cursor without a gap or a duplicate, even where no message was sent', async () => {
    const mint = await market.launch();
    const first = await open(`trades:${mint}`);
    await first.find(isHeartbeat);
    const before = market.newTrades(mint, 5);
    await market.store(before);
    await settled(first);
    first.close();
    const cursor = first.lastEventId() ?? '';
    const missed = market.newTrades(mint, 700);
    await market.store(missed);
    const second = await open(`trades:${mint}`, { 'Last-Event-ID': cursor });
    await settled(second);
    expect(second.messages[0]).toMatchObject({ event: 'ready', resumed: true });
    expect(tradesIn(second).map(({ data }) => data.id)).toEqual(missed.map(({ id }) => id));
    expect(tradesIn(second).every(({ snapshot }) => snapshot === undefined)).toBe(true);
    second.close();
  });

  test('sends a reversal, and a bar that a proof closes', async () => {
    const mint = await market.launch();
    const stream = await open(`trades:${mint},candles:${mint}:1m`);
    await stream.find(isHeartbeat);
    const [trade] = market.newTrades(mint, 1);
    if (trade === undefined) throw new Error('no trade');
    await market.store([trade]);
    await stream.find(({ event }) => event === 'trade');
    await market.prove(mint, new Date(trade.blockTime.getTime() + 10_000));
    await market.prove(mint, new Date(trade.blockTime.getTime() + 130_000));
    const closed = await stream.find(({ event, data }) => event === 'candle' && data.closed);
    expect(closed.data.openTime).toBe(iso(Math.floor(trade.blockTime.getTime() / 60_000) * 60_000));
    expect(closed.id).toBeUndefined();
    await market.api.database.sql`delete from trades where id = ${trade.id}`;
    const reverted = await stream.find(({ event }) => event === 'trade_reverted');
    expect(reverted.data).toEqual({ mintAddress: mint, tradeId: trade.id });
    stream.close();
  });

  test('falls silent when its token is hidden', async () => {
    const mint = await market.launch();
    const stream = await open(`token:${mint},trades:${mint},tokens`);
    await stream.find(isHeartbeat);
    await market.api.dependencies.database.begin((transaction) => setTokenHidden(transaction, mint, true));
    const told = stream.messages.length;
    await market.store(market.newTrades(mint, 2));
    await settled(stream);
    expect(stream.messages.slice(told).filter(({ event }) => event !== 'heartbeat')).toEqual([]);
    stream.close();
  });
});

describe('a cursor', () => {
  test.each(['nonsense', '1.x.1', '2.0123456789ab.1', '1.0123456789ab.01'])(
    '%s is refused',
    async (cursor) => {
      const stream = await open('trades', { 'Last-Event-ID': cursor });
      expect(stream.response.status).toBe(400);
      expect(await stream.response.json()).toMatchObject({ code: 'cursor_invalid' });
    },
  );

  test('of another database, or from the future, gets a gap and the stream begins anew', async () => {
    const mint = await market.launch();
    const probe = await open('trades');
    const { id } = await probe.find(isHeartbeat);
    probe.close();
    const [, epoch] = id?.split('.') ?? [];
    for (const cursor of ['1.0123456789ab.1', `1.${epoch}.999999999`]) {
      const stream = await open(`token:${mint},events`, { 'Last-Event-ID': cursor });
      await stream.find(isHeartbeat);
      expect(stream.messages.slice(0, 3)).toMatchObject([
        { event: 'ready', resumed: false },
        {
          event: 'gap',
          reason: 'unknown_cursor',
          from: null,
          topics: [`token:${mint}`, 'events'],
          reads: [`/api/v2/tokens/${mint}`, '/api/v2/events'],
        },
        { event: 'token', snapshot: true },
      ]);
      stream.close();
    }
  });
});

const day = new Date(FIRST_BLOCK_TIME_MS).toISOString().slice(0, 10);

describe('topics', () => {
  test.each([
    ['', 'must name a topic'],
    ['token', '"token" is no topic'],
    ['tokens,token:x', '"token:x" is no topic'],
    [`candles:${newAddress()}:2m`, 'is no topic'],
    [`trades:${newAddress()}:1m`, 'is no topic'],
    ['constructor', '"constructor" is no topic'],
    [day, 'is no topic'],
  ])('%s: refused by name', async (topics, message) => {
    const stream = await open(topics);
    expect(stream.response.status).toBe(422);
    const body = (await stream.response.json()) as {
      code: string;
      errors: { path: string; message: string }[];
    };
    expect(body.code).toBe('validation_failed');
    expect(body.errors[0]?.path).toBe('/query/topics');
    expect(body.errors[0]?.message).toContain(message);
  });

  test('of a mint without a visible token are refused with the mint', async () => {
    const mint = newAddress();
    const stream = await open(`tokens,trades:${mint}`);
    expect(stream.response.status).toBe(404);
    expect(await stream.response.json()).toMatchObject({
      code: 'token_not_found',
      context: { mintAddress: mint },
    });
  });

  test('of an account need a key', async () => {
    const stream = await open('tokens,intents');
    expect(stream.response.status).toBe(401);
    expect(await stream.response.json()).toMatchObject({ code: 'invalid_api_key' });
  });
});
