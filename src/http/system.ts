import {
  drainingResponse,
  livenessResponse,
  type Readiness,
  readinessResponse,
} from '../shared/readiness.ts';
import type { Draining } from './draining.ts';
import type { ApiMetrics } from './metrics.ts';

export interface SystemOptions {
  readiness: readonly Readiness[];
  draining: Pick<Draining, 'begun'>;
  /** Public halves of the keys that sign webhooks as `v1a`, newest first: `whpk_` + base64 of 32 bytes (contract/webhooks#public-keys). */
  webhookPublicKeys: readonly string[];
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
}

/** Paths outside `/api/v2` (contract/processes#outside-paths): no contract, no rate limit. */
export function systemResponders({ readiness, draining, webhookPublicKeys, metrics }: SystemOptions) {
  return [
    { path: '/healthz', respond: livenessResponse },
    { path: '/readyz', respond: () => (draining.begun ? drainingResponse() : readinessResponse(readiness)) },
    {
      path: '/metrics',
      respond: async () =>
        new Response(await metrics.read(), { headers: { 'Content-Type': metrics.contentType } }),
    },
    {
      path: '/.well-known/webhook-public-keys',
      respond: () =>
        Response.json(
          { keys: webhookPublicKeys.map((key) => ({ algorithm: 'ed25519', key })) },
          { headers: { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' } },
        ),
    },
  ] satisfies { path: string; respond(): Response | Promise<Response> }[];
}
