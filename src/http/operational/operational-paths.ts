import { createReadinessResponder, livenessResponse, type Readiness } from '../../shared/readiness.ts';
import type { ApiMetrics } from '../observation/metrics.ts';
import type { Draining } from './draining.ts';
import type { OperationalResponder } from './outside-pipeline.ts';
import { type WebhookKeyDependencies, webhookKeyResponders } from './webhook-key-paths.ts';

export interface OperationalPathDependencies {
  readiness: readonly Readiness[];
  draining: Pick<Draining, 'begun'>;
  /** Served on `METRICS_PORT` alone: a proxy may forward every path of this port. */
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
}

/** Adds the keys of webhooks, which only the public api serves. */
export type PublicPathDependencies = OperationalPathDependencies & WebhookKeyDependencies;

/** Paths outside `/api/v2` (contract/processes#outside-paths): no contract, no rate limit. */
export function operationalResponders({
  readiness,
  draining,
}: OperationalPathDependencies): OperationalResponder[] {
  return [
    { path: '/healthz', respond: livenessResponse },
    { path: '/readyz', respond: createReadinessResponder(readiness, draining) },
  ];
}

/** The operational paths, and the public keys that subscribers verify webhook signatures with. */
export function publicResponders(dependencies: PublicPathDependencies): OperationalResponder[] {
  return [...operationalResponders(dependencies), ...webhookKeyResponders(dependencies)];
}
