import { beforeAll, describe, expect, test } from 'bun:test';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import type { IndexedTrade } from '../../src/indexer/market/indexed-trade.ts';
import { storeReversals } from '../../src/indexer/store/trade-reversals.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { DecimalString } from '../../src/shared/decimal.ts';
import { startTestApi } from '../support/api/api.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { type EventStream, openEventStream } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

const open = (topics: string, cursor?: string, baseUrl = market.api.baseUrl) =>
  openEventStream(
    `${baseUrl}/stream?topics=${topics}`,
    cursor === undefined ? {} : { 'last-event-id': cursor },
  );

/** Resolves when all earlier commits have reached the stream. */
async function settled(stream: EventStream): Promise<string> {
  const [row] = await market.api.database.sql`select max(id)::text as id from stream_log`;
  const last = BigInt(row?.id ?? 0);
  const { id } = await stream.find(
    ({ event, id }) => event === 'heartbeat' && BigInt(id?.split('.')[2] ?? 0) >= last,
  );
  return id ?? '';
}

const received = ({ messages }: EventStream) =>
  messages.flatMap(({ event, data }) => {
    if (event === 'trade') return [data.id];
    return event === 'trade_reverted' ? [`-${data.tradeId}`] : [];
  });

/** Trades of two wallets in two tokens: buys and sells of 1, 2, … SOL. */
async function mixedTrades(wallets: readonly string[], count: number): Promise<IndexedTrade[]> {
  const mints = [await market.launch(), await market.launch()];
  return Array.from({ length: count }, (_, at) => {
    const [trade] = market.newTrades(mints[at % 2] ?? '', 1);
    if (trade === undefined) throw new Error('no trade');
    return {
      ...trade,
      traderWallet: wallets[Math.floor(at / 2) % wallets.length] ?? '',
      type: at % 3 === 0 ? ('sell' as const) : ('buy' as const),
      solAmount: `${(at % 5) + 1}` as DecimalString,
    };
  });
}

const idsOf = (trades: readonly IndexedTrade[], passes: (trade: IndexedTrade) => boolean) =>
  trades.filter(passes).map(({ id }) => id);

