import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { readIngestAnew, readIngestPosition } from '../../src/indexer/store/ingest-position.ts';
import { readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { consumers, INGEST_STREAM } from '../../src/shared/bus/topology.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import { eventually } from '../support/run/eventually.ts';

const TRADES = 5;

let stream: IngestStream;
let mint: string;

beforeAll(async () => {
  stream = await openIngestStream();
});
beforeEach(async () => {
  await stream.reset();
  mint = newAddress();
});

const countTrades = async () => (await stream.db`select from trades where mint_address = ${mint}`).count;
const lastSequence = async () =>
  (await (await jetstreamManager(stream.connection)).streams.info(INGEST_STREAM)).state.last_seq;
const current = async () => readConsumer(await jetstreamManager(stream.connection), consumers.ingest);
/** Waits until every message is stored and the database position says so. */
const recorded = () =>
  eventually('recorded', async () => {
    const { through } = await readIngestPosition(stream.db);
    return through === BigInt(await lastSequence()) && (await stream.isSettled());
  });

/** Feeds a token and its trades; returns the place before the trades. */
async function feedTrades(): Promise<bigint> {
  await stream.feed('token', tokenMessage(mint));
  const before = BigInt(await lastSequence());
  for (let number = 0; number < TRADES; number += 1) await stream.feed('trade', tradeMessage(mint, number));
  return before;
}

/** Makes the database an earlier state of itself, as a disk image would: without the trades, at the position before them. */
async function goBack(through: bigint): Promise<void> {
  await stream.db.begin(async (transaction) => {
    await transaction`delete from trades where mint_address = ${mint}`;
    await transaction`update ingest_position set through = ${through}, recorded_at = now() - interval '1 hour'`;
  });
}

describe('a database that went back', () => {
  test('gets its lost messages again, from workers that go on running', async () => {
    const before = await feedTrades();
    await stream.withWorkers(2, async () => {
      await recorded();
      expect(await countTrades()).toBe(TRADES);
      await goBack(before);
      await eventually('the trades are back', async () => (await countTrades()) === TRADES);
      await recorded();
    });
  });

  test('gets them from workers that start on it', async () => {
    const before = await feedTrades();
    await stream.withWorkers(1, recorded);
    await goBack(before);
    await stream.withWorkers(2, () =>
      eventually('the trades are back', async () => (await countTrades()) === TRADES),
    );
  });

  test('has no proof stored before the trades that the proof is about', async () => {
    const before = await feedTrades();
    await stream.withWorkers(1, async () => {
      await recorded();
      await goBack(before);
      const through = new Date(Date.UTC(2026, 0, 1) + TRADES * 1_000).toISOString();
      await stream.feed('source_proof', { mintAddresses: [mint], through, slot: '200' });
      // A proof that was stored stays, so looking at the end is enough to see one that came too early.
      const proofs = await eventually('the first proof', async () => {
        const [row] = await stream.db<{ trades: number }[]>`
          select (select count(*) from trades where mint_address = ${mint})::int as trades from source_proofs
          where mint_address = ${mint}`;
        return row ?? null;
      });
      expect(proofs).toEqual({ trades: TRADES });
    });
  });
});

test('a worker that starts again reads by the same consumer, and nothing twice', async () => {
  await feedTrades();
  await stream.withWorkers(1, recorded);
  const first = await current();
  await stream.withWorkers(2, async () => {
    await stream.feed('trade', tradeMessage(mint, TRADES));
    await eventually('the next trade', async () => (await countTrades()) === TRADES + 1);
  });
  const { name, delivered } = await current();
  expect(name).toBe(first.name);
  expect(delivered.consumer_seq).toBe(first.delivered.consumer_seq + 1);
});

test('the whole stream is read again when an operator wants it', async () => {
  await feedTrades();
  await stream.withWorkers(1, async () => {
    await recorded();
    await stream.db`delete from trades where mint_address = ${mint}`;
    await readIngestAnew(stream.db);
    await eventually('the trades are back', async () => (await countTrades()) === TRADES);
  });
});

test('a consumer that no database has any more is deleted when its messages are gone', async () => {
  await stream.withWorkers(1, recorded);
  const { config } = await current();
  expect(config.inactive_threshold).toBe(7 * 24 * 60 * 60 * 1e9);
});
