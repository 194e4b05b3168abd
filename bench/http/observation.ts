import { join } from 'node:path';
import { type BenchCase, type CaseResult, ratio, valuesOf } from '../cases/case.ts';
import {
  type BenchEnvironment,
  type BenchServer,
  createBenchEnvironment,
  type ObservedServer,
} from '../cases/environment.ts';
import { httpVariant } from '../cases/http-variant.ts';
import { wireRequest } from '../load/wire-request.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { pairedDifference } from '../measurement/statistics.ts';
import { createIntentSource, readIntents } from './prepared-intents.ts';
import { storeToken } from './stored-token.ts';

const READ_CONNECTIONS = 32;
const SUBMISSION_CONNECTIONS = 8;
/** Compilation is over after this number of requests, as in `http/submission`. */
const STEADY_AFTER = 12_000;

const PRODUCTION = 'as in production';
const NO_LOG = 'without log';
const ALL_LOGGED = 'every read logged';
const NO_METRICS = 'without metrics';
const SETTINGS: Readonly<Record<string, Record<string, string>>> = {
  [PRODUCTION]: {},
  [NO_LOG]: { LOG_LEVEL: 'silent' },
  [NO_METRICS]: { BUN_OPTIONS: `--preload ${join(import.meta.dir, '../servers/without-metrics.ts')}` },
};

const variantName = (request: string, setting: string) => `${request}, ${setting}`;

/**
 * The cost of the access log and of the metrics: a cached read and a submission at apis that differ only in these. Every
 * other case measures with both, as in production.
 */
export const observation: BenchCase = async (options): Promise<CaseResult> => {
  const { rounds, roundMs, quick = false, shortest = false } = options;
  const environment = await createBenchEnvironment();
  try {
    const mint = await storeToken(environment.database);
    const source = await createIntentSource(environment.database);
    const read = wireRequest('GET', `/api/v2/tokens/${mint}`, { accept: 'application/json' });
    const variants: Variant[] = [];
    /** In the shortest run the settings of the log share one api, because each start takes a second of CPU time. */
    let shared: ObservedServer | undefined;
    const readVariant = (setting: string, server: BenchServer) =>
      httpVariant({
        name: variantName('read', setting),
        server,
        connections: READ_CONNECTIONS,
        roundMs,
        expectedStatus: 200,
        warmsUp: !shortest,
        nextRequest: () => read,
      });
    for (const [setting, variables] of Object.entries(SETTINGS)) {
      const api = setting === NO_LOG && shared !== undefined ? shared : await environment.startApi(variables);
      if (shortest) shared ??= api;
      await requireMetrics(api, setting !== NO_METRICS);
      let ready: Uint8Array[] = [];
      variants.push(
        readVariant(setting, api),
        httpVariant({
          name: variantName('submission', setting),
          server: api,
          connections: SUBMISSION_CONNECTIONS,
          roundMs,
          expectedStatus: 202,
          warmsUp: !shortest,
          steadyAfter: quick ? undefined : STEADY_AFTER,
          async prepare(count) {
            const intents = (await source.prepare(count)).map(({ request }) => request);
            await readIntents(api.port, source.key.header, intents);
            ready = intents.map(({ path, headers, body }) => wireRequest('POST', path, headers, body));
          },
          nextRequest: () => ready.pop(),
        }),
      );
    }
    const loggingApi = shared ?? (await environment.startApi({ ACCESS_LOG: 'all' }));
    variants.push(readVariant(ALL_LOGGED, loggingApi));
    const figures = await alternate(variants, rounds);
    await requireStored(environment);
    const cpuDifference = (request: string, setting: string, less: string) =>
      pairedDifference(
        valuesOf(figures, variantName(request, setting), 'cpuMicrosecondsPerRequest'),
        valuesOf(figures, variantName(request, less), 'cpuMicrosecondsPerRequest'),
      );
    const throughputRatio = (request: string, setting: string) =>
      ratio(figures, variantName(request, PRODUCTION), variantName(request, setting), 'requestsPerSecond');
    return {
      name: 'access log and metrics: a cached read and a submission with and without',
      figures,
      ratios: {
        'CPU of the log of a read, µs': cpuDifference('read', PRODUCTION, NO_LOG),
        'CPU of the log of a read under ACCESS_LOG=all, µs': cpuDifference('read', ALL_LOGGED, NO_LOG),
        'CPU of the metrics of a read, µs': cpuDifference('read', PRODUCTION, NO_METRICS),
        'CPU of the log of a submission, µs': cpuDifference('submission', PRODUCTION, NO_LOG),
        'CPU of the metrics of a submission, µs': cpuDifference('submission', PRODUCTION, NO_METRICS),
        'throughput of reads, as in production / without log': throughputRatio('read', NO_LOG),
        'throughput of reads, as in production / without metrics': throughputRatio('read', NO_METRICS),
        'throughput of submissions, as in production / without log': throughputRatio('submission', NO_LOG),
        'throughput of submissions, as in production / without metrics': throughputRatio(
          'submission',
          NO_METRICS,
        ),
      },
    };
  } finally {
    await environment.close();
  }
};

/** Proves that requests are counted, or that they are not. */
async function requireMetrics({ port, metricsPort }: ObservedServer, isCounted: boolean): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}/api/v2/tokens`)).arrayBuffer();
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  if (/^launchwire_http_requests_total\{/m.test(text) !== isCounted)
    throw new Error(isCounted ? 'the api counts no requests' : 'the api counts requests');
}

async function requireStored({ database }: BenchEnvironment): Promise<void> {
  const [row] = await database<{ count: number }[]>`
    select count(*)::int as count from transaction_intents where status <> 'prepared'`;
  if (row === undefined || row.count === 0) throw new Error('no submission was stored');
}
