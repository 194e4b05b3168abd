import { type CaseOptions, sized } from '../cases/case.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { type CountingProxy, startCountingProxy } from '../measurement/round-trips.ts';
import { median } from '../measurement/statistics.ts';

const COUNTED = { full: 40, quick: 40, shortest: 3 };
const WARMING = { full: 100, quick: 100, shortest: 10 };

/** An api and the proxy between it and Postgres. */
export interface CountedApi {
  api: BenchServer;
  proxy: CountingProxy;
}

export async function startCountedApi(environment: BenchEnvironment): Promise<CountedApi> {
  const proxy = startCountingProxy(environment.databaseUrl);
  try {
    return { proxy, api: await environment.startApi({ DATABASE_URL: proxy.url }) };
  } catch (error) {
    proxy.close();
    throw error;
  }
}

/**
 * Round trips to Postgres of one ordinary request, once statements are prepared: the median of several. `prepare` makes
 * `count` requests, each good for one use, and readies the api for them.
 */
export async function roundTripsOfOne(
  { api, proxy }: CountedApi,
  expectedStatus: number,
  options: CaseOptions,
  prepare: (api: BenchServer, count: number) => Promise<Uint8Array[]>,
): Promise<number> {
  const counted = sized(options, COUNTED);
  const requests = await prepare(api, sized(options, WARMING) + counted);
  const send = (some: Uint8Array[]) =>
    closedLoop({ port: api.port, connections: 1, expectedStatus, nextRequest: () => some.pop() });
  await send(requests.splice(counted));
  const counts: number[] = [];
  for (const request of requests) {
    const before = proxy.roundTrips();
    await send([request]);
    counts.push(proxy.roundTrips() - before);
  }
  return median(counts);
}
