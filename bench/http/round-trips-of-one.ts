import { type CaseOptions, sized } from '../cases/case.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { startCountingProxy } from '../measurement/round-trips.ts';
import { median } from '../measurement/statistics.ts';

const COUNTED = { full: 40, quick: 40, shortest: 3 };
const WARMING = { full: 100, quick: 100, shortest: 10 };

/**
 * Round trips to Postgres of one ordinary request of an api of its own, once statements are prepared: the median of
 * several. `prepare` makes `count` requests, each good for one use, and readies the api for them.
 */
export async function roundTripsOfOne(
  environment: BenchEnvironment,
  expectedStatus: number,
  options: CaseOptions,
  prepare: (api: BenchServer, count: number) => Promise<Uint8Array[]>,
): Promise<number> {
  const counted = sized(options, COUNTED);
  const proxy = startCountingProxy(environment.databaseUrl);
  try {
    const api = await environment.startApi({ DATABASE_URL: proxy.url });
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
  } finally {
    proxy.close();
  }
}
