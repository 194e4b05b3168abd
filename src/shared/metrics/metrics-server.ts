import { listening } from '../listen.ts';
import { createReadinessResponder, livenessResponse, type Readiness } from '../readiness.ts';
import type { ProcessMetrics } from './process-metrics.ts';

export interface MetricsServerOptions {
  /** 0 picks a free port. */
  port: number;
  hostname: string;
  metrics: Pick<ProcessMetrics, 'read' | 'contentType'>;
  readiness: readonly Readiness[];
  draining?: { readonly begun: boolean };
}

export interface MetricsServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` on a port that only operators reach. Throws ConfigurationError
 * when the port is taken.
 */
export function startMetricsServer({
  port,
  hostname,
  metrics,
  readiness,
  draining,
}: MetricsServerOptions): MetricsServer {
  const serve = () =>
    Bun.serve({
      port,
      hostname,
      routes: {
        '/healthz': { GET: livenessResponse },
        '/readyz': { GET: createReadinessResponder(readiness, draining) },
        '/metrics': {
          GET: async () =>
            new Response(await metrics.read(), { headers: { 'Content-Type': metrics.contentType } }),
        },
      },
      fetch: () => new Response('not found\n', { status: 404 }),
      error: () => new Response('failed\n', { status: 500 }),
    });
  const server = listening('METRICS_PORT', { host: hostname, port }, serve);
  return { port: server.port ?? port, stop: () => server.stop(true) };
}
