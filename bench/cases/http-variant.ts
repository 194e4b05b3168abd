import { closedLoop } from '../load/closed-loop.ts';
import { processCpuMs } from '../measurement/process-cpu.ts';
import { quantile, type Variant } from '../measurement/rounds.ts';
import type { BenchServer } from './environment.ts';

export interface HttpVariantOptions {
  name: string;
  server: BenchServer;
  connections: number;
  roundMs: number;
  expectedStatus: number;
  nextRequest(): Uint8Array | undefined;
}

/** Load on one server; throughput, latency and the server's own CPU time per request. */
export function httpVariant(options: HttpVariantOptions): Variant {
  const { name, server, connections, roundMs, expectedStatus, nextRequest } = options;
  return {
    name,
    run: async () => {
      const cpuBeforeMs = processCpuMs(server.pid);
      const load = { port: server.port, connections, durationMs: roundMs, expectedStatus, nextRequest };
      const { responses, durationMs, latenciesMs } = await closedLoop(load);
      const cpuMs = processCpuMs(server.pid) - cpuBeforeMs;
      return {
        requestsPerSecond: (responses * 1000) / durationMs,
        cpuMicrosecondsPerRequest: (cpuMs * 1000) / responses,
        p50Ms: quantile(latenciesMs, 0.5),
        p99Ms: quantile(latenciesMs, 0.99),
      };
    },
  };
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
