import type { Logger } from '../shared/log.ts';
import { Problem } from '../shared/problem.ts';
import { type ProblemCode, problemStatus } from '../shared/problem-table.ts';
import type { AccessLog } from './access-log.ts';
import type { Principal } from './authentication.ts';
import { isDependencyFailure } from './dependency-failure.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import type { RateDecision } from './gcra.ts';
import type { StoredResponse } from './idempotency.ts';
import type { Operation, Reply, SerialisedReply } from './operation.ts';
import { asProblem, problemBody, retryAfterSeconds } from './problem-response.ts';
import { unmatchedPolicy } from './rate-policies.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestTracing } from './request-tracing.ts';
import { forbidCaching, type HeaderTemplates, PROBLEM_TYPE, requestHeaders } from './response-headers.ts';

/** A request of a known route on its way through the steps. */
export interface Exchange {
  context: RequestContext;
  operation: Operation;
  templates: HeaderTemplates;
  /** Set once the limiter has run. */
  rate: RateDecision | undefined;
  /** Set once the key is known, also when its scopes do not suffice. */
  principal: Principal | undefined;
  /** What was put into the response, for the access log. */
  sent: string | Uint8Array | null;
  /** The answer is that of an earlier request with the same idempotency key. */
  replayed: boolean;
}

/** An exchange of which nothing is known yet. */
export function openExchange<Of extends Operation | undefined>(
  context: RequestContext,
  operation: Of,
  templates: HeaderTemplates,
): Omit<Exchange, 'operation'> & { operation: Of } {
  return {
    context,
    operation,
    templates,
    rate: undefined,
    principal: undefined,
    sent: null,
    replayed: false,
  };
}

/** How a request of an operation ended; `code` is undefined for successes. */
export type OutcomeListener = (
  operation: Operation,
  status: number,
  code: ProblemCode | undefined,
  durationMs: number,
) => void;

export interface ProblemOptions {
  docsUrl: string;
  log: Logger;
  onOutcome?: OutcomeListener;
  accessLog?: AccessLog;
  tracing?: RequestTracing;
}

/** 200 with validators, or 304 when the client has these bytes already. */
export function publicResponse(
  exchange: Exchange,
  rate: RateDecision,
  reply: Reply | SerialisedReply,
): Response {
  const { context, operation, templates } = exchange;
  const { text, etag } = 'text' in reply ? reply : serialise(reply);
  const ifNoneMatch = context.request.headers.get('if-none-match');
  if (ifNoneMatch !== null && matchesTag(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers: templates.notModified.of(context, rate, etag) });
  }
  exchange.sent = text;
  const headers = templates.publicSuccess.of(context, rate, etag);
  return new Response(text, { status: operation.successStatus, headers });
}

/** Serialises a public reply with its strong ETag. */
export function serialise({ body }: Reply): SerialisedReply {
  const text = JSON.stringify(body);
  return { text, etag: strongTag(text) };
}

/** The owner's view of something: never cached. */
export function privateResponse(exchange: Exchange, reply: Reply): Response {
  const { context, operation, templates, rate } = exchange;
  const headers = withHeaders(requestHeaders(templates.success, context, rate), reply.headers);
  const text = JSON.stringify(reply.body);
  exchange.sent = text;
  return new Response(text, { status: operation.successStatus, headers });
}

/** A reply as it is stored for replays. */
export function storedResponse({ successStatus }: Operation, { headers = {}, body }: Reply): StoredResponse {
  return { status: successStatus, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** A committed or replayed mutation. */
export function mutationResponse(
  exchange: Exchange,
  response: StoredResponse & { replayed: boolean },
): Response {
  const { context, templates, rate } = exchange;
  exchange.sent = response.body;
  exchange.replayed = response.replayed;
  const headers = withHeaders(requestHeaders(templates.success, context, rate), response.headers);
  if (response.replayed) headers.set('Idempotent-Replayed', 'true');
  return new Response(response.body, { status: response.status, headers });
}

function withHeaders(headers: Headers, more: Record<string, string> = {}): Headers {
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return headers;
}

/** The one place where a failure becomes a response. */
export function problemResponse(
  error: unknown,
  exchange: Omit<Exchange, 'operation'> & { operation: Operation | undefined },
  { docsUrl, log, onOutcome, accessLog, tracing }: ProblemOptions,
  extraHeaders: Record<string, string> = {},
): Response {
  const { context, operation, templates, rate } = exchange;
  const problem = isDependencyFailure(error)
    ? new Problem(operation?.unavailable ?? 'api_dependency_unavailable', { cause: error })
    : asProblem(error);
  const status = problemStatus(problem.code, operation?.method);
  if (status >= 500) {
    const { requestId, shownPath } = context;
    log.error(
      { requestId, path: shownPath, operation: operation?.id, code: problem.code, err: problem.cause },
      'request.failed',
    );
  }
  if (operation !== undefined) {
    onOutcome?.(operation, status, problem.code, performance.now() - context.startedAtMs);
  }
  const headers = requestHeaders(templates.base, context, rate);
  if (rate !== undefined) headers.set('X-RateLimit-Policy', operation?.ratePolicy ?? unmatchedPolicy);
  forbidCaching(headers);
  headers.set('Content-Type', PROBLEM_TYPE);
  const retryAfter = retryAfterSeconds(problem);
  if (retryAfter !== undefined) headers.set('Retry-After', retryAfter.toString());
  const text = problemBody(problem, status, context, docsUrl);
  exchange.sent = text;
  accessLog?.(exchange, status, problem.code);
  tracing?.record(exchange, status, problem.code);
  return new Response(text, {
    status,
    headers: withHeaders(headers, extraHeaders),
  });
}
