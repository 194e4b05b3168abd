import { beforeAll, expect, test } from 'bun:test';
import { jetstream } from '@nats-io/jetstream';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import {
  type IngestStream,
  newAddress,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import { eventually } from '../support/run/eventually.ts';

let stream: IngestStream;

beforeAll(async () => {
  stream = await openIngestStream();
  await stream.reset();
});

/** Published side by side: thousands one after the other would take longer than they take to apply. */
async function feedTrades(mint: string, first: number, count: number): Promise<void> {
  const bus = jetstream(stream.connection);
  for (let at = first; at < first + count; at += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, first + count - at) }, (_, index) => at + index);
    await Promise.all(
      numbers.map((number) =>
        bus.publish(ingestSubject('trade'), JSON.stringify(tradeMessage(mint, number))),
      ),
    );
  }
}

const tradeCount = async (): Promise<number> =>
  (await stream.db`select count(*)::int as count from trades`)[0]?.count;

test('a flood of messages that wait for their token holds up no later message', async () => {
  const mint = newAddress();
  await stream.feed('token', tokenMessage(mint));
  await feedTrades(newAddress(), 0, 12_000);
  await feedTrades(mint, 20_000, 10);
  await stream.withWorkers(1, async () => {
    await eventually('the trades behind the flood', async () => (await tradeCount()) === 10);
    // None of the flood has given up yet: it still waits while the others are done.
    expect(await stream.rejections()).toEqual([]);
  });
});
