import { wait } from '../../src/shared/loop.ts';
import { type BenchCase, type CaseOptions, percentileRatio } from '../cases/case.ts';
import { type BenchEnvironment, type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { wireRequest } from '../cases/http-variant.ts';
import { createIntentSource, type IntentSource } from '../http/prepared-intents.ts';
import { openLoop } from '../load/open-loop.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';

const RATES_PER_SECOND = [20, 200] as const;
/** Percentile and rate; a round at the low rate has too few submissions for more than a median. */
const RATIOS = [
  ['p50Ms', 20],
  ['p50Ms', 200],
  ['p90Ms', 200],
] as const;
const CONNECTIONS = 16;
/** Long enough for a median at the low rate. */
const ROUND_MS_MIN = { quick: 1_500, full: 2_500 };
const SENT_DEADLINE_MS = 10_000;
const POLL_MS = 20;
const OURS = 'api and worker';
const BARE = 'bare process (limit)';

const variantName = (who: string, rate: number) => `${who}, ${rate}/s`;

/**
 * From the 202 of a submission to its first `sendTransaction` at the node, open loop. The limit is one bare process that
 * verifies, stores one row, sends itself a hint over the broker, deletes the row and sends.
 */
export const firstSend: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    await database`create table bench_first_sends (id uuid primary key, transaction bytea not null)`;
    const intents = await createIntentSource(database);
    const api = await environment.startApi();
    await environment.startWorker();
    const bare = await environment.startServer('bare-first-send.ts', { BENCH_RESPONSE: '{"bare":true}' });
    const servers: [string, BenchServer][] = [
      [OURS, api],
      [BARE, bare],
    ];
    const run = (server: BenchServer, rate: number, round: number) =>
      measure(environment, intents, server, rate, round, options);
    // A first round that is not counted warms every process up.
    for (const [, server] of servers) await run(server, RATES_PER_SECOND[0], 0);
    const figures = await alternate(
      RATES_PER_SECOND.flatMap((rate) =>
        servers.map(([who, server]) => {
          let round = 0;
          const next = () => {
            round += 1;
            return run(server, rate, round);
          };
          return { name: variantName(who, rate), run: next };
        }),
      ),
      options.rounds,
    );
    const ratios = RATIOS.map(([figure, rate]) => [
      `${figure.slice(0, 3)} at ${rate}/s, ours / bare`,
      percentileRatio(figures, variantName(OURS, rate), variantName(BARE, rate), figure),
    ]);
    return {
      name: '202 of a submission → first sendTransaction at the node',
      figures,
      ratios: Object.fromEntries(ratios),
    };
  } finally {
    await environment.close();
  }
};

/**
 * Submits at a rate. `p50Ms` to `p99Ms` are from the response to the send (0 where the send was seen first), `response…`
 * from the time a submission was due to its response.
 */
async function measure(
  environment: BenchEnvironment,
  intents: IntentSource,
  server: BenchServer,
  rate: number,
  round: number,
  { roundMs, quick = false, seed = 1 }: CaseOptions,
): Promise<Record<string, number>> {
  const durationMs = Math.max(roundMs, quick ? ROUND_MS_MIN.quick : ROUND_MS_MIN.full);
  const arrivalsMs = poissonArrivals(rate, durationMs, seededRandom(seed * 1_000 + round));
  const made = await intents.prepare(arrivalsMs.length);
  const requests = made.map(({ request: { path, headers, body } }) =>
    wireRequest('POST', path, headers, body),
  );
  const numberOf = new Map(made.map(({ transaction }, number) => [transaction, number]));
  const respondedAtMs = new Float64Array(made.length);
  const sentAtMs = new Map<number, number>();
  const allSent = Promise.withResolvers<void>();
  environment.node.onSend((transaction) => {
    const atMs = performance.now();
    const number = numberOf.get(transaction);
    // Repeated sends, also of an earlier round, do not count.
    if (number === undefined || sentAtMs.has(number)) return;
    sentAtMs.set(number, atMs);
    if (sentAtMs.size === made.length) allSent.resolve();
  });
  try {
    let next = 0;
    const { errors, firstError, latenciesMs } = await openLoop({
      port: server.port,
      connections: CONNECTIONS,
      arrivalsMs,
      expectedStatus: 202,
      nextRequest: () => requests[next++],
      onResponse: (number) => {
        respondedAtMs[number] = performance.now();
      },
    });
    if (errors > 0) throw new Error(`${errors} submissions failed, the first: ${firstError}`);
    await within(allSent.promise, () => `${made.length - sentAtMs.size} of ${made.length} were never sent`);
    await untilSettled(environment);
    const sinceResponseMs = [...sentAtMs].map(([number, atMs]) =>
      Math.max(0, atMs - (respondedAtMs[number] ?? 0)),
    );
    return {
      ...percentiles(sinceResponseMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
      ...percentiles(latenciesMs, { responseP50Ms: 0.5, responseP90Ms: 0.9, responseP99Ms: 0.99 }),
    };
  } finally {
    environment.node.onSend(null);
  }
}

async function within(promise: Promise<void>, message: () => string): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message())), SENT_DEADLINE_MS);
  await Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}

/** Waits until every intent has ended: a confirmed one is not sent again in the next round. */
async function untilSettled({ database }: BenchEnvironment): Promise<void> {
  const deadline = AbortSignal.timeout(SENT_DEADLINE_MS);
  for (;;) {
    const [open] = await database`
      select from intent_broadcasts union all select from bench_first_sends limit 1`;
    if (open === undefined) return;
    deadline.throwIfAborted();
    await wait(POLL_MS, deadline);
  }
}
