import { expect, test } from 'bun:test';
import { jetstream } from '@nats-io/jetstream';
import fc from 'fast-check';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { newAddress, tradeMessage } from '../support/market/ingest-stream.ts';
import { storeBondingToken } from '../support/market/stored-token.ts';
import { startWorkerProcess } from '../support/processes/service-processes.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';
import { followStreams } from '../support/streams/following-client.ts';

const TRADES = 300;
const CLIENTS = 6;
/** Trades between two kills. */
const PER_KILL = 25;

/** The process to kill next: an api, the worker or the broker. */
const killed = fc.constantFrom('first', 'second', 'worker', 'broker');

test('every subscriber sees every trade once and in order, whichever processes are killed and restarted', async () => {
  const db = await openDatabase();
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  const mint = newAddress();
  await storeBondingToken(db, mint);
  const environment = {
    DATABASE_URL: urlOf(db),
    NATS_URL: nats.url,
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMITS: '{"stream-open":{"limit":100000,"windowSeconds":1}}',
  };
  let worker = await startWorkerProcess(environment);
  const apis: Record<'first' | 'second', ApiProcess> = {
    first: await startApiProcess(environment.DATABASE_URL, environment),
    second: await startApiProcess(environment.DATABASE_URL, environment),
  };
  let turn = 0;
  const address = () => (turn++ % 2 === 0 ? apis.first : apis.second).baseUrl;
  const clients = Array.from({ length: CLIENTS }, (_, at) =>
    followStreams(address, at % 2 === 0 ? 'trades' : `trades:${mint},token:${mint},candles:${mint}:1m`),
  );
  await Promise.all(clients.map((client) => client.reaches(0n)));

  const restarts: Record<
    typeof killed extends fc.Arbitrary<infer Name extends string> ? Name : never,
    () => Promise<unknown>
  > = {
    first: async () => {
      await apis.first.child.kill();
      apis.first = await startApiProcess(environment.DATABASE_URL, environment);
    },
    second: async () => {
      await apis.second.child.kill();
      apis.second = await startApiProcess(environment.DATABASE_URL, environment);
    },
    worker: async () => {
      await worker.kill();
      worker = await startWorkerProcess(environment);
    },
    broker: async () => {
      await nats.kill();
      await nats.restart();
    },
  };
  const feed = (number: number) =>
    eventually('the broker takes it', () =>
      jetstream(connection)
        .publish(ingestSubject('trade'), JSON.stringify(tradeMessage(mint, number)), { timeout: 500 })
        .then(
          () => true,
          () => false,
        ),
    );
  const [order] = fc.sample(
    fc.array(killed, { minLength: TRADES / PER_KILL, maxLength: TRADES / PER_KILL }),
    { numRuns: 1 },
  );
  for (let number = 0; number < TRADES; number += PER_KILL) {
    const name = order?.[number / PER_KILL] ?? 'worker';
    // The trades of this round arrive while the process restarts.
    await Promise.all([restarts[name](), ...Array.from({ length: PER_KILL }, (_, at) => feed(number + at))]);
  }
  await eventually('every trade is stored', async () => {
    const [row] = await db<{ count: number }[]>`select count(*)::int as count from trades`;
    return row?.count === TRADES;
  });
  const logged = await db<{ id: bigint; ref: string }[]>`
    select id, ref from stream_log where kind = 'trade' order by id`;
  await Promise.all(clients.map((client) => client.reaches(logged.at(-1)?.id ?? 0n)));
  for (const client of clients) {
    await client.stop();
    const told = client.messages.filter(({ event, snapshot }) => event === 'trade' && snapshot === undefined);
    expect(told.map(({ data }) => data.id)).toEqual(logged.map(({ ref }) => ref));
    expect(client.messages.filter(({ event }) => event === 'gap')).toEqual([]);
  }
  expect(clients.some((client) => client.connections() > 1)).toBe(
    order?.some((name) => name === 'first' || name === 'second') ?? false,
  );
}, 600_000);