describe('followed trades', () => {
  test('of a wallet come from every token, and by a filter those that pass it, each once, with their reversals', async () => {
    const wallets = [newAddress(), newAddress()];
    const [mine = ''] = wallets;
    const trades = await mixedTrades(wallets, 24);
    const mint = trades[0]?.mintAddress ?? '';
    const topics: [string, (trade: IndexedTrade) => boolean][] = [
      [`wallet:${mine}`, (trade) => trade.traderWallet === mine],
      ['trades;minSol=3;side=buy', ({ type, solAmount }) => type === 'buy' && Number(solAmount) >= 3],
      [
        `trades:${mint};minSol=2`,
        ({ mintAddress, solAmount }) => mintAddress === mint && Number(solAmount) >= 2,
      ],
      [
        `trades;side=sell;wallet=${mine};wallet=${newAddress()}`,
        ({ traderWallet, type }) => traderWallet === mine && type === 'sell',
      ],
      // A trade that fits several topics of one stream is one message.
      [
        `wallet:${mine},trades;minSol=5,trades:${mint};wallet=${mine}`,
        ({ traderWallet, solAmount }) => traderWallet === mine || Number(solAmount) >= 5,
      ],
    ];
    const streams = await Promise.all(topics.map(([text]) => open(text)));
    const cursors = await Promise.all(streams.map(settled));
    await market.store(trades);
    await Promise.all(streams.map(settled));
    for (const [at, [, passes]] of topics.entries()) {
      const stream = streams[at];
      if (stream === undefined) return expect.unreachable();
      expect(received(stream)).toEqual(idsOf(trades, passes));
      expect(received(stream).length).toBeGreaterThan(0);
      expect(stream.messages.every(({ snapshot }) => snapshot === undefined)).toBe(true);
    }
    const reverted = trades.slice(4, 12);
    const reversals = reverted.map(({ id, slot }) => ({ tradeId: id, slot }));
    await market.api.dependencies.database.begin((transaction) =>
      storeReversals(transaction, reversals, systemClock.now()),
    );
    await Promise.all(streams.map(settled));
    for (const [at, [, passes]] of topics.entries()) {
      const stream = streams[at];
      if (stream === undefined) return expect.unreachable();
      const back = received(stream).slice(idsOf(trades, passes).length);
      expect(back.toSorted()).toEqual(
        idsOf(reverted, passes)
          .map((id) => `-${id}`)
          .toSorted(),
      );
      stream.close();
    }
    // From memory, and by another process from the table: what passes, without those that were taken back.
    const other = await startTestApi({ database: market.api.database });
    for (const baseUrl of [market.api.baseUrl, other.baseUrl])
      for (const [at, [text, passes]] of topics.entries()) {
        const stream = await open(text, cursors[at], baseUrl);
        await settled(stream);
        expect(stream.messages[0]).toMatchObject({ event: 'ready', resumed: true });
        const kept = trades.filter((trade) => !reverted.includes(trade));
        // Memory has messages of trades that are gone; a record that is gone is not read again.
        const taken = new Set(reverted.map(({ id }) => id));
        const left = received(stream).filter((id) => !id.startsWith('-') && !taken.has(id));
        expect(left).toEqual(idsOf(kept, passes));
        expect(received(stream).filter((id) => id.startsWith('-')).length).toBe(
          idsOf(reverted, passes).length,
        );
        stream.close();
      }
  });

  test('launches and graduations are the events of these types, and no others', async () => {
    const streams = await Promise.all(['launches', 'graduations', 'events'].map((topic) => open(topic)));
    await Promise.all(streams.map(settled));
    const { database, outbox } = market.api.dependencies;
    const token = { ...tokenMessage(newAddress()), launchType: 'dbc' as const, announce: true };
    for (const status of ['bonding', 'graduated'] as const)
      await database.begin((transaction) =>
        upsertToken(transaction, outbox, systemClock, { ...token, status }),
      );
    await Promise.all(streams.map(settled));
    const types = streams.map(({ messages }) =>
      messages.flatMap(({ event, data }) =>
        event === 'event' && data.subject === token.mintAddress ? [data.type] : [],
      ),
    );
    const [created, graduated] = ['build.service.launch.created.v1', 'build.service.launch.graduated.v1'];
    expect(types[0]).toEqual([created]);
    expect(types[1]).toEqual([graduated]);
    expect(types[2]).toEqual(expect.arrayContaining([created, graduated]));
    for (const stream of streams) stream.close();
  });

  test('a wrong filter is refused by name, in the URL and in a message', async () => {
    const refused = await market.get(`/stream?topics=tokens,trades;minSol=x`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: '/query/topics', message: expect.stringContaining('"trades;minSol=x" has a wrong filter') },
      ],
    });
    const socket = await openSocket(`${market.api.baseUrl}/stream`);
    const wallets = Array.from({ length: 60 }, newAddress);
    const filter = (some: readonly string[]) =>
      `trades;${some.map((wallet) => `wallet=${wallet}`).join(';')}`;
    socket.send({ type: 'subscribe', topics: [filter(wallets)], requestId: 'a' });
    const subscribed = await socket.find(({ event }) => event === 'subscribed');
    // One spelling, by which it can be ended again in any order of its parts.
    expect(subscribed.topics).toEqual([filter(wallets.toSorted())]);
    socket.send({ type: 'subscribe', topics: wallets.slice(0, 41).map((wallet) => `wallet:${wallet}`) });
    const problem = await socket.find(({ event }) => event === 'problem');
    expect(problem.problem.errors).toMatchObject([{ path: '/message/topics', code: 'too_long' }]);
    socket.send({ type: 'unsubscribe', topics: [filter(wallets)], requestId: 'b' });
    await socket.find(({ event, topics }) => event === 'unsubscribed' && topics.length === 1);
    socket.close();
  });
});
