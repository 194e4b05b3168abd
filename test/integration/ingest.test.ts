import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../src/db/client.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { consumers, INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import {
  newAddress as address,
  type IngestStream,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import { eventsOf } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;
let connection: NatsConnection;
let db: Database;

beforeAll(async () => {
  stream = await openIngestStream();
  ({ connection, db } = stream);
});
beforeEach(() => stream.reset());

const feed: IngestStream['feed'] = (...message) => stream.feed(...message);
const withWorkers: IngestStream['withWorkers'] = (...work) => stream.withWorkers(...work);
const rejections = () => stream.rejections();

async function tradeCount(): Promise<number> {
  return (await db`select count(*)::int as count from trades`)[0]?.count;
}

test('a token and its trades become a priced token, and the caches get the hint after the commit', async () => {
  const mint = address();
  await feed('token', tokenMessage(mint, { announce: true }));
  await feed('trade', tradeMessage(mint, 1, { spotPriceInSol: '0.6', liquidityInSol: '7.5' }));
  await withWorkers(1, () => eventually('trade', async () => (await tradeCount()) === 1));
  expect(await findToken(db, mint)).toMatchObject({
    currentPriceInSol: '0.6',
    marketCapInSol: '600',
    solCollectedInSol: '7.5',
  });
  expect(stream.changed).toEqual([mint, mint]);
  expect(await eventsOf(db)).toEqual([`launch.created ${mint}`]);
});

test('a trade that comes twice, in one batch or later, counts once', async () => {
  const mint = address();
  await feed('token', tokenMessage(mint));
  for (const number of [1, 1, 2, 1, 2]) await feed('trade', tradeMessage(mint, number));
  await stream.settle();
  await feed('trade', tradeMessage(mint, 1));
  await stream.settle();
  expect(await tradeCount()).toBe(2);
  const candles = await db`select trade_count, volume_in_sol from candles where interval = '1d'`;
  expect([...candles]).toEqual([{ tradeCount: 2, volumeInSol: '3' }]);
  expect(await findToken(db, mint)).toMatchObject({ solCollectedInSol: '3' });
});

test('a late trade never turns the price back', async () => {
  const mint = address();
  await feed('token', tokenMessage(mint));
  await feed('trade', tradeMessage(mint, 9, { spotPriceInSol: '0.9', liquidityInSol: '9' }));
  await feed('trade', tradeMessage(mint, 8, { spotPriceInSol: '0.8', liquidityInSol: '8' }));
  await withWorkers(1, () => eventually('trades', async () => (await tradeCount()) === 2));
  expect(await findToken(db, mint)).toMatchObject({ currentPriceInSol: '0.9', solCollectedInSol: '9' });
});

test('a trade that overtakes its token waits for it', async () => {
  const mint = address();
  await feed('trade', tradeMessage(mint, 1));
  await withWorkers(1, async () => {
    const redelivered = async () => {
      const manager = await jetstreamManager(connection);
      // The worker makes it.
      const info = await readConsumer(manager, consumers.ingest).catch(() => null);
      return info !== null && info.num_redelivered > 0;
    };
    await eventually('first tries', redelivered);
    await feed('token', tokenMessage(mint));
    await eventually('trade', async () => (await tradeCount()) === 1);
  });
  expect(await rejections()).toEqual([]);
});

test('poison goes to ingest.rejected with its reason and holds up nothing', async () => {
  const mint = address();
  await feed('token', tokenMessage(mint));
  await feed('trade', '{"half":');
  await feed('trade', tradeMessage(mint, 1, { solAmount: '1.50' }));
  await feed('trade', tradeMessage(mint, 1, { tokenAmount: '0' }));
  await feed('trade', tradeMessage(mint, 1, { blockTime: '2026-02-31T99:00:00Z' }));
  await feed('trade', tradeMessage(mint, 1, { slot: '9999999999999999999' }));
  await feed('token', tokenMessage(address(), { name: 'nul\u0000' }));
  await feed('token', tokenMessage('1'.repeat(40)));
  await feed('trade', tradeMessage(mint, 2));
  await stream.settle();
  expect(await tradeCount()).toBe(1);
  const rejected = await rejections();
  expect(rejected.map(({ reason, detail }) => `${reason} ${detail}`).sort()).toEqual([
    'constraint_violated 22003',
    'malformed_json the payload is not JSON in UTF-8',
    'schema_invalid /blockTime Expected an existing time of the years 1 to 9999',
    'schema_invalid /mintAddress Expected an address of 32 bytes',
    'schema_invalid /name Expected no character U+0000',
    "schema_invalid /solAmount Expected string to match '^(?:0|[1-9]\\d{0,38})(?:\\.\\d{0,37}[1-9])?$'",
    'schema_invalid /tokenAmount Expected more than zero',
  ]);
  expect(rejected.find(({ reason }) => reason === 'malformed_json')).toMatchObject({
    payload: '{"half":',
    subject: 'ingest.trade',
  });
});

test('a trade of a token that never comes is rejected after its tries', async () => {
  const mint = address();
  await feed('trade', tradeMessage(mint, 1));
  const rejected = () => eventually('rejected', async () => (await rejections()).length === 1);
  await withWorkers(1, rejected, 'impatient');
  expect(await rejections()).toMatchObject([{ reason: 'unknown_token', detail: mint }]);
});

test('two workers share the stream; every trade counts once, also when connections die under them', async () => {
  const mints = [address(), address(), address()];
  for (const mint of mints) await feed('token', tokenMessage(mint));
  const publisher = jetstream(connection);
  const total = 1_500;
  await withWorkers(2, async () => {
    for (let number = 0; number < total; number += 1) {
      const message = tradeMessage(mints[number % 3] ?? '', number, { type: number % 2 ? 'sell' : 'buy' });
      await publisher.publish(ingestSubject('trade'), JSON.stringify(message));
      if (number === 700) {
        await db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
      }
    }
    await eventually('all trades', async () => (await tradeCount().catch(() => 0)) === total);
    await eventually('settled', () => stream.isSettled());
  });
  for (const interval of ['1m', '1d']) {
    const [sum] = await db`
      select sum(trade_count)::int as count, sum(volume_in_sol)::float as volume from candles
      where interval = ${interval}`;
    expect(sum).toEqual({ count: total, volume: 1.5 * total });
  }
  const [collected] = await db`select sum(sol_collected_in_sol)::float as sum from token_markets`;
  expect(collected?.sum).toBe(0);
});

test('a stream that the broker lost is created again, and later messages are ingested', async () => {
  const mint = address();
  await withWorkers(1, async () => {
    await feed('token', tokenMessage(mint));
    await eventually('token', async () => (await findToken(db, mint)) !== null);
    await (await jetstreamManager(connection)).streams.delete(INGEST_STREAM);
    await stream.feedPersistently('trade', tradeMessage(mint, 1));
    await eventually('trade', async () => (await tradeCount()) === 1);
  });
});

test('ingest goes on after a restart of the broker', async () => {
  const mint = address();
  await withWorkers(1, async () => {
    await feed('token', tokenMessage(mint));
    await eventually('token', async () => (await findToken(db, mint)) !== null);
    await stream.nats.kill();
    await stream.nats.restart();
    await stream.feedPersistently('trade', tradeMessage(mint, 1));
    await eventually('trade', async () => (await tradeCount()) === 1);
  });
});
