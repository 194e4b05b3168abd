import { jetstream } from '@nats-io/jetstream';
import { listRankedTokens } from '../../src/features/tokens/list-ranked-tokens.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { type BenchCase, sized } from '../cases/case.ts';
import { epochMs } from '../cases/subscribers.ts';
import { alternate } from '../measurement/rounds.ts';
import { until } from '../measurement/until.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { createPipelineEnvironment, type PipelineEnvironment } from './environment.ts';
import { BENCH_TOKENS, benchMint, tradeMessage } from './trade-messages.ts';

const TRADES = { full: 40, quick: 10, shortest: 1 };
/** Other trades of the same moment, which change all tokens at once. */
const BURST = { full: 2_000, quick: 500, shortest: 10 };
const POLL_MS = 5;
const ALONE = 'a trade alone';
const IN_BURST = 'the last trade of a burst';

/**
 * From the ingest stream to the first place of `sort=lastTradeAt`, in the database: stored, followed by the worker and
 * listed. The cache of lists adds up to a second (contract/tokens#ranking-delay).
 */
export const rankedTrade: BenchCase = async (options) => {
  const { rounds } = options;
  const environment = await createPipelineEnvironment();
  try {
    await createBenchTokens(environment.sql);
    let next = 0;
    const measure = async (count: number, burst: number) => {
      const times: number[] = [];
      for (let trade = 0; trade < count; trade += 1) {
        times.push(await rankTrade(environment, next, burst));
        next += burst + 1;
      }
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
      return { medianMs: at(0.5), slowestMs: at(1) };
    };
    // Not counted: the worker finds its tokens.
    await measure(1, 0);
    const figures = await alternate(
      [
        { name: ALONE, run: () => measure(sized(options, TRADES), 0) },
        { name: IN_BURST, run: () => measure(Math.ceil(sized(options, TRADES) / 10), sized(options, BURST)) },
      ],
      rounds,
    );
    return { name: 'a trade into the list by last trade', figures, ratios: {} };
  } finally {
    await environment.close();
  }
};

async function rankTrade(
  { sql, connection }: PipelineEnvironment,
  first: number,
  burst: number,
): Promise<number> {
  const stream = jetstream(connection);
  const publish = (number: number) =>
    stream.publish(ingestSubject('trade'), JSON.stringify(laterTrade(number)));
  await Promise.all(Array.from({ length: burst }, (_, at) => publish(first + at)));
  const last = first + burst;
  const sentAtMs = epochMs();
  await publish(last);
  const mint = benchMint(last % BENCH_TOKENS);
  const isFirst = async () => {
    const { items } = await listRankedTokens(sql, { sort: 'lastTradeAt', limit: 1, bounds: {} });
    return items[0]?.mintAddress === mint;
  };
  await until('the trade is listed first', isFirst, { pollMs: POLL_MS });
  return epochMs() - sentAtMs;
}

/** A second after the one before, so that the newest trade is the last one. */
function laterTrade(number: number) {
  const message = tradeMessage(number);
  return {
    ...message,
    slot: String(400_000_000 + number),
    blockTime: new Date(Date.parse('2026-01-01T00:00:00Z') + number * 1_000).toISOString(),
  };
}
