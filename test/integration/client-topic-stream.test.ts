import { beforeAll, describe, expect, test } from 'bun:test';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { createClient, type TopicStream, type TopicStreamMessage } from 'launchwire';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { type MarketApi, startMarketApi } from '../support/api/market-api.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { thrown } from '../support/run/thrown.ts';

let market: MarketApi;

beforeAll(async () => {
  market = await startMarketApi();
});

/** A loop over a stream that keeps what it gets. */
function keep(stream: TopicStream) {
  const seen: TopicStreamMessage[] = [];
  const ended = (async () => {
    for await (const message of stream) seen.push(message);
  })();
  ended.catch(() => undefined);
  const trades = (mint: string) =>
    seen.flatMap((message) =>
      message.event === 'trade' && message.data.mintAddress === mint ? [message.data.id] : [],
    );
  return { seen, ended, trades };
}

const through = (origin: string, apiKey?: string) =>
  createClient({ baseUrl: origin, apiKey, baseDelayMs: 1, maxRetries: 3 });
const idsOf = (trades: readonly { id: string }[]) => trades.map(({ id }) => id);
describe('a stream with changing topics, on the real api', () => {
  test('begins topics with their current state and ends them, on one connection', async () => {
    const line = await startBreakingLine(market.api.origin);
    const [mint, other] = [await market.launch(), await market.launch()];
    const before = market.newTrades(mint, 3);
    await market.store(before);
    const stream = through(line.origin).topicStream({ topics: [`trades:${mint}`] });
    const { seen, ended, trades } = keep(stream);
    await eventually('what was there', async () => trades(mint).length === 3);
    expect(seen.every((message) => 'snapshot' in message && message.snapshot === true)).toBe(true);
    await stream.subscribe([`trades:${other}`, `token:${other}`]);
    expect([...stream.topics].sort()).toEqual([`trades:${mint}`, `trades:${other}`, `token:${other}`].sort());
    await eventually('the token', async () => seen.some(({ event }) => event === 'token'));
    const after = [...market.newTrades(mint, 2), ...market.newTrades(other, 2)];
    await market.store(after);
    await eventually('the trades', async () => trades(other).length === 2 && trades(mint).length === 5);
    await stream.unsubscribe([`trades:${mint}`]);
    await market.store([...market.newTrades(mint, 2), ...market.newTrades(other, 1)]);
    await eventually('the last trade', async () => trades(other).length === 3);
    expect(trades(mint)).toHaveLength(5);
    expect(line.connections).toBe(1);
    stream.close();
    await ended;
    expect(await thrown(stream.subscribe(['tokens']))).toMatchObject({ message: 'the stream is closed' });
  });

  test('loses and repeats nothing while topics change and connections break', async () => {
    const line = await startBreakingLine(market.api.origin);
    const mints = await Promise.all(Array.from({ length: 3 }, () => market.launch()));
    const stream = through(line.origin).topicStream({ topics: ['tokens'] });
    const { ended, trades } = keep(stream);
    const expected = new Map<string, string[]>();
    for (const [round, mint] of mints.entries()) {
      const early = market.newTrades(mint, 3);
      await market.store(early);
      // Cut while the subscription is asked for, answered or begun, whichever comes first.
      const subscribed = stream.subscribe([`trades:${mint}`]);
      if (round > 0) line.cut();
      await subscribed;
      expected.set(mint, idsOf(early));
      for (let cuts = 0; cuts < 2; cuts += 1) {
        const all = mints.slice(0, round + 1).flatMap((followed) => market.newTrades(followed, 2));
        const stored = market.store(all);
        line.cut();
        await stored;
        for (const { id, mintAddress } of all) expected.get(mintAddress)?.push(id);
      }
      await eventually('every trade', async () =>
        [...expected].every(([followed, ids]) => trades(followed).length >= ids.length),
      );
    }
    const [first = '', ...others] = mints;
    const unsubscribed = stream.unsubscribe([`trades:${first}`]);
    line.cut();
    await unsubscribed;
    await market.store(market.newTrades(first, 2));
    const last = others.flatMap((mint) => market.newTrades(mint, 1));
    await market.store(last);
    for (const { id, mintAddress } of last) expected.get(mintAddress)?.push(id);
    await eventually('the last trades', async () =>
      others.every((mint) => trades(mint).length >= (expected.get(mint)?.length ?? 0)),
    );
    for (const [mint, ids] of expected) expect(trades(mint).sort()).toEqual([...ids].sort());
    expect(line.connections).toBeGreaterThan(4);
    stream.close();
    await ended;
  });

  test('reports a refusal to its caller, and goes on', async () => {
    const mint = await market.launch();
    const { text } = await createTestKey(market.api.dependencies.database, { scopes: ['operations:read'] });
    const stream = through(market.api.origin, text).topicStream({ topics: [`trades:${mint}`] });
    const { ended, trades } = keep(stream);
    const refusals = [
      stream.subscribe(['nothing']),
      stream.subscribe([`token:${newAddress()}`]),
      stream.subscribe(['deliveries', 'intents']),
    ];
    expect(await Promise.all(refusals.map(thrown))).toMatchObject([
      { code: 'validation_failed', operation: 'openStream' },
      { code: 'token_not_found' },
      { code: 'insufficient_scope' },
    ]);
    await stream.subscribe(['intents']);
    expect(stream.topics).toEqual([`trades:${mint}`, 'intents']);
    await market.store(market.newTrades(mint, 1));
    await eventually('a trade', async () => trades(mint).length === 1);
    stream.close();
    await ended;
  });

  test('goes on without a topic that the service refuses to continue', async () => {
    const line = await startBreakingLine(market.api.origin);
    const [hidden, mint] = [await market.launch(), await market.launch()];
    const topics = [`trades:${hidden}`, `token:${hidden}`, `trades:${mint}`];
    const stream = through(line.origin).topicStream({ topics: ['tokens'] });
    const { seen, ended, trades } = keep(stream);
    await stream.subscribe(topics);
    await market.api.dependencies.database.begin((sql) => setTokenHidden(sql, hidden, true));
    line.cut();
    await eventually('the refusal', async () => seen.some(({ event }) => event === 'refused'));
    expect(seen.find(({ event }) => event === 'refused')).toMatchObject({
      topics: topics.slice(0, 2),
      problem: { code: 'token_not_found', context: { mintAddress: hidden } },
    });
    await market.store(market.newTrades(mint, 1));
    await eventually('a trade', async () => trades(mint).length === 1);
    expect(stream.topics).toEqual(['tokens', `trades:${mint}`]);
    stream.close();
    await ended;
  });

  test('follows topics of the account of its key, continues from a cursor, and ends with the key', async () => {
    const { database } = market.api.dependencies;
    const key = await createTestKey(database);
    const client = through(market.api.origin, key.text);
    const make = () =>
      database.begin((sql) =>
        createOperation(sql, systemClock, { accountId: key.accountId, kind: 'work', input: {} }),
      );
    let cursor: string | undefined;
    for await (const message of client.topicStream({ topics: ['operations'] }, { heartbeats: true })) {
      if (message.event === 'heartbeat') cursor = message.id;
      if (cursor !== undefined) break;
    }
    const missed = await make();
    const stream = client.topicStream({ topics: ['operations'], cursor });
    const { seen, ended } = keep(stream);
    await eventually('the operation', async () => seen.length > 0);
    expect(seen).toMatchObject([{ event: 'operation', data: { id: missed.id } }]);
    await database`update api_keys set revoked_at = now() where id = ${key.keyId}`;
    expect(await thrown(ended)).toMatchObject({ code: 'invalid_api_key' });
  });

  test('ends with the problem of a topic that it cannot be opened with, and with the reason of its signal', async () => {
    const { ended } = keep(through(market.api.origin).topicStream({ topics: ['intents'] }));
    expect(await thrown(ended)).toMatchObject({ code: 'invalid_api_key', operation: 'openStream' });
    const abort = new AbortController();
    const stream = through(market.api.origin).topicStream({ topics: ['tokens'] }, { signal: abort.signal });
    const aborted = keep(stream).ended;
    await stream.subscribe(['trades']);
    const waiting = stream.subscribe(['events']);
    abort.abort(new Error('enough'));
    expect([await thrown(waiting), await thrown(aborted)]).toMatchObject([
      { message: 'enough' },
      { message: 'enough' },
    ]);
    const away = keep(through('http://127.0.0.1:9').topicStream({ topics: ['tokens'] })).ended;
    expect(await thrown(away)).toMatchObject({ code: 'connection_failed' });
  });
});

/** A connection to a server that a test can cut at any time. */
interface BreakingLine {
  origin: string;
  /** Connections that have been made. */
  connections: number;
  /** Cuts every connection that is open. */
  cut(): void;
  /** While true, new connections are cut at once. */
  isDown: boolean;
}

async function startBreakingLine(target: string): Promise<BreakingLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const line: BreakingLine = {
    origin: '',
    connections: 0,
    isDown: false,
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
  const server = createServer((near) => {
    if (line.isDown) return void near.destroy();
    line.connections += 1;
    const far = dial(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    line.cut();
    server.close();
  });
  line.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}
