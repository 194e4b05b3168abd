import type { Logger } from '../shared/log.ts';
import { Problem } from '../shared/problem.ts';
import { type ProblemCode, problemStatus } from '../shared/problem-table.ts';
import { isDependencyFailure } from './dependency-failure.ts';
import { matchesTag, strongTag } from './entity-tag.ts';
import type { RateDecision } from './gcra.ts';
import type { StoredResponse } from './idempotency.ts';
import type { Operation, Reply, SerialisedReply } from './operation.ts';
import { asProblem, problemBody, retryAfterSeconds } from './problem-response.ts';
import type { RequestContext } from './request-context.ts';
import { commonHeaders, forbidCaching, JSON_TYPE, PROBLEM_TYPE } from './response-headers.ts';

/** A request of a known route on its way through the steps. */
export interface Exchange {
  context: RequestContext;
  operation: Operation;
  /** Set once the limiter has run. */
  rate: RateDecision | undefined;
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
}

/** 200 with validators, or 304 when the client has these bytes already. */
export function publicResponse(exchange: Exchange, reply: Reply | SerialisedReply): Response {
  const { context, operation } = exchange;
  const serialised = 'text' in reply ? reply : serialise(reply);
  const headers = commonHeaders(exchange);
  headers['Cache-Control'] = `public, max-age=${operation.maxAgeSeconds ?? 0}`;
  headers.ETag = serialised.etag;
  const ifNoneMatch = context.request.headers.get('if-none-match');
  if (ifNoneMatch !== null && matchesTag(ifNoneMatch, serialised.etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers['Content-Type'] = JSON_TYPE;
  return new Response(serialised.text, { status: operation.successStatus, headers });
}

/** Serialises a public reply with its strong ETag. */
export function serialise({ body }: Reply): SerialisedReply {
  const text = JSON.stringify(body);
  return { text, etag: strongTag(text) };
}

/** The owner's view of something: never cached. */
export function privateResponse(exchange: Exchange, reply: Reply): Response {
  const headers = commonHeaders(exchange);
  forbidCaching(headers);
  headers['Content-Type'] = JSON_TYPE;
  Object.assign(headers, reply.headers);
  return new Response(JSON.stringify(reply.body), { status: exchange.operation.successStatus, headers });
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
  const headers = commonHeaders(exchange);
  forbidCaching(headers);
  headers['Content-Type'] = JSON_TYPE;
  Object.assign(headers, response.headers);
  if (response.replayed) headers['Idempotent-Replayed'] = 'true';
  return new Response(response.body, { status: response.status, headers });
}

/** The one place where a failure becomes a response. */
export function problemResponse(
  error: unknown,
  exchange: Omit<Exchange, 'operation'> & { operation: Operation | undefined },
  { docsUrl, log, onOutcome }: ProblemOptions,
  extraHeaders: Record<string, string> = {},
): Response {
  const { context, operation } = exchange;
  const problem = isDependencyFailure(error)
    ? new Problem(operation?.unavailable ?? 'api_dependency_unavailable', { cause: error })
    : asProblem(error);
  const status = problemStatus(problem.code, operation?.method);
  if (status >= 500) {
    const { requestId, path } = context;
    log.error(
      { requestId, path, operation: operation?.id, code: problem.code, err: problem.cause },
      'request.failed',
    );
  }
  if (operation !== undefined) {
    onOutcome?.(operation, status, problem.code, performance.now() - context.startedAtMs);
  }
  const headers = commonHeaders(exchange);
  forbidCaching(headers);
  headers['Content-Type'] = PROBLEM_TYPE;
  const retryAfter = retryAfterSeconds(problem);
  if (retryAfter !== undefined) headers['Retry-After'] = retryAfter.toString();
  Object.assign(headers, extraHeaders);
  return new Response(problemBody(problem, status, context, docsUrl), { status, headers });
}
