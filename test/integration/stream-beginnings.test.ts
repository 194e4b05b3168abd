import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { eventually } from '../support/run/eventually.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

const named = (event: string) => (message: ReceivedMessage) => message.event === event;
const open = (topics: string) => openEventStream(`${market.api.baseUrl}/stream?topics=${topics}`);

/** Empties the log, as after 20 quiet minutes, when nobody follows it. */
async function emptyLog(): Promise<void> {
  const { streams } = market.api.dependencies;
  await eventually('nobody follows', async () => streams.count === 0 && streams.follower.place === null);
  const { sql } = market.api.database;
  await sql`select trim_stream_log(now() - interval '20 minutes', 0, 10000000)`;
}

/** Writes that a trade happened into the log, many times, in one transaction. */
async function logTrade(mint: string, tradeId: string, count: number): Promise<void> {
  await market.api.dependencies.database.begin(async (sql) => {
    await sql`select announce_stream_log()`;
    await sql`
      insert into stream_log (kind, mint_address, ref, slot, through, at)
      select 'trade', ${mint}, id, slot, block_time, now() - interval '3 minutes'
      from trades, generate_series(1, ${count}::int4) where id = ${tradeId}`;
  });
}

describe('a stream without a cursor', () => {
  /** Around the sizes of a page and of what is loaded for those who come back. */
  const edges = [0, 1, 999, 1_000, 1_001, 4_999, 5_000, 5_001, 6_000, 6_001];
  const size = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 8_000 }));

  test('gets no message that was committed before it was opened, whatever the log holds', async () => {
    const mint = await market.launch();
    const [old] = market.newTrades(mint, 1);
    await market.store(old === undefined ? [] : [old]);
    await fc.assert(
      fc.asyncProperty(size, fc.boolean(), async (count, isFollowed) => {
        await emptyLog();
        const other = isFollowed ? await open(`trades:${mint}`) : null;
        await other?.find(named('heartbeat'));
        await logTrade(mint, old?.id ?? '', count);
        const stream = await open(`trades,trades:${mint}`);
        await stream.find(named('heartbeat'));
        const news = market.newTrades(mint, 2);
        await market.store(news);
        await stream.find(({ data }) => data?.id === news[1]?.id);
        const told = stream.messages.filter(({ event, snapshot }) => event === 'trade' && snapshot !== true);
        expect(told.map(({ data }) => data.id)).toEqual(news.map(({ id }) => id));
        stream.close();
        other?.close();
      }),
      {
        numRuns: 20,
        endOnFailure: true,
        examples: [
          [6_000, false],
          [4_000, true],
        ],
      },
    );
  });
});

describe('while the beginnings of others are read', () => {
  /** Holds the next reading of beginnings; resolves with what lets it go on. */
  function holdBeginnings() {
    const { recordSources: sources } = market.api.dependencies;
    const { newestTrades } = sources;
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    sources.newestTrades = async (mints, ...more) => {
      if (mints.length === 0) return newestTrades(mints, ...more);
      sources.newestTrades = newestTrades;
      begun.resolve();
      await release.promise;
      return newestTrades(mints, ...more);
    };
    return { begun: begun.promise, release: release.resolve };
  }
  const told = ({ messages }: { messages: ReceivedMessage[] }) =>
    messages
      .filter(({ event, snapshot }) => event === 'trade' && snapshot !== true)
      .map(({ data }) => data.id);

  test('streams get new messages, and a beginning stream misses none and gets none twice', async () => {
    const mint = await market.launch();
    const [before, during, after] = [
      market.newTrades(mint, 3),
      market.newTrades(mint, 3),
      market.newTrades(mint, 3),
    ];
    await market.store(before);
    const following = await open(`trades:${mint}`);
    await following.find(named('heartbeat'));
    const held = holdBeginnings();
    const beginning = open(`trades:${mint}`);
    await held.begun;
    await market.store(during);
    await following.find(({ data }) => data?.id === during[2]?.id);
    held.release();
    const stream = await beginning;
    await stream.find(named('heartbeat'));
    await market.store(after);
    await stream.find(({ data }) => data?.id === after[2]?.id);
    const snapshots = stream.messages.filter(({ snapshot }) => snapshot === true);
    expect(snapshots.map(({ data }) => data.id)).toEqual(before.map(({ id }) => id));
    expect(told(stream)).toEqual([...during, ...after].map(({ id }) => id));
    stream.close();
    following.close();
  });

  test('a WebSocket that subscribes to more topics gets its messages in order, once', async () => {
    const [mint, other] = [await market.launch(), await market.launch()];
    const socket = await openSocket(`${market.api.baseUrl}/stream?topics=trades:${mint}`);
    await socket.find(named('heartbeat'));
    const held = holdBeginnings();
    socket.send({ type: 'subscribe', topics: [`trades:${other}`] });
    await held.begun;
    const during = [
      ...market.newTrades(mint, 2),
      ...market.newTrades(other, 2),
      ...market.newTrades(mint, 2),
    ];
    for (const trade of during) await market.store([trade]);
    held.release();
    await socket.find(named('subscribed'));
    const after = market.newTrades(mint, 1);
    await market.store(after);
    await socket.find(({ data }) => data?.id === after[0]?.id);
    expect(told(socket)).toEqual([...during, ...after].map(({ id }) => id));
    const places = socket.messages.flatMap(({ id }) => (id === undefined ? [] : [Number(id.split('.')[2])]));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    const beats = socket.messages.filter(named('heartbeat')).map(({ sequence }) => Number(sequence));
    expect(beats).toEqual(beats.map((_beat, at) => Number(beats[0]) + at));
    socket.close();
  });

  test('a stream whose beginning cannot be read begins when it can be', async () => {
    const mint = await market.launch();
    const trades = market.newTrades(mint, 2);
    await market.store(trades);
    const { recordSources: sources } = market.api.dependencies;
    const { newestTrades } = sources;
    let failures = 0;
    sources.newestTrades = () => {
      failures += 1;
      if (failures === 2) sources.newestTrades = newestTrades;
      return Promise.reject(new Error('the database is away'));
    };
    const stream = await open(`trades:${mint}`);
    await stream.find(named('heartbeat'));
    expect(failures).toBe(2);
    expect(stream.messages.slice(0, 3)).toMatchObject([
      { event: 'ready' },
      ...trades.map(({ id }) => ({ data: { id } })),
    ]);
    stream.close();
  });
});
