import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startTestApi } from '../support/api/api.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

const named = (event: string) => (message: ReceivedMessage) => message.event === event;
const open = (topics: string, cursor?: string, baseUrl = market.api.baseUrl) =>
  openEventStream(
    `${baseUrl}/stream?topics=${topics}`,
    cursor === undefined ? {} : { 'last-event-id': cursor },
  );

async function cursorNow(): Promise<string> {
  const stream = await open('tokens');
  const { id } = await stream.find(named('heartbeat'));
  stream.close();
  return id ?? '';
}

/** Stores trades in batches, as the worker does. */
async function storeMany(mint: string, count: number) {
  const trades = market.newTrades(mint, count);
  for (let at = 0; at < count; at += 2_000) await market.store(trades.slice(at, at + 2_000));
  return trades.map(({ id }) => id);
}

const told = ({ messages }: { messages: ReceivedMessage[] }) =>
  messages.filter(named('trade')).map(({ data }) => data.id);

/** Resolves when everything that was committed before has been told. */
async function caughtUp(stream: EventStream): Promise<void> {
  const [row] = await market.api.database.sql`select max(id)::text as id from stream_log`;
  const last = BigInt(row?.id ?? 0);
  await stream.find(({ event, id }) => event === 'heartbeat' && BigInt(id?.split('.')[2] ?? 0) >= last);
}

describe('a stream that comes back', () => {
  test('from further back than memory reaches reads the log, page by page, on a process that knew nothing of it', async () => {
    const mint = await market.launch();
    const cursor = await cursorNow();
    const stored = await storeMany(mint, 12_000);
    const other = await startTestApi({ database: market.api.database });
    const streams = await Promise.all([
      open(`trades:${mint}`, cursor, other.baseUrl),
      open('trades', cursor, other.baseUrl),
    ]);
    const live = market.newTrades(mint, 3);
    await market.store(live);
    const last = live.at(-1)?.id;
    for (const stream of streams) {
      await stream.find(({ event, data }) => event === 'trade' && data.id === last);
      expect(stream.messages[0]).toMatchObject({ event: 'ready', resumed: true });
      expect(told(stream)).toEqual([...stored, ...live.map(({ id }) => id)]);
      const places = stream.messages.flatMap(({ id }) =>
        id === undefined ? [] : [BigInt(id.split('.')[2] ?? 0)],
      );
      expect(places).toEqual(places.toSorted((left, right) => Number(left - right)));
      stream.close();
    }
  });

  test('in a storm is told what it missed, and what all missed is read once', async () => {
    const mint = await market.launch();
    const holder = await open('tokens');
    await holder.find(named('heartbeat'));
    const cursor = await cursorNow();
    const stored = await storeMany(mint, 50);
    const environment = {
      STREAMS_PER_ADDRESS: '1000',
      RATE_LIMITS: '{"stream-open":{"limit":1000,"windowSeconds":1}}',
    };
    const other = await startTestApi({ database: market.api.database, environment });
    let tokenReads = 0;
    const { recordSources: sources } = other.dependencies;
    const { tokens } = sources;
    sources.tokens = (mints) => {
      if (mints.length > 0) tokenReads += 1;
      return tokens(mints);
    };
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => open(`trades:${mint},token:${mint}`, cursor, other.baseUrl)),
    );
    for (const stream of streams) {
      await caughtUp(stream);
      expect(told(stream)).toEqual(stored);
      expect(stream.messages.filter(named('token')).length).toBe(1);
      stream.close();
    }
    expect(tokenReads).toBeLessThan(100);
    holder.close();
  });

  test('with a cursor that another process has reached waits until this one has, without a gap', async () => {
    const mint = await market.launch();
    const cursor = await cursorNow();
    const place = BigInt(cursor.split('.')[2] ?? 0);
    const other = await startTestApi({ database: market.api.database });
    const { follower } = other.dependencies.streams;
    const trades = market.newTrades(mint, 3);
    const opening = await market.api.dependencies.database.begin(async (slow) => {
      // A transaction that was slow to say from where on it may write.
      await slow`select pg_advisory_xact_lock_shared(7201960, ${Number(place) - 2}::int4)`;
      const stream = open(`trades:${mint}`, cursor, other.baseUrl);
      await market.store(trades);
      await eventually(
        'the log was read as far as it is complete',
        async () => follower.place?.id === place - 2n,
      );
      return { stream };
    });
    const stream = await opening.stream;
    await stream.find(({ data }) => data?.id === trades.at(-1)?.id);
    expect(stream.messages[0]).toMatchObject({ event: 'ready', resumed: true });
    expect(stream.messages.filter(named('gap'))).toEqual([]);
    expect(told(stream)).toEqual(trades.map(({ id }) => id));
    stream.close();
  });

  test('is told everything while another that does not read is ended', async () => {
    const mint = await market.launch();
    const slowly = await startTestApi({
      database: market.api.database,
      environment: { STREAM_BUFFER_BYTES: '65536' },
    });
    const { streams } = slowly.dependencies;
    const reading = await open(`trades:${mint}`, undefined, slowly.baseUrl);
    await reading.find(named('heartbeat'));
    const { hostname, port } = new URL(slowly.baseUrl);
    const silent = connect({ host: hostname, port: Number(port) });
    atEnd(async () => void silent.destroy());
    silent.pause();
    silent.write(`GET /api/v2/stream?topics=trades:${mint} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('both are open', async () => streams.count === 2);
    // More than the buffers of both ends of a connection take.
    const stored = await storeMany(mint, 16_000);
    await reading.find(({ data }) => data?.id === stored.at(-1));
    expect(told(reading)).toEqual(stored);
    await eventually('the slow one is gone', async () => streams.count === 1);
    expect(streams.tally.ends.get('slow_reader')).toBe(1);
    reading.close();
  });

  test('after its cursor was deleted is told from when on it can be read, and begins anew', async () => {
    const mint = await market.launch();
    const cursor = await cursorNow();
    await storeMany(mint, 5);
    const { sql } = market.api.database;
    await sql`update stream_log set at = now() - interval '21 minutes'`;
    await sql`select trim_stream_log(now() - interval '20 minutes', 1000000, 100000)`;
    const [{ at } = { at: null }] = await sql`select deleted_at as at from stream_progress`;
    // Another process: this one has it in memory.
    const other = await startTestApi({ database: market.api.database });
    const stream = await open(`token:${mint},trades`, cursor, other.baseUrl);
    await stream.find(named('heartbeat'));
    expect(stream.messages.slice(0, 3)).toMatchObject([
      { event: 'ready', resumed: false },
      {
        event: 'gap',
        reason: 'expired',
        from: (at as Date).toISOString(),
        topics: [`token:${mint}`, 'trades'],
        reads: [`/api/v2/tokens/${mint}`, '/api/v2/tokens/{mint}/trades'],
      },
      { event: 'token', snapshot: true },
    ]);
    expect(told(stream)).toEqual([]);
    stream.close();
  });
});
