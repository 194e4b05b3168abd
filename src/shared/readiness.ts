import { coalesced } from './coalesced.ts';

/** One dependency in the report of `/readyz`. */
export interface Readiness {
  name: string;
  /** False for a dependency whose loss only degrades the service. */
  required: boolean;
  /** Resolves within about a second; never rejects. */
  check(): Promise<{ ready: boolean; detail?: string }>;
}

const CHECK_TIMEOUT_MS = 1_000;

/**
 * A check that calls a dependency: not ready when `ask` times out, rejects, or resolves to a sentence with
 * the reason. `reasonOf` converts known errors to such a sentence.
 */
export async function checkByAsking(
  // biome-ignore lint/suspicious/noConfusingVoidType: most callbacks resolve to nothing.
  ask: () => Promise<string | null | void>,
  reasonOf: (error: unknown) => string | null = () => null,
): Promise<{ ready: boolean; detail?: string }> {
  const deadline = Promise.withResolvers<{ ready: false; detail: string }>();
  const timer = setTimeout(
    () => deadline.resolve({ ready: false, detail: 'no answer in time' }),
    CHECK_TIMEOUT_MS,
  );
  const answer = ask().then(
    (reason) => (typeof reason === 'string' ? { ready: false, detail: reason } : { ready: true }),
    (error: unknown) => ({ ready: false, detail: reasonOf(error) ?? 'cannot be reached' }),
  );
  return Promise.race([answer, deadline.promise]).finally(() => clearTimeout(timer));
}

/** The response of `/healthz`: the process is alive. */
export function livenessResponse(): Response {
  return Response.json({ status: 'ok' }, noStore(200));
}

/** Dependencies are checked at most this often, whatever the number of requests. */
const MEMORY_MS = 1_000;

/**
 * Responds to `/readyz`: 503 while a required dependency is unavailable, and from the stop signal until the
 * server stops accepting.
 */
export function createReadinessResponder(
  readiness: readonly Readiness[],
  draining: { readonly begun: boolean } = { begun: false },
): () => Promise<Response> {
  const ask = coalesced(() => report(readiness), MEMORY_MS);
  return async () => {
    const { status, dependencies } = draining.begun ? STOPPING : await ask();
    return Response.json({ status, dependencies }, noStore(status === 'ready' ? 200 : 503));
  };
}

const STOPPING = { status: 'stopping', dependencies: [] } as const;

async function report(readiness: readonly Readiness[]) {
  const dependencies = await Promise.all(
    readiness.map(async ({ name, required, check }) => ({ name, required, ...(await check()) })),
  );
  const ready = dependencies.every((dependency) => dependency.ready || !dependency.required);
  return { status: ready ? 'ready' : 'unready', dependencies };
}

function noStore(status: number): ResponseInit {
  return { status, headers: { 'Cache-Control': 'no-store' } };
}
