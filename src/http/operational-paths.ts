import { createReadinessResponder, livenessResponse, type Readiness } from '../shared/readiness.ts';
import { isLoopback } from './client-address.ts';
import type { Draining } from './draining.ts';
import { hasForwardedHeaders } from './forwarding-watch.ts';
import type { ApiMetrics } from './metrics.ts';
import { webhookKeySet } from './webhook-key-set.ts';

/** What the paths beside the contract report. */
export interface OperationalPathDependencies {
  readiness: readonly Readiness[];
  draining: Pick<Draining, 'begun'>;
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
  /** Metrics have a port of their own: this one does not show them to anybody. */
  hasMetricsPort: boolean;
}

/** As above, of the public api. */
export interface PublicPathDependencies extends OperationalPathDependencies {
  /**
   * Public halves of the keys that sign webhooks as `v1a`, newest first: `whpk_` + base64 of 32 bytes
   * (contract/webhooks#public-keys).
   */
  webhookPublicKeys: readonly string[];
}

/** Anybody may read the keys, and keep them for five minutes. */
const publicKeyHeaders = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

export interface OperationalResponder {
  path: string;
  /** Null: for this client there is no such path. */
  respond(request: Request, peerAddress: () => string): Response | null | Promise<Response>;
}

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
export function publicResponders({
  webhookPublicKeys,
  ...dependencies
}: PublicPathDependencies): OperationalResponder[] {
  return [
    ...operationalResponders(dependencies),
    {
      path: '/.well-known/webhook-public-keys',
      respond: () =>
        Response.json(
          { keys: webhookPublicKeys.map((key) => ({ algorithm: 'ed25519', key })) },
          { headers: publicKeyHeaders },
        ),
    },
    {
      path: '/.well-known/jwks.json',
      respond: () =>
        Response.json(webhookKeySet(webhookPublicKeys), {
          headers: { ...publicKeyHeaders, 'Content-Type': 'application/jwk-set+json' },
        }),
    },
  ];
}
