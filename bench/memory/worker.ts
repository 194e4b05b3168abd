import { jetstream } from '@nats-io/jetstream';
import { tradeId } from '../../src/indexer/market/indexed-trade.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import type { BenchCase } from '../cases/case.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../cases/environment.ts';
import { until } from '../measurement/until.ts';
import { createBenchTokens } from '../pipeline/create-bench-tokens.ts';
import { tradeMessage } from '../pipeline/trade-messages.ts';
import { measureLongRun, totalOf } from './long-run.ts';

/** The full number is a day of eleven trades a second. */
const TRADES = { full: 1_000_000, quick: 5_000, shortest: 200 };
/** Published before the worker has stored them: what waits in the broker is not in its memory. */
const BATCH = 2_000;
const POLL_MS = 20;

/** Resident size of the worker over a day of trades of a feed, with candles, statistics and traders. */
export const workerMemory: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  const connection = await connectBus(environment.natsUrl, 'bench');
  try {
    await ensureStreams(connection);
    await createBenchTokens(environment.database);
    const worker = await environment.startWorker();
    const stream = jetstream(connection);
    let published = 0;
    const feed = async (count: number) => {
      const messages = Array.from({ length: count }, (_, at) => tradeMessage(published + at));
      await Promise.all(
        messages.map((message) => stream.publish(ingestSubject('trade'), JSON.stringify(message))),
      );
      published += count;
      await untilStored(environment, messages);
    };
    const result = await measureLongRun({
      name: 'resident size of the worker',
      pid: worker.pid,
      unit: 'trades',
      total: totalOf(options, TRADES),
      async work(count) {
        for (let done = 0; done < count; done += BATCH) await feed(Math.min(BATCH, count - done));
      },
    });
    const [row] = await environment.database<{ count: number }[]>`select count(*)::int as count from trades`;
    if (row?.count !== published) throw new Error(`${row?.count} of ${published} trades are stored`);
    return result;
  } finally {
    await connection.close();
    await environment.close();
  }
};

/** Looks for the trades of a batch by their ids and slots, so that a look costs the same however many are stored. */
async function untilStored(
  { database }: BenchEnvironment,
  messages: readonly ReturnType<typeof tradeMessage>[],
): Promise<void> {
  const ids = messages.map(({ transactionSignature, outerIndex, innerIndex }) =>
    tradeId(transactionSignature, outerIndex, innerIndex),
  );
  const slots = messages.map(({ slot }) => Number(slot));
  const [from, to] = [Math.min(...slots), Math.max(...slots)];
  const areStored = async () => {
    const stored = await database`
      select from trades where slot >= ${from}::int8 and slot <= ${to}::int8 and id = any(${ids}::uuid[])`;
    return stored.count === ids.length;
  };
  await until('the trades are stored', areStored, { pollMs: POLL_MS });
}
