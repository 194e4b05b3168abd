import type { Answer } from './attempt.ts';
import type { OperationName, Schemas } from './operations.ts';
import { pause } from './pause.ts';
import type { CallOptions } from './request.ts';
import { parseRetryAfter } from './retry.ts';

type Read = (
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
) => Promise<Answer>;

/** What a wait takes. `AbortSignal.timeout(60_000)` limits it. */
export type WaitOptions = Pick<CallOptions, 'signal' | 'maxRetries'>;

/** Seconds of `Prefer: wait`, below the limit of one attempt. */
const HELD_SECONDS = 20;
const ATTEMPT_TIMEOUT_MS = 30_000;
const POLL_SECONDS = 2;
/** A request that ends sooner without a change was not held. */
const HELD_MIN_MS = 1_000;

const endedIntents: ReadonlySet<string> = new Set(['confirmed', 'failed', 'expired']);
const endedOperations: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

/** Returns the intent once it is `confirmed`, `failed` or `expired`. */
export async function waitForIntent(
  read: Read,
  intentId: string,
  options: WaitOptions,
): Promise<Schemas['TransactionIntent']> {
  let known: number | undefined;
  return waitUntil<Schemas['TransactionIntent']>(
    async (headers) => {
      // With the version that we hold, no change between two requests is missed.
      const held: Record<string, string> =
        known === undefined ? headers : { ...headers, 'If-None-Match': `"${known}"` };
      const answer = await read('getTransactionIntent', { intentId }, { ...options, ...attemptOf(held) });
      known = (answer.body as Schemas['TransactionIntent']).version;
      return answer;
    },
    ({ status }) => endedIntents.has(status),
    options.signal,
  );
}

/** Returns the operation once it is `succeeded`, `failed` or `cancelled`. */
export async function waitForOperation(
  read: Read,
  operationId: string,
  options: WaitOptions,
): Promise<Schemas['Operation']> {
  return waitUntil<Schemas['Operation']>(
    (headers) => read('getOperation', { operationId }, { ...options, ...attemptOf(headers) }),
    ({ status }) => endedOperations.has(status),
    options.signal,
  );
}

/**
 * Holds requests with `Prefer: wait`. Where the service has no room for that, or lets go at once because it is going to
 * stop, asks again after `Retry-After`.
 */
async function waitUntil<Body extends { status: string; version?: number }>(
  look: (headers: Record<string, string>) => Promise<Answer>,
  isEnd: (body: Body) => boolean,
  signal: AbortSignal | undefined,
): Promise<Body> {
  let last = '';
  for (;;) {
    const askedAtMs = Date.now();
    const answer = await look({ Prefer: `wait=${HELD_SECONDS}` });
    const body = answer.body as Body;
    if (isEnd(body)) return body;
    const state = `${body.status} ${body.version}`;
    const isNew = state !== last;
    last = state;
    const isHeld =
      answer.headers.has('Preference-Applied') && (isNew || Date.now() - askedAtMs >= HELD_MIN_MS);
    if (!isHeld) await pause(Math.max(1, retryAfterOf(answer)) * 1000, signal);
  }
}

function retryAfterOf({ headers }: Answer): number {
  return parseRetryAfter(headers.get('Retry-After'), Date.now()) ?? POLL_SECONDS;
}

function attemptOf(headers: Record<string, string>): CallOptions {
  return { headers, timeoutMs: ATTEMPT_TIMEOUT_MS };
}
