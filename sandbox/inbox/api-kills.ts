import { pathOf } from '../../src/http/request-address.ts';
import { isOfThisOrigin } from './api-gateway.ts';
import type { ApiProcess } from './api-process.ts';

/** Longer than a start on a busy machine takes. */
const RESTART_TIMEOUT_MS = 90_000;

/**
 * `POST /api-process/kills`: the page ends the api of its sandbox, and learns how long it was away. Null for other
 * paths; 403 for a request of another site, 409 without an api that is started again.
 */
export async function respondToKill(
  request: Request,
  api: ApiProcess | undefined,
  headers: Record<string, string>,
): Promise<Response | null> {
  if (request.method !== 'POST' || pathOf(request) !== '/api-process/kills') return null;
  if (!isOfThisOrigin(request)) return new Response(null, { status: 403, headers });
  const restart = await api?.kill(AbortSignal.timeout(RESTART_TIMEOUT_MS));
  if (restart) return Response.json(restart, { headers });
  return Response.json({ detail: 'No api of this sandbox was restarted.' }, { status: 409, headers });
}
