import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { wireRequest } from '../cases/http-variant.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { residentMib } from './resident-size.ts';

const CONNECTIONS = 32;
const REQUESTS = { quick: 100_000, full: 10_000_000 };
/** Equal parts of the run; the first is warm-up, the growth is judged over the others. */
const PARTS = 10;
const PART_MS_MAX = 600_000;

/** Resident size of the api: idle, and after each tenth of a long run of requests. Growth means a leak. */
export const apiMemory: BenchCase = async ({ quick = false }) => {
  const environment = await createBenchEnvironment();
  try {
    const api = await environment.startApi();
    const idleMib = residentMib(api.pid);
    const request = wireRequest('GET', '/api/v2/tokens', {
      accept: 'application/json',
      'user-agent': 'bench',
    });
    const perPart = (quick ? REQUESTS.quick : REQUESTS.full) / PARTS;
    const sizesMib: number[] = [];
    for (let part = 0; part < PARTS; part += 1) {
      let left = perPart;
      await closedLoop({
        port: api.port,
        connections: CONNECTIONS,
        durationMs: PART_MS_MAX,
        expectedStatus: 200,
        nextRequest: () => {
          left -= 1;
          return left < 0 ? undefined : request;
        },
      });
      sizesMib.push(residentMib(api.pid));
    }
    const rounds = sizesMib.map((residentMibNow, part) => ({
      requests: (part + 1) * perPart,
      residentMib: residentMibNow,
    }));
    const last = sizesMib.at(-1) ?? Number.NaN;
    return {
      name: `resident size of the api over ${perPart * PARTS} requests`,
      figures: [
        { name: 'idle', median: { residentMib: idleMib }, rounds: [{ residentMib: idleMib }] },
        { name: 'after all requests', median: { residentMib: last }, rounds },
      ],
      ratios: { 'resident size, end / after the second tenth': last / (sizesMib[1] ?? Number.NaN) },
    };
  } finally {
    await environment.close();
  }
};
