import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { eventually } from '../../test/support/run/eventually.ts';
import type { BenchCase } from '../cases/case.ts';
import { type BenchServer, createBenchEnvironment } from '../cases/environment.ts';
import { allocationVariables } from '../cases/profiler-variables.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { storeToken } from '../http/stored-token.ts';
import { countAllocations } from '../profile/read-allocations.ts';

const WARM_UP = 50;
const REQUESTS = 500;
const READINGS = 3;
const WRITTEN_WITHIN_MS = 60_000;

/**
 * Objects that the api allocates for a request: each costs time now, and again when it is collected. Counted, not timed,
 * so a busy machine changes nothing but some objects of its timers.
 */
export const countedAllocations: BenchCase = async () => {
  const environment = await createBenchEnvironment();
  try {
    const { database, folder } = environment;
    const mint = await storeToken(database);
    const key = await createTestKey(database);
    const operation = await storeOperation(database, key.accountId);
    const file = join(folder, 'api.allocations.json');
    const api = await environment.startApi(allocationVariables(file));
    const count = (path: string, headers?: Record<string, string>) =>
      countRequests(api, file, { path: `/api/v2${path}`, headers });
    const window = 'interval=1m&from=2026-01-01T00:00:00.000Z&to=2026-01-01T16:40:00.000Z';
    const figures = {
      cachedRead: await count(`/tokens/${mint}`),
      cachedReadWithQuery: await count(`/tokens/${mint}/candles?${window}`),
      readWithKey: await count(`/operations/${operation}`, key.header),
    };
    return {
      name: `objects that the api allocates for a request, of ${REQUESTS}`,
      figures: [{ name: 'ours', median: figures, rounds: [figures] }],
      ratios: {
        'objects of a cached read': figures.cachedRead,
        'objects of a cached read with a query': figures.cachedReadWithQuery,
        'objects of a read with a key, and of its line in the log': figures.readWithKey,
      },
    };
  } finally {
    await environment.close();
  }
};

async function countRequests(
  { pid, port }: BenchServer,
  file: string,
  { path, headers = {} }: { path: string; headers?: Record<string, string> | undefined },
): Promise<number> {
  const request = async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    await response.arrayBuffer();
  };
  for (let at = 0; at < WARM_UP; at += 1) await request();
  let least = Number.POSITIVE_INFINITY;
  // What the api does by itself meanwhile only adds, and the more the slower the machine is.
  for (let readings = 0; readings < READINGS; ) {
    await addedObjects(pid, file);
    for (let at = 0; at < REQUESTS; at += 1) await request();
    const { objects, requests } = await addedObjects(pid, file);
    if (requests < REQUESTS) throw new Error(`the api counted ${requests} requests, not ${REQUESTS}`);
    // Its metrics were scraped meanwhile, as they are every 15 s.
    if (requests > REQUESTS) continue;
    readings += 1;
    least = Math.min(least, objects / requests);
  }
  return least;
}

/** Objects that the process has allocated since the last call. */
async function addedObjects(pid: number, file: string): Promise<ReturnType<typeof countAllocations>> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await eventually('the api wrote what it allocated', () => Bun.file(file).exists(), WRITTEN_WITHIN_MS);
  return countAllocations(await Bun.file(file).text());
}
