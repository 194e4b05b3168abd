import type { AttemptResult } from '../results/attempt-result.ts';
import type { EndpointCache } from './endpoint-cache.ts';

/**
 * Pauses the endpoint in memory as its response asks for, before the database says so: what waits must not be sent meanwhile.
 * Returns whether it did.
 */
export function notePause(cache: EndpointCache, { claim, verdict }: AttemptResult, nowMs: number): boolean {
  if (verdict.pauseMs !== null) cache.pause(claim.endpoint.id, nowMs + verdict.pauseMs);
  if (verdict.gone) cache.pause(claim.endpoint.id, Number.POSITIVE_INFINITY);
  return verdict.pauseMs !== null || verdict.gone;
}
