import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { startCountingProxy } from '../measurement/round-trips.ts';
import { median } from '../measurement/statistics.ts';

const COUNTED = 40;
const WARMING = 100;

/**
 * Round trips to Postgres of one ordinary request of an api of its own, once statements are prepared: the median of
 * several. `prepare` makes that many requests, each good for one use, and readies the api for them.
 */
export async function roundTripsOfOne(
  environment: BenchEnvironment,
  expectedStatus: number,
  prepare: (api: BenchServer, count: number) => Promise<Uint8Array[]>,
): Promise<number> {
  const proxy = startCountingProxy(environment.databaseUrl);
  try {
    const api = await environment.startApi({ DATABASE_URL: proxy.url });
    const requests = await prepare(api, WARMING + COUNTED);
    const send = (some: Uint8Array[]) =>
      closedLoop({
        port: api.port,
        connections: 1,
        durationMs: Number.POSITIVE_INFINITY,
        expectedStatus,
        nextRequest: () => some.pop(),
      });
    await send(requests.splice(COUNTED));
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
