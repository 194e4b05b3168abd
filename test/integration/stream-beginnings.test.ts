import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { eventually } from '../support/run/eventually.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

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
  await sql`update stream_log set at = now() - interval '21 minutes'`;
  await sql`select trim_stream_log(now() - interval '20 minutes', 10000000, 10000000)`;
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
  const size = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 12_000 }));

  test('is told nothing that was committed before it was opened, whatever the log holds and whoever follows it', async () => {
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
        numRuns: 30,
        endOnFailure: true,
        examples: [
          [6_000, false],
          [4_000, true],
        ],
      },
    );
  });
});
