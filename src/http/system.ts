import type { ApiMetrics } from './metrics.ts';

/** One dependency as `/readyz` reports it. */
export interface Readiness {
  name: string;
  /** A dependency that only degrades the service does not make it unready. */
  required: boolean;
  /** Resolves within a second or so; never rejects. */
  check(): Promise<{ ready: boolean; detail?: string }>;
}

export interface SystemOptions {
  readiness: readonly Readiness[];
  /** Public halves of the keys that sign webhooks as `v1a`, newest first: `whpk_` + base64 of 32 bytes (D13). */
  webhookPublicKeys: readonly string[];
  metrics: Pick<ApiMetrics, 'read' | 'contentType'>;
}

/** Paths outside `/api/v2` (D19): no contract, no rate limit. */
export function systemResponders({ readiness, webhookPublicKeys, metrics }: SystemOptions) {
  return [
    { path: '/healthz', respond: () => Response.json({ status: 'ok' }, noStore(200)) },
    { path: '/readyz', respond: () => readinessResponse(readiness) },
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

async function readinessResponse(readiness: readonly Readiness[]): Promise<Response> {
  const results = await Promise.all(
    readiness.map(async ({ name, required, check }) => ({ name, required, ...(await check()) })),
  );
  const ready = results.every((result) => result.ready || !result.required);
  return Response.json(
    { status: ready ? 'ready' : 'unready', dependencies: results },
    noStore(ready ? 200 : 503),
  );
}

function noStore(status: number): ResponseInit {
  return { status, headers: { 'Cache-Control': 'no-store' } };
}
