import { createReadinessResponder, livenessResponse, type Readiness } from '../../shared/readiness.ts';
import { isLoopback } from '../access/client-address.ts';
import { hasForwardedHeaders } from '../access/forwarding-watch.ts';
import type { ApiMetrics } from '../observation/metrics.ts';
import type { Draining } from './draining.ts';
import type { OperationalResponder } from './outside-pipeline.ts';
import { type WebhookKeyDependencies, webhookKeyResponders } from './webhook-key-paths.ts';

export interface OperationalPathDependencies {
  readiness: readonly Readiness[];
  draining: Pick<Draining, 'begun'>;
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
  /** Metrics have a port of their own: this port then hides them. */
  hasMetricsPort: boolean;
}

/** Adds the keys of webhooks, which only the public api serves. */
export type PublicPathDependencies = OperationalPathDependencies & WebhookKeyDependencies;

/**
 * Paths outside `/api/v2` (contract/processes#outside-paths): no contract, no rate limit; expensive checks
 * run at most once a second.
 */
export function operationalResponders({
  readiness,
  draining,
  metrics,
  hasMetricsPort,
}: OperationalPathDependencies): OperationalResponder[] {
  const isHidden = (request: Request, peerAddress: () => string) =>
    // A proxy on this machine forwards requests of other clients.
    hasMetricsPort || !isLoopback(peerAddress()) || hasForwardedHeaders(request);
  return [
    { path: '/healthz', respond: livenessResponse },
    { path: '/readyz', respond: createReadinessResponder(readiness, draining) },
    {
      path: '/metrics',
      respond: (request, peerAddress) =>
        isHidden(request, peerAddress)
          ? null
          : metrics
              .read()
              .then((text) => new Response(text, { headers: { 'Content-Type': metrics.contentType } })),
    },
  ];
}

/** The operational paths, and the public keys that subscribers verify webhook signatures with. */
export function publicResponders(dependencies: PublicPathDependencies): OperationalResponder[] {
  return [...operationalResponders(dependencies), ...webhookKeyResponders(dependencies)];
}
