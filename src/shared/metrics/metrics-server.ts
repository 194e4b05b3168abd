import { livenessResponse, type Readiness, readinessResponse } from '../readiness.ts';
import type { ProcessMetrics } from './process-metrics.ts';

export interface MetricsServerOptions {
  /** 0 picks a free one. */
  port: number;
  hostname: string;
  metrics: ProcessMetrics;
  readiness: readonly Readiness[];
}

export interface MetricsServer {
  port: number;
  stop(): Promise<void>;
}

/** `/healthz`, `/readyz` and `/metrics` of a process that serves nothing else (worker, relay). */
export function startMetricsServer({
  port,
  hostname,
  metrics,
  readiness,
}: MetricsServerOptions): MetricsServer {
  const server = Bun.serve({
    port,
    hostname,
    routes: {
      '/healthz': { GET: livenessResponse },
      '/readyz': { GET: () => readinessResponse(readiness) },
      '/metrics': {
        GET: async () =>
          new Response(await metrics.read(), { headers: { 'Content-Type': metrics.contentType } }),
      },
    },
    fetch: () => new Response('not found\n', { status: 404 }),
    error: () => new Response('failed\n', { status: 500 }),
  });
  return { port: server.port ?? port, stop: () => server.stop(true) };
}
