import { closedLoop } from '../load/closed-loop.ts';
import { openLoop } from '../load/open-loop.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { processCpu, processCpuMs } from '../measurement/process-cpu.ts';
import type { Variant } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import type { BenchServer } from './environment.ts';

export interface HttpVariantOptions {
  name: string;
  server: BenchServer;
  connections: number;
  roundMs: number;
  expectedStatus: number;
  /** False: the first round measures a cold server. */
  warmsUp: boolean;
  /** Undefined ends a closed loop early; an open loop fails. */
  nextRequest(): Uint8Array | undefined;
  /** Runs untimed before every phase, for requests that can be sent only once. At most `requests` of them are needed. */
  prepare?(requests: number): Promise<void>;
  /** Adds a second half of the round: open-loop load at this rate, from which the latencies then come. */
  ratePerSecond?: number;
  /** Connections of the open loop; 32 by default. */
  openLoopConnections?: number;
  /**
   * Number of requests before the first round, in which the engine compiles hot code; before each further round a third
   * of it. If unset, the first round begins after an untimed one.
   */
  steadyAfter?: number | undefined;
  /** Seed of the arrival times, which are the same for every variant of a round. */
  seed?: number;
}

const OPEN_LOOP_CONNECTIONS = 32;
/** Minimum length of a warm-up, after which a server's connections to Postgres are open. */
const WARM_UP_MS_MIN = 150;
/** A warm-up is sent in batches of this size. The CPU time of the first batch is reported as that of a cold process. */
export const COLD_REQUESTS = 2_000;
/** Prepared requests for each second of a closed loop; a server that is faster ends the loop early. */
const PREPARED_PER_SECOND = 2_500;

const preparedRequests = (durationMs: number) => Math.ceil((durationMs * PREPARED_PER_SECOND) / 1000);

/**
 * Load on one server. Capacity (`requestsPerSecond`) and the server's own CPU time per request come from a closed loop,
 * latencies from an open loop when `ratePerSecond` is set, else from the closed one. Any error fails the case.
 */
export function httpVariant(options: HttpVariantOptions): Variant {
  const { name, server, connections, roundMs, expectedStatus, nextRequest, ratePerSecond } = options;
  let round = 0;
  let cold: Record<string, number> = {};
  return {
    name,
    run: async () => {
      round += 1;
      const load = { port: server.port, connections, durationMs: roundMs, expectedStatus, nextRequest };
      if (options.steadyAfter !== undefined) {
        // While other variants run, the engine discards code that is not called.
        const first = await warmUp(options, round === 1 ? options.steadyAfter : options.steadyAfter / 3);
        if (round === 1) cold = first;
      } else if (round === 1 && options.warmsUp) {
        const warmUpMs = Math.max(WARM_UP_MS_MIN, roundMs);
        await options.prepare?.(preparedRequests(warmUpMs));
        await closedLoop({ ...load, durationMs: warmUpMs });
      }
      await options.prepare?.(preparedRequests(roundMs));
      const before = processCpu(server.pid);
      const { responses, durationMs, latenciesMs } = await closedLoop(load);
      const after = processCpu(server.pid);
      const capacity = {
        requestsPerSecond: (responses * 1000) / durationMs,
        cpuMicrosecondsPerRequest: ((after.allMs - before.allMs) * 1000) / responses,
        mainThreadCpuMicrosecondsPerRequest: ((after.mainMs - before.mainMs) * 1000) / responses,
        ...cold,
      };
      if (ratePerSecond === undefined) return { ...capacity, ...latencyFigures(latenciesMs), errors: 0 };
      return { ...capacity, ...(await openLoopFigures(options, ratePerSecond, round)) };
    },
  };
}

/** Sends `requests` requests in batches; returns the CPU time of the first batch. */
async function warmUp(
  { server, connections, expectedStatus, nextRequest, prepare }: HttpVariantOptions,
  requests: number,
): Promise<Record<string, number>> {
  let coldCpuMs: number | undefined;
  for (let sent = 0; sent < requests; sent += COLD_REQUESTS) {
    await prepare?.(COLD_REQUESTS);
    const before = processCpuMs(server.pid);
    await closedLoop({
      port: server.port,
      connections,
      requests: COLD_REQUESTS,
      expectedStatus,
      nextRequest,
    });
    coldCpuMs ??= processCpuMs(server.pid) - before;
  }
  return coldCpuMs === undefined ? {} : { coldCpuMicrosecondsPerRequest: (coldCpuMs * 1000) / COLD_REQUESTS };
}

async function openLoopFigures(
  options: HttpVariantOptions,
  ratePerSecond: number,
  round: number,
): Promise<Record<string, number>> {
  const { name, server, roundMs, expectedStatus, nextRequest, openLoopConnections, seed = 1 } = options;
  const arrivalsMs = poissonArrivals(ratePerSecond, roundMs, seededRandom(seed * 1_000 + round));
  await options.prepare?.(arrivalsMs.length);
  const { latenciesMs, generatorLagsMs, errors, firstError } = await openLoop({
    port: server.port,
    connections: openLoopConnections ?? OPEN_LOOP_CONNECTIONS,
    arrivalsMs,
    nextRequest,
    expectedStatus,
  });
  if (errors > 0) throw new Error(`${name}: ${errors} errors, the first: ${firstError}`);
  if (latenciesMs.length === 0) throw new Error(`${name}: no request was due`);
  return {
    ...latencyFigures(latenciesMs),
    errors,
    ...percentiles(generatorLagsMs, { generatorLagP99Ms: 0.99 }),
  };
}

function latencyFigures(latenciesMs: readonly number[]): Record<string, number> {
  const shares = { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99, p999Ms: 0.999 };
  const maxMs = latenciesMs.reduce((most, latency) => Math.max(most, latency), 0);
  return { ...percentiles(latenciesMs, shares), maxMs };
}
