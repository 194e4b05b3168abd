import { type Answer, attempt, type PreparedRequest } from './attempt.ts';
import { isInBrowser } from './browser.ts';
import { ProblemError } from './errors.ts';
import { operationTable } from './generated/operation-table.ts';
import type { OperationName, Upload } from './operations.ts';
import type { Pace } from './pace.ts';
import { pause } from './pause.ts';
import { type RetryOptions, retryDelay } from './retry.ts';
import { newUuid } from './uuid.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its pauses and its retries; the call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Limit of one attempt in milliseconds. 30,000 by default; the service itself responds within 27 s. */
  timeoutMs?: number | undefined;
  /** How often a request is repeated after its first attempt, for example 0. 14 by default, over at least 26 s. */
  maxRetries?: number | undefined;
  /** The longest `Retry-After` that a call waits for, in milliseconds. 60,000 by default. */
  maxDelayMs?: number | undefined;
  /** Names a change, 8 to 128 printable characters. By default new for every call, and kept over its retries. */
  idempotencyKey?: string | undefined;
  /** The version that a change is meant for. By default it is read from the record first. */
  ifMatch?: number | undefined;
  /**
   * Seconds for which the service may hold its response until the record changes (`Prefer: wait`): 1 to 25, and less than
   * `timeoutMs`. For operations that document it, such as `submitTransactionIntent`.
   */
  waitSeconds?: number | undefined;
  /**
   * Reads what is there now, past every cache (`Cache-Control: no-cache`): for an anonymous read that follows a message of
   * a stream, an event or a wait, and must not lack what that told.
   */
  fresh?: boolean | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A transport to one deployment. */
export interface Transport {
  /** Ends in `/api/v2`. */
  baseUrl: string;
  apiKey: string | undefined;
  fetch: typeof fetch;
  timeoutMs: number;
  retries: RetryOptions;
  pace: Pace;
}

interface Route {
  method: string;
  path: string;
  anonymous?: true;
  versioned?: true;
  body?: true;
  upload?: true;
}

export function routeOf(operation: OperationName): Route {
  return operationTable[operation];
}

/** Sends a request, and repeats it where that may help. Throws the error of the last attempt. */
export async function send(
  transport: Transport,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Answer> {
  const request = prepare(transport, operation, parameters, options);
  const { fetch, timeoutMs, retries, pace } = transport;
  const { signal } = options;
  const limits = {
    ...retries,
    maxRetries: options.maxRetries ?? retries.maxRetries,
    maxDelayMs: options.maxDelayMs ?? retries.maxDelayMs,
  };
  const ticket = pace.ticket();
  const onResponse = (headers: Headers) => pace.learn(operation, headers);
  const attemptOptions = { fetch, timeoutMs: options.timeoutMs ?? timeoutMs, signal, onResponse };
  for (let retry = 0; ; retry += 1) {
    signal?.throwIfAborted();
    const turn = await pace.turn(operation, ticket, signal);
    try {
      const answer = await attempt(request, attemptOptions);
      turn.end(answer.headers);
      return answer;
    } catch (error) {
      const delayMs = retryDelay(error, retry, limits, Math.random());
      if (delayMs !== undefined && isPaced(error)) turn.refuse(delayMs);
      else turn.end();
      if (delayMs === undefined) throw error;
      if (!isPaced(error)) await pause(delayMs, signal);
    }
  }
}

/** A refusal that says when the next request of its rate limit is admitted. */
function isPaced(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 429 && error.retryAfterSeconds !== undefined;
}

/** The bytes of the request. Its idempotency key is made here, once for all attempts. */
function prepare(
  transport: Transport,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  { idempotencyKey, ifMatch, waitSeconds, fresh, headers }: CallOptions,
): PreparedRequest {
  const route = routeOf(operation);
  const { path, rest } = fillPath(operation, route.path, parameters);
  const isRead = route.method === 'GET';
  const upload = route.upload === true ? (rest as unknown as Upload) : undefined;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  const hasBody = !isRead && upload === undefined && (route.body === true || fields.length > 0);
  const url = new URL(transport.baseUrl + path);
  if (isRead) for (const [name, value] of fields) url.searchParams.set(name, String(value));
  return {
    operation,
    url: url.href,
    method: route.method,
    body: upload?.file ?? (hasBody ? JSON.stringify(Object.fromEntries(fields)) : undefined),
    headers: {
      ...headers,
      ...(isRead && fresh === true && { 'Cache-Control': 'no-cache' }),
      ...(waitSeconds !== undefined && { Prefer: `wait=${waitSeconds}` }),
      // Anonymous reads too: they count against the key instead of the address. The service refuses keys from pages,
      // so there they go without one.
      ...(transport.apiKey !== undefined &&
        !(route.anonymous && isInBrowser()) && { Authorization: `Bearer ${transport.apiKey}` }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...(upload !== undefined && { 'Content-Type': upload.contentType }),
      // The bytes of a file are its key.
      ...(!isRead && upload === undefined && { 'Idempotency-Key': idempotencyKey ?? newUuid() }),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    },
  };
}

/** The path with its parameters filled in, and the parameters that are left. */
export function fillPath(operation: string, template: string, parameters: Readonly<Record<string, unknown>>) {
  const rest = { ...parameters };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`${operation} needs ${name}`);
    // A URL would take them for steps to another path.
    if (value === '.' || value === '..') throw new TypeError(`${operation}: ${name} cannot be "${value}"`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}
