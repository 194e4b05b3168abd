/** One dependency as `/readyz` reports it. */
export interface Readiness {
  name: string;
  /** A dependency that only degrades the service does not make it unready. */
  required: boolean;
  /** Resolves within a second or so; never rejects. */
  check(): Promise<{ ready: boolean; detail?: string }>;
}

const CHECK_TIMEOUT_MS = 1_000;

/**
 * A check that asks a dependency: ready when `ask` resolves in time, and not to a sentence that says why it cannot be
 * used. `reasonOf` turns an error into such a sentence where it knows one.
 */
export async function checkByAsking(
  ask: () => Promise<unknown>,
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

/** The answer of `/healthz`: the process is alive. */
export function livenessResponse(): Response {
  return Response.json({ status: 'ok' }, noStore(200));
}

/** The answer of `/readyz`: 503 while a required dependency is away. */
export async function readinessResponse(readiness: readonly Readiness[]): Promise<Response> {
  const results = await Promise.all(
    readiness.map(async ({ name, required, check }) => ({ name, required, ...(await check()) })),
  );
  const ready = results.every((result) => result.ready || !result.required);
  return Response.json(
    { status: ready ? 'ready' : 'unready', dependencies: results },
    noStore(ready ? 200 : 503),
  );
}

/** The answer of `/readyz` between the signal to stop and the end of accepting. */
export function drainingResponse(): Response {
  return Response.json({ status: 'stopping', dependencies: [] }, noStore(503));
}

function noStore(status: number): ResponseInit {
  return { status, headers: { 'Cache-Control': 'no-store' } };
}
