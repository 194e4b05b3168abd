import type { AttemptResult } from '../model/attempt-result.ts';
import type { EndpointCache } from './endpoint-cache.ts';

/**
 * Pauses the endpoint in memory as its response asks for, before the database says so: what waits must not be sent meanwhile.
 * Returns what to call when the result is recorded; null without a pause.
 */
export function notePause(
  cache: EndpointCache,
  { claim, verdict }: AttemptResult,
  nowMs: number,
): (() => void) | null {
  const { gone, pauseMs } = verdict;
  if (!gone && pauseMs === null) return null;
  return cache.pause(claim.endpoint.id, gone ? Number.POSITIVE_INFINITY : nowMs + (pauseMs ?? 0));
}
