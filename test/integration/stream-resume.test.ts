import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import fc from 'fast-check';
import { Streams } from '../../src/features/streams/streams.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi } from '../support/api/api.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

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

/** A client that opens a stream and reads nothing of it. */
function openSilently(baseUrl: string, topics: string, cursor?: string) {
  const { hostname, port } = new URL(baseUrl);
  const silent = connect({ host: hostname, port: Number(port) });
  atEnd(async () => void silent.destroy());
  silent.pause();
  const header = cursor === undefined ? '' : `Last-Event-ID: ${cursor}\r\n`;
  silent.write(`GET /api/v2/stream?topics=${topics} HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
  return silent;
}

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

interface Past {
  mint: string;
  /** From before all its trades. */
  cursor: string;
  /** More than memory holds, and than the buffers of both ends of a connection take. */
  stored: string[];
}

let past: Promise<Past> | undefined;

/** Long ago, for streams that come back to it: made once, since it takes seconds. */
function longPast(): Promise<Past> {
  past ??= (async () => {
    const mint = await market.launch();
    const cursor = await cursorNow();
    return { mint, cursor, stored: await storeMany(mint, 16_000) };
  })();
  return past;
}

const told = ({ messages }: { messages: ReceivedMessage[] }) =>
  messages.filter(named('trade')).map(({ data }) => data.id);

/** Resolves when all earlier commits have reached the stream. */
async function caughtUp(stream: EventStream): Promise<void> {
  const [row] = await market.api.database.sql`select max(id)::text as id from stream_log`;
  const last = BigInt(row?.id ?? 0);
  await stream.find(({ event, id }) => event === 'heartbeat' && BigInt(id?.split('.')[2] ?? 0) >= last);
}

describe('a stream that comes back', () => {
  test('from further back than memory reaches reads the log, page by page, on a process that knew nothing of it', async () => {
    const { mint, cursor, stored } = await longPast();
    const other = await startTestApi({ database: market.api.database });
    const streams = await Promise.all([
      open(`trades:${mint}`, cursor, other.baseUrl),
      open('trades', cursor, other.baseUrl),
    ]);
    const live = market.newTrades(mint, 3);
    await market.store(live);
    stored.push(...live.map(({ id }) => id));
    for (const stream of streams) {
      await stream.find(({ event, data }) => event === 'trade' && data.id === stored.at(-1));
      expect(stream.messages[0]).toMatchObject({ event: 'ready', resumed: true });
      expect(told(stream)).toEqual(stored);
      const places = stream.messages.flatMap(({ id }) =>
        id === undefined ? [] : [BigInt(id.split('.')[2] ?? 0)],
      );
      expect(places).toEqual(places.toSorted((left, right) => Number(left - right)));
      stream.close();
    }
  });

  test('gets its missed messages when many come back at once, and common ones are read once', async () => {
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

  test('gets every trade once and in order, however often it is cut off, from any process', async () => {
    const other = await startTestApi({ database: market.api.database });
    const bases = [market.api.baseUrl, other.baseUrl];
    const step = fc.record({
      stored: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(499, 500, 501, 1_000, 2_500)),
      on: fc.nat({ max: 1 }),
      // How many of its trades a connection gets before it is cut off.
      read: fc.integer({ min: 0, max: 1_500 }),
      asSocket: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const mint = await market.launch();
        let cursor = await cursorNow();
        const stored: string[] = [];
        const seen: string[] = [];
        const last = { stored: 3, on: 0, read: Number.POSITIVE_INFINITY, asSocket: false };
        for (const { stored: count, on, read, asSocket } of [...steps, last]) {
          stored.push(...(await storeMany(mint, count)));
          const wanted = Math.min(read, stored.length - seen.length);
          const query = `topics=trades:${mint}&cursor=${cursor}`;
          const url = `${bases[on]}/stream?${query}`;
          const client = asSocket ? await openSocket(url) : await openEventStream(url);
          let got = 0;
          await client.find((message) => {
            if (message.event === 'trade') got += 1;
            return got >= wanted && message.id !== undefined;
          });
          // As if the connection broke here: what came after it was never seen.
          let taken = 0;
          for (const message of client.messages) {
            if (taken >= wanted && message.event === 'trade') break;
            if (message.event === 'trade') {
              seen.push(message.data.id);
              taken += 1;
            }
            cursor = message.id ?? cursor;
          }
          client.close();
        }
        expect(seen).toEqual(stored);
      }),
      { numRuns: 8, endOnFailure: true },
    );
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

  test('catches up, however many others catch up without reading', async () => {
    const { mint, cursor, stored } = await longPast();
    // Nothing of it is in memory here, so all of them read the table.
    const other = await startTestApi({ database: market.api.database });
    const { streams, recordSources: sources } = other.dependencies;
    let reads = 0;
    const { trades } = sources;
    sources.trades = (refs) => {
      if (refs.length > 0) reads += 1;
      return trades(refs);
    };
    const silent = Array.from({ length: 6 }, () => openSilently(other.baseUrl, `trades:${mint}`, cursor));
    await eventually('all of them read the past', async () => streams.count === 6 && reads >= 6);
    const reading = await open(`trades:${mint}`, cursor, other.baseUrl);
    await reading.find(({ data }) => data?.id === stored.at(-1));
    expect(told(reading)).toEqual(stored);
    reading.close();
    for (const socket of silent) socket.destroy();
  });

  test('and does not read its missed messages is ended as too slow', async () => {
    const { mint, cursor } = await longPast();
    const other = await startTestApi({
      database: market.api.database,
      adjust(dependencies) {
        const { recordSources: sources, database } = dependencies;
        const limits = {
          perKey: 9,
          perAddress: 9,
          perNetwork: 9,
          max: 9,
          keyReservePercent: 0,
          bufferBytes: 1_048_576,
          catchUpStallMs: 50,
        };
        const usableKeys = async () => new Set<string>();
        const log = createLogger('api', 'silent');
        dependencies.streams = new Streams(limits, {
          database,
          sources,
          log,
          clock: systemClock,
          usableKeys,
        });
        atEnd(() => dependencies.streams.stop());
      },
    });
    const { streams } = other.dependencies;
    const silent = openSilently(other.baseUrl, `trades:${mint}`, cursor);
    await eventually('it was ended', async () => streams.tally.ends.get('slow_reader') === 1);
    expect(streams.count).toBe(0);
    silent.destroy();
  });

  test('and is ended before it has a place gets back its own cursor', async () => {
    const cursor = await cursorNow();
    const place = BigInt(cursor.split('.')[2] ?? 0);
    const other = await startTestApi({ database: market.api.database });
    const { streams } = other.dependencies;
    await market.api.dependencies.database.begin(async (slow) => {
      await slow`select pg_advisory_xact_lock_shared(7201960, ${Number(place) - 1}::int4)`;
      const opening = open('trades', cursor, other.baseUrl);
      await eventually('the log was read', async () => streams.follower.place?.id === place - 1n);
      streams.drain();
      const stream = await opening;
      expect(await stream.find(named('end'))).toMatchObject({ reason: 'draining', cursor });
      expect(stream.messages).toHaveLength(1);
    });
  });

  test('after the service lost its place gets a gap', async () => {
    const api = await startTestApi();
    const stream = await openEventStream(`${api.baseUrl}/stream?topics=tokens`);
    await stream.find(named('heartbeat'));
    // As when the process was away for longer than the log is kept.
    await api.database
      .sql`update stream_progress set deleted_through = deleted_through + 1000000, deleted_at = now()`;
    const { reason, cursor } = await stream.find(named('end'));
    expect(reason).toBe('position_lost');
    const next = await open('tokens', cursor, api.baseUrl);
    expect(await next.find(named('gap'))).toMatchObject({ reason: 'expired', topics: ['tokens'] });
    next.close();
  });

  test('gets every message while another that does not read is ended', async () => {
    const mint = await market.launch();
    const slowly = await startTestApi({
      database: market.api.database,
      environment: { STREAM_BUFFER_BYTES: '65536' },
    });
    const { streams } = slowly.dependencies;
    const reading = await open(`trades:${mint}`, undefined, slowly.baseUrl);
    await reading.find(named('heartbeat'));
    openSilently(slowly.baseUrl, `trades:${mint}`);
    await eventually('both are open', async () => streams.count === 2);
    // More than the buffers of both ends of a connection take.
    const stored = await storeMany(mint, 16_000);
    await reading.find(({ data }) => data?.id === stored.at(-1));
    expect(told(reading)).toEqual(stored);
    await eventually('the slow one is gone', async () => streams.count === 1);
    expect(streams.tally.ends.get('slow_reader')).toBe(1);
    // The metrics count each trade of the log once.
    expect(streams.tally.composed.get('trade') ?? 0).toBeGreaterThanOrEqual(stored.length);
    reading.close();
  });

  test('after its cursor was deleted gets a gap with the time from which messages are kept, and begins anew', async () => {
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
