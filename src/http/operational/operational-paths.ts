import { createReadinessResponder, livenessResponse, type Readiness } from '../../shared/readiness.ts';
import { isLoopback } from '../access/client-address.ts';
import { hasForwardedHeaders } from '../access/forwarding-watch.ts';
import type { ApiMetrics } from '../observation/metrics.ts';
import type { Draining } from './draining.ts';
import type { OperationalResponder } from './outside-pipeline.ts';
import { type WebhookKeyDependencies, webhookKeyResponders } from './webhook-key-paths.ts';

/** What the paths beside the contract report. */
export interface OperationalPathDependencies {
  readiness: readonly Readiness[];
  draining: Pick<Draining, 'begun'>;
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
  /** Metrics have a port of their own: this one does not show them to anybody. */
  hasMetricsPort: boolean;
}

/** As above, of the public api. */
export type PublicPathDependencies = OperationalPathDependencies & WebhookKeyDependencies;

/**
 * Paths outside `/api/v2` (contract/processes#outside-paths): no contract, no rate limit; checks that cost something
 * run once a second at most.
 */
export function operationalResponders({
  readiness,
  draining,
  metrics,
  hasMetricsPort,
}: OperationalPathDependencies): OperationalResponder[] {
  const isHidden = (request: Request, peerAddress: () => string) =>
    // A proxy on this machine asks on behalf of others.
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

/** Those, and the keys that subscribers of webhooks verify signatures with. */
export function publicResponders(dependencies: PublicPathDependencies): OperationalResponder[] {
  return [...operationalResponders(dependencies), ...webhookKeyResponders(dependencies)];
}
