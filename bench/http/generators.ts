import { type BenchCase, type CaseResult, ratio } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { hasWrk, runWrk } from '../load/wrk.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { startWithReply } from './read-case.ts';
import { repeatedHeaders } from './response-headers.ts';
import { storeToken } from './stored-token.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 500;

/**
 * The same servers under two independent generators, ours and `wrk`, in turns: the product's `getToken` from its cache,
 * the floor, and a bare server. Without `wrk` ours runs alone.
 */
export const generators: BenchCase = async ({ rounds, roundMs, shortest = false }): Promise<CaseResult> => {
  const environment = await createBenchEnvironment();
  try {
    const mint = await storeToken(environment.database);
    const api = await environment.startApi();
    const path = `/api/v2/tokens/${mint}`;
    const response = await fetch(`http://127.0.0.1:${api.port}${path}`);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`getToken returned ${response.status}: ${body}`);
    const reply = {
      path: '/api/v2/tokens/:mint',
      method: 'GET',
      status: 200,
      headers: repeatedHeaders(Object.fromEntries(response.headers)),
      body,
    };
    const servers = {
      ours: api,
      floor: await startWithReply(environment, reply, { BENCH_FLOOR: 'true' }),
      bare: await startWithReply(environment, reply),
    };
    const bytes = wireRequest('GET', path, {});
    const load = { connections: CONNECTIONS, nextRequest: () => bytes, expectedStatus: 200 };
    const variants = Object.entries(servers).flatMap(([name, { port }]): Variant[] => [
      {
        name: `${name}, own generator`,
        run: async () => {
          const { responses, durationMs } = await closedLoop({ ...load, port, durationMs: roundMs });
          return { requestsPerSecond: (responses * 1_000) / durationMs };
        },
      },
      {
        name: `${name}, wrk`,
        run: async () => ({ ...(await runWrk(`http://127.0.0.1:${port}${path}`, CONNECTIONS, roundMs)) }),
      },
    ]);
    const isInstalled = hasWrk();
    if (!isInstalled) console.log('http/generators: wrk is not installed, so only the own generator runs');
    if (!shortest)
      for (const { port } of Object.values(servers))
        await closedLoop({ ...load, port, durationMs: WARM_UP_MS });
    const chosen = variants.filter(({ name }) => isInstalled || !name.endsWith('wrk'));
    const figures = await alternate(chosen, rounds);
    const throughputRatio = (one: string, other: string) => ratio(figures, one, other, 'requestsPerSecond');
    return {
      name: `two generators on the same servers, closed loops of ${CONNECTIONS}`,
      figures,
      ratios: {
        'throughput, ours / floor, own generator': throughputRatio(
          'ours, own generator',
          'floor, own generator',
        ),
        'throughput, ours / bare, own generator': throughputRatio(
          'ours, own generator',
          'bare, own generator',
        ),
        ...(isInstalled && {
          'throughput, ours / floor, wrk': throughputRatio('ours, wrk', 'floor, wrk'),
          'throughput, ours / bare, wrk': throughputRatio('ours, wrk', 'bare, wrk'),
          'wrk / own generator, on ours': throughputRatio('ours, wrk', 'ours, own generator'),
          'wrk / own generator, on bare': throughputRatio('bare, wrk', 'bare, own generator'),
        }),
      },
    };
  } finally {
    await environment.close();
  }
};
