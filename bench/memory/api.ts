import { createReadGates } from '../../src/http/caches/read-gates.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { storeToken } from '../http/stored-token.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import { measureLongRun, totalOf } from './long-run.ts';

/** As many as the loads of one client that run at a time: more would be refused where loads are slow. */
const CONNECTIONS = Math.floor(createReadGates().reads.options.runningMax / 2);
const REQUESTS = { full: 10_000_000, quick: 50_000, shortest: 2_000 };
const PART_MS_MAX = 600_000;
const TOKENS = 100;
/** One request in this many is not cached and has an API key. */
const PRIVATE_EVERY = 50;

/** Resident size of the api over many requests: cached reads of many tokens, lists, and private reads. */
export const apiMemory: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    const mints: string[] = [];
    for (let number = 0; number < TOKENS; number += 1) mints.push(await storeToken(database));
    const key = await createTestKey(database);
    const api = await environment.startApi();
    const headers = { accept: 'application/json', 'user-agent': 'bench' };
    const paths = [
      ...mints.map((mint) => `/api/v2/tokens/${mint}`),
      '/api/v2/tokens',
      '/api/v2/tokens?limit=5',
    ];
    const publicRequests = paths.map((path) => wireRequest('GET', path, headers));
    const operation = await storeOperation(database, key.accountId);
    const privateRequest = wireRequest('GET', `/api/v2/operations/${operation}`, {
      ...headers,
      ...key.header,
    });
    return await measureLongRun({
      name: 'resident size of the api',
      pid: api.pid,
      unit: 'requests',
      total: totalOf(options, REQUESTS),
      async work(count) {
        let number = 0;
        const { responses } = await closedLoop({
          port: api.port,
          connections: CONNECTIONS,
          durationMs: PART_MS_MAX,
          requests: count,
          expectedStatus: 200,
          nextRequest() {
            number += 1;
            return number % PRIVATE_EVERY === 0
              ? privateRequest
              : publicRequests[number % publicRequests.length];
          },
        });
        if (responses !== count) throw new Error(`only ${responses} of ${count} requests got a response`);
      },
    });
  } finally {
    await environment.close();
  }
};
