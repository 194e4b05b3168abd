import { ConnectionError, ProblemError, UnexpectedResponseError } from './errors.ts';
import type { OperationName, Schemas } from './operations.ts';
import { deadline } from './pause.ts';
import { parseRetryAfter } from './retry.ts';

/** A request, the same for every attempt. */
export interface PreparedRequest {
  operation: OperationName;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Blob | Uint8Array<ArrayBuffer> | undefined;
}

export interface AttemptOptions {
  fetch: typeof fetch;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  onResponse(headers: Headers): void;
}

/** A successful response, read to its end. */
export interface Answer {
  body: unknown;
  status: number;
  headers: Headers;
}

/** Sends the request once. Throws one of the errors of this package, or the reason of the signal. */
export async function attempt(request: PreparedRequest, options: AttemptOptions): Promise<Answer> {
  const limit = deadline(options.timeoutMs, options.signal);
  try {
    const { url, method, headers, body } = request;
    // This API never redirects. Following a redirect would show the request to another address.
    const init: RequestInit = { method, headers, signal: limit.signal, redirect: 'manual' };
    const response = await options.fetch(url, body === undefined ? init : { ...init, body });
    options.onResponse(response.headers);
    return readAnswer(request.operation, response, await response.text());
  } catch (error) {
    if (error instanceof ProblemError || error instanceof UnexpectedResponseError) throw error;
    if (options.signal?.aborted) throw options.signal.reason;
    const seconds = options.timeoutMs / 1000;
    if (limit.isOver())
      throw new ConnectionError('timeout', `${request.url}: nothing within ${seconds} s`, error);
    throw new ConnectionError('connection_failed', `${request.url}: ${messageOf(error)}`, error);
  } finally {
    limit.end();
  }
}

function readAnswer(operation: OperationName, response: Response, text: string): Answer {
  const { status, headers } = response;
  const body = parse(text);
  if (response.ok && body !== undefined) return { body, status, headers };
  throw refusal(operation, response, body);
}

/** The error for a response that is not the expected success. */
export function refusalOf(operation: OperationName | 'openStream', response: Response, text: string): Error {
  return refusal(operation, response, parse(text));
}

function refusal(operation: OperationName | 'openStream', response: Response, body: unknown): Error {
  const { ok, status, headers } = response;
  const retryAfterSeconds = parseRetryAfter(headers.get('Retry-After'), Date.now());
  if (!ok && isProblem(body)) return new ProblemError(operation, body, retryAfterSeconds);
  return new UnexpectedResponseError(status, retryAfterSeconds, `of ${operation} is not of this API`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Schemas['Problem'] {
  if (typeof body !== 'object' || body === null) return false;
  const { code, status } = body as Partial<Schemas['Problem']>;
  return typeof code === 'string' && typeof status === 'number';
}

/** The reason of a failed fetch, which Node hides in `cause`. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
