import { closedLoop } from '../load/closed-loop.ts';
import { openLoop } from '../load/open-loop.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
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
   * The first round begins after so many requests, in which hot code is compiled, and each further one after a third of
   * them; without it, the first after one round of them.
   */
  steadyAfter?: number | undefined;
  /** Seed of the arrival times, which are the same for every variant of a round. */
  seed?: number;
}

const OPEN_LOOP_CONNECTIONS = 32;
/** Minimum before a server's first round: its connections to Postgres are open then. */
const WARM_UP_MS_MIN = 150;
/** Size of a portion of a warm-up by requests; the CPU time of the first portion is reported as that of a cold process. */
export const COLD_REQUESTS = 2_000;
/** The number of prepared requests: a faster loop ends early. */
const PREPARED_PER_SECOND = 2_500;

const closedLoopMost = (durationMs: number) => Math.ceil((durationMs * PREPARED_PER_SECOND) / 1000);

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
        await options.prepare?.(closedLoopMost(warmUpMs));
        await closedLoop({ ...load, durationMs: warmUpMs });
      }
      await options.prepare?.(closedLoopMost(roundMs));
      const cpuBeforeMs = processCpuMs(server.pid);
      const { responses, durationMs, latenciesMs } = await closedLoop(load);
      const cpuMs = processCpuMs(server.pid) - cpuBeforeMs;
      const capacity = {
        requestsPerSecond: (responses * 1000) / durationMs,
        cpuMicrosecondsPerRequest: (cpuMs * 1000) / responses,
        ...cold,
      };
      if (ratePerSecond === undefined) return { ...capacity, ...latencyFigures(latenciesMs), errors: 0 };
      return { ...capacity, ...(await openLoopFigures(options, ratePerSecond, round)) };
    },
  };
}

/** Sends that many requests, in portions; returns the CPU time of the first ones. */
async function warmUp(
  { server, connections, expectedStatus, nextRequest, prepare }: HttpVariantOptions,
  requests: number,
): Promise<Record<string, number>> {
  let coldCpuMs: number | undefined;
  for (let sent = 0; sent < requests; sent += COLD_REQUESTS) {
    await prepare?.(COLD_REQUESTS);
    let left = COLD_REQUESTS;
    const next = () => {
      left -= 1;
      return left < 0 ? undefined : nextRequest();
    };
    const before = processCpuMs(server.pid);
    const durationMs = Number.POSITIVE_INFINITY;
    await closedLoop({ port: server.port, connections, durationMs, expectedStatus, nextRequest: next });
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

/** A request as wire bytes. */
export function wireRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Uint8Array {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`);
}
