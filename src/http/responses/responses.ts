import type { Static, TSchema } from '@sinclair/typebox';
import { databaseFailure } from '../../db/failure.ts';
import { GateRefused } from '../../shared/gate.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { type ProblemCode, problemStatus } from '../../shared/problem-table.ts';
import type { AnyExchange, Exchange } from '../exchange.ts';
import type { StoredResponse } from '../mutations/idempotency.ts';
import type { AccessLog } from '../observation/access-log.ts';
import type { RecentOutcomes } from '../observation/recent-outcomes.ts';
import type { RequestTracing } from '../observation/request-tracing.ts';
import { asProblem, problemBody, retryAfterSeconds } from '../problems/problem-response.ts';
import type { RequestContext } from '../request-context.ts';
import type { Reply, RouteDefinition } from '../route.ts';
import { forbidCaching, PROBLEM_TYPE, requestHeaders } from './response-headers.ts';

/** Receives the end of each request of an operation; `code` is undefined for successes. */
export type OutcomeListener = (
  definition: RouteDefinition,
  status: number,
  code: ProblemCode | undefined,
  durationMs: number,
) => void;

export interface ProblemDependencies {
  docsUrl: string;
  log: Logger;
  onOutcome?: OutcomeListener;
  /** Collects the outcomes of requests for readiness. */
  outcomes?: RecentOutcomes;
  accessLog?: AccessLog;
  tracing?: RequestTracing;
}

/** A response for the owner of a key: never cached. */
export function privateResponse(exchange: Exchange, reply: Reply): Response {
  const text = JSON.stringify(reply.body);
  exchange.sent = text;
  const headers = successHeaders(exchange, reply.headers);
  return new Response(text, { status: exchange.definition.successStatus, headers });
}

/** The stored form of a reply, for replays. */
export function storedResponse<Output extends TSchema>(
  { successStatus }: { successStatus: number; response: Output },
  { headers = {}, body }: Reply<Static<Output>>,
): StoredResponse {
  return { status: successStatus, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** The response of a committed or replayed mutation. */
export function mutationResponse(exchange: Exchange, response: StoredResponse, replayed: boolean): Response {
  exchange.sent = response.body;
  exchange.replayed = replayed;
  const more = replayed ? { ...response.headers, 'Idempotent-Replayed': 'true' } : response.headers;
  return new Response(response.body, { status: response.status, headers: successHeaders(exchange, more) });
}

function successHeaders(
  { context, definition, templates, rate }: Exchange,
  more: Record<string, string> = {},
): Headers {
  if (rate === undefined) throw new Error(`${definition.id} succeeded without a rate limit decision`);
  return templates.success.withMore(context, rate, more);
}

/** The one place where a failure becomes a response. */
export function problemResponse(
  error: unknown,
  exchange: AnyExchange,
  { docsUrl, log, onOutcome, outcomes, accessLog, tracing }: ProblemDependencies,
  extraHeaders: Record<string, string> = {},
): Response {
  const { context, definition, templates } = exchange;
  const problem = isDependencyFailure(error)
    ? new Problem(definition?.unavailable ?? 'api_dependency_unavailable', { cause: error })
    : asProblem(error);
  const status = problemStatus(problem.code, definition?.method);
  if (status >= 500) {
    const { requestId, shownPath } = context;
    log.error(
      { requestId, path: shownPath, operation: definition?.id, code: problem.code, err: problem.cause },
      'request.failed',
    );
  }
  if (definition !== undefined) {
    outcomes?.failed(error);
    outcomes?.answered(status);
    onOutcome?.(definition, status, problem.code, performance.now() - context.startedAtMs - exchange.heldMs);
  }
  const headers = requestHeaders(templates.base, exchange);
  forbidCaching(headers);
  headers.set('Content-Type', PROBLEM_TYPE);
  // RFC 9110 section 15.5.16: what would have been taken.
  if (status === 415) headers.set('Accept-Encoding', 'identity');
  if (status === 401) headers.set('WWW-Authenticate', challenge(context));
  const retryAfter = retryAfterSeconds(problem);
  if (retryAfter !== undefined) headers.set('Retry-After', retryAfter.toString());
  const text = problemBody(problem, status, context, docsUrl);
  exchange.sent = text;
  accessLog?.(exchange, status, problem.code);
  tracing?.record(exchange, status, problem.code);
  for (const [name, value] of Object.entries(extraHeaders)) headers.set(name, value);
  return new Response(text, { status, headers });
}

/** A request without a credential gets no error code (RFC 6750). */
function challenge({ request }: RequestContext): string {
  const realm = 'Bearer realm="launchwire"';
  return request.headers.has('authorization') ? `${realm}, error="invalid_token"` : realm;
}

/** True when Postgres was unreachable, could not serve, or may not be asked now: the code did not fail. */
export function isDependencyFailure(error: unknown): boolean {
  return error instanceof GateRefused || databaseFailure(error) !== null;
}
