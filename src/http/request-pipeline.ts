import type { Deadlines } from '../shared/deadlines.ts';
import { Problem } from '../shared/problem.ts';
import { admitAnonymous, admitKey, admitMore, admitReader, admitUnmatched } from './access/admission.ts';
import type { Principal } from './access/authentication.ts';
import { clientSubject } from './access/client-address.ts';
import type { ForwardingWatch } from './access/forwarding-watch.ts';
import type { BodyBudget } from './bodies/body-budget.ts';
import { compileInput, type InputCheck } from './bodies/input.ts';
import { bodyBytesMax, bodyTooLarge, RequestBody } from './bodies/request-body.ts';
import { readUpload } from './bodies/upload.ts';
import { requestedFreshness } from './caches/cache-reader.ts';
import { type Exchange, openExchange } from './exchange.ts';
import type { RateDecision } from './limits/gcra.ts';
import type { Idempotency, StoredResponse } from './mutations/idempotency.ts';
import {
  requireIdempotencyKey,
  requireJsonContentType,
  requireVersion,
} from './mutations/mutation-headers.ts';
import { attemptOf } from './mutations/request-fingerprint.ts';
import { type PeerLookup, RequestContext } from './request-context.ts';
import { fileResponse, hasFile, publicResponse } from './responses/conditional-reads.ts';
import { IGNORED_HEADER, ignoredParameters } from './responses/ignored-parameters.ts';
import { headerTemplates } from './responses/response-headers.ts';
import { mutationResponse, privateResponse, problemResponse, storedResponse } from './responses/responses.ts';
import { type AwaitedRecord, isIdempotent, type Route } from './route.ts';
import { type OpenStreamDependencies, openStream } from './streams/open-stream.ts';
import type { ChangeWaits } from './waits/change-waits.ts';
import { type HoldDependencies, holdUnchanged, mayBeHeld } from './waits/hold-unchanged.ts';
import { holdRecord, prefersToWait, readAfterChange } from './waits/read-after-change.ts';

export interface PipelineDependencies extends OpenStreamDependencies, HoldDependencies {
  idempotency: Idempotency;
  bodies: BodyBudget;
  deadlines: Deadlines;
  /** For requests that prefer to wait. */
  waitDeadlines: Deadlines;
  waits: ChangeWaits;
  /** Absent where proxies are trusted. */
  forwardingWatch?: ForwardingWatch;
}

/**
 * Responds to one request of a route. `params` are the decoded path parameters. Throws only where the response of a failure
 * fails itself.
 */
export type RequestHandler = (
  request: Request,
  params: Record<string, string>,
  peerOf: PeerLookup,
) => Response | Promise<Response>;

/**
 * Builds the one ordered pipeline (contract/requests#order-of-checks) for a route: declared length →
 * authentication and scope → rate limit → counted length → content type, idempotency key, preconditions →
 * JSON → schemas → idempotency → the operation's own checks.
 *
 * @param mark runs last, with each response
 */
export function createRequestHandler(
  route: Route,
  dependencies: PipelineDependencies,
  mark: (response: Response) => Response = (response) => response,
): RequestHandler {
  const { definition } = route;
  const { onOutcome, outcomes, accessLog, tracing } = dependencies;
  const check = compileInput(definition);
  const bytesMax = bodyBytesMax(definition);
  const ignoredIn = ignoredParameters(definition);
  const templates = headerTemplates(definition);
  const isWaitable = route.kind === 'waitable-read' || ('wait' in route && route.wait !== undefined);
  // Pages in browsers cannot use API keys.
  const keyTemplates =
    route.kind === 'stream' ? headerTemplates({ ...definition, auth: 'any-key' }) : templates;

  function finish(exchange: Exchange, response: Response): Response {
    outcomes?.answered(response.status);
    onOutcome?.(
      definition,
      response.status,
      undefined,
      performance.now() - exchange.context.startedAtMs - exchange.heldMs,
    );
    accessLog?.(exchange, response.status, undefined);
    tracing?.record(exchange, response.status, undefined);
    return response;
  }

  function ended(exchange: Exchange, response: Response): Response {
    const { context, room } = exchange;
    room?.release();
    nameIgnored(exchange, response);
    return mark(context.body === null ? response : context.body.end(response));
  }

  /** Nothing is read of the query of a request that was not admitted. */
  function nameIgnored({ context, rate }: Exchange, response: Response): void {
    if (ignoredIn === null || rate === undefined || response.status === 429) return;
    const ignored = ignoredIn(context.request);
    if (ignored !== '') response.headers.set(IGNORED_HEADER, ignored);
  }

  function refused(exchange: Exchange, error: unknown): Response {
    try {
      return ended(exchange, problemResponse(error, exchange, dependencies));
    } catch (defect) {
      // The log or the metrics of this very response failed.
      return ended(exchange, problemResponse(defect, exchange, dependencies));
    }
  }

  /** Only the wait failed when the change has committed. */
  function failed(exchange: Exchange, error: unknown): Response {
    const { committed } = exchange;
    if (committed === null) return refused(exchange, error);
    outcomes?.failed(error);
    return ended(exchange, finish(exchange, mutationResponse(exchange, committed, false)));
  }

  function overdue(deadlines: Deadlines): Problem {
    const { unavailable = 'api_dependency_unavailable' } = definition;
    const waited = `No response within ${deadlines.seconds} seconds`;
    const detail = isIdempotent(definition)
      ? `${waited}: the outcome is unknown. Send the same request with the same Idempotency-Key again.`
      : `${waited}; the request may be repeated.`;
    return new Problem(unavailable, { detail });
  }

  return (request, params, peerOf) => {
    const context = new RequestContext(request, peerOf, tracing);
    const isKeyed = route.kind === 'stream' && request.headers.has('authorization');
    const exchange = openExchange(context, definition, isKeyed ? keyTemplates : templates);
    exchange.mayWait = isWaitable && (prefersToWait(route, request) || mayBeHeld(route, request));
    dependencies.forwardingWatch?.observe(context);
    try {
      const response =
        context.body === null || takeRoom(exchange, context.body, bytesMax, dependencies)
          ? respond(route, exchange, params, check, dependencies)
          : refuseUnread(exchange, context.body, bytesMax, dependencies);
      // Cached reads need no promise.
      if (!(response instanceof Promise)) return ended(exchange, finish(exchange, response));
      const isLong = exchange.mayWait || route.kind === 'upload';
      const deadlines = isLong ? dependencies.waitDeadlines : dependencies.deadlines;
      return deadlines.within(response, {
        inTime(late) {
          try {
            return ended(exchange, finish(exchange, late));
          } catch (error) {
            return refused(exchange, error);
          }
        },
        failed: (error) => failed(exchange, error),
        expired: () => {
          outcomes?.expired();
          return failed(exchange, overdue(deadlines));
        },
      });
    } catch (error) {
      return refused(exchange, error);
    }
  };
}

/** Bodies up to this size cost less than their connection. */
const SMALL_BYTES = 4_096;

/** Whether the body may come: it is not declared as too large, and the process has room for it. */
function takeRoom(
  exchange: Exchange,
  body: RequestBody,
  bytesMax: number,
  { bodies, trustedProxyHops }: PipelineDependencies,
): boolean {
  if (body.declaresMoreThan(bytesMax)) return false;
  const bytes = body.roomFor(bytesMax);
  if (bytes <= SMALL_BYTES) return true;
  exchange.room = bodies.take(clientSubject(exchange.context, trustedProxyHops), bytes);
  return exchange.room !== null;
}

/** This runs before authentication: the request counts against the budget of its client address. */
async function refuseUnread(
  exchange: Exchange,
  body: RequestBody,
  bytesMax: number,
  dependencies: PipelineDependencies,
): Promise<never> {
  await admitUnmatched(exchange, dependencies);
  if (body.declaresMoreThan(bytesMax)) throw bodyTooLarge(bytesMax);
  throw noRoom(exchange, body);
}

/** Admits the key of a request with a body, whose room then counts for its account. */
function admitSender(exchange: Exchange, dependencies: PipelineDependencies): Principal | Promise<Principal> {
  const move = (principal: Principal) => {
    const { room, context } = exchange;
    if (room === null || context.body === null || room.moveTo(principal.accountId)) return principal;
    throw noRoom(exchange, context.body);
  };
  const admission = admitKey(exchange, dependencies);
  return admission instanceof Promise ? admission.then(move) : move(admission);
}

/** The connection is closed with this response, because the server would collect the rest of the body. */
function noRoom({ definition }: Exchange, body: RequestBody): Problem {
  body.giveUp();
  const detail = 'Too many bytes of request bodies are on their way; send the request again.';
  return new Problem(definition.unavailable ?? 'api_dependency_unavailable', { detail });
}

function respond(
  route: Route,
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Response | Promise<Response> {
  switch (route.kind) {
    case 'public-read':
      return readPublic(route, exchange, params, check, dependencies);
    case 'private-read':
    case 'waitable-read':
      return readPrivate(route, exchange, params, check, dependencies);
    case 'stream':
      return openStream(route, exchange, check, dependencies);
    case 'computation':
      return compute(route, exchange, params, check, dependencies);
    case 'upload':
      return takeUpload(route, exchange, params, check, dependencies);
    case 'file':
      return serveFile(route, exchange, params, check, dependencies);
    case 'mutation':
      if (dependencies.tracing === undefined) return mutate(route, exchange, params, check, dependencies);
      return dependencies.tracing.within(exchange.context.traceparent, () =>
        mutate(route, exchange, params, check, dependencies),
      );
  }
}

function readPublic(
  route: Route & { kind: 'public-read' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Response | Promise<Response> {
  const { request } = exchange.context;
  const read = (rate: RateDecision) => {
    const input = check(request, params, null, exchange.client);
    const isHeld = exchange.mayWait && mayBeHeld(route, request);
    input.freshness = isHeld ? 'current' : requestedFreshness(request);
    if (isHeld)
      return holdUnchanged(route, exchange, input, dependencies).then(({ reply, seconds }) =>
        publicResponse(exchange, rate, reply, seconds),
      );
    const reply = route.handle(input);
    return reply instanceof Promise
      ? reply.then((late) => publicResponse(exchange, rate, late))
      : publicResponse(exchange, rate, reply);
  };
  const admission = admitReader(exchange, dependencies);
  return admission instanceof Promise ? admission.then(read) : read(admission);
}

function readPrivate(
  route: Route & { kind: 'private-read' | 'waitable-read' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Response | Promise<Response> {
  const read = (principal: Principal) => {
    const input = check(exchange.context.request, params, null, exchange.client);
    const reply =
      exchange.mayWait && route.kind === 'waitable-read'
        ? readAfterChange(route, exchange, input, dependencies.waits)
        : route.handle(input, principal);
    return reply instanceof Promise
      ? reply.then((late) => privateResponse(exchange, late))
      : privateResponse(exchange, reply);
  };
  const admission = admitKey(exchange, dependencies);
  return admission instanceof Promise ? admission.then(read) : read(admission);
}

async function compute(
  route: Route & { kind: 'computation' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Promise<Response> {
  const { request, body: sent } = exchange.context;
  const body = sent ?? new RequestBody(request, null);
  const bytesMax = bodyBytesMax(route.definition);
  const principal = await admitSender(exchange, dependencies);
  const countedBody = body.isOfUnknownLength ? await body.read(bytesMax) : undefined;
  requireJsonContentType(request.headers, true);
  const input = check(request, params, countedBody ?? (await body.read(bytesMax)), exchange.client);
  return privateResponse(exchange, await route.handle(input, principal));
}

async function takeUpload(
  route: Route & { kind: 'upload' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Promise<Response> {
  const { request, body } = exchange.context;
  const principal = await admitSender(exchange, dependencies);
  const input = await readUpload(request, body ?? new RequestBody(request, null), route.definition.upload);
  check(request, params, null, exchange.client);
  return privateResponse(exchange, await route.handle(input, principal));
}

/** A file counts as one request for each of these bytes, which are known once it is found. */
const BYTES_OF_A_REQUEST = 65_536;

async function serveFile(
  route: Route & { kind: 'file' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Promise<Response> {
  await admitAnonymous(exchange, dependencies);
  const { request } = exchange.context;
  const file = await route.handle(check(request, params, null, exchange.client));
  const isSent = request.method === 'GET' && !hasFile(request, file.etag);
  const cost = Math.ceil(file.byteLength / BYTES_OF_A_REQUEST);
  if (isSent && cost > 1) await admitMore(exchange, cost - 1, dependencies);
  return fileResponse(exchange, file);
}

async function mutate(
  route: Route & { kind: 'mutation' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  dependencies: PipelineDependencies,
): Promise<Response> {
  const { definition, context } = exchange;
  const { request } = context;
  const body = context.body ?? new RequestBody(request, null);
  // Check the caller first, although only counting reveals a body that is too large: no byte is read for a
  // caller who may not send one.
  const admission = admitSender(exchange, dependencies);
  const principal = admission instanceof Promise ? await admission : admission;
  const bytesMax = bodyBytesMax(definition);
  const countedBody = body.isOfUnknownLength ? await body.read(bytesMax) : undefined;

  const mustHaveBody = definition.body !== undefined && definition.bodyOptional !== true;
  requireJsonContentType(request.headers, mustHaveBody || request.body !== null);
  const key = requireIdempotencyKey(request.headers.get('idempotency-key'));
  const ifMatch = request.headers.get('if-match');
  const expectedVersion = definition.versioned ? requireVersion(ifMatch, definition.path) : 0;
  const bytes = countedBody ?? (await body.read(bytesMax));
  const input = check(request, params, bytes, exchange.client);

  const caller = { principal, expectedVersion };
  const awaited = () => (exchange.mayWait ? route.wait?.(input, caller) : undefined);
  const attempt = attemptOf(exchange, principal, { key, ifMatch, body: bytes });
  const looksFirst = route.prepare !== undefined && route.preparesRepeats !== true;
  const earlier = looksFirst ? await dependencies.idempotency.find(attempt) : null;
  if (earlier !== null) return mutationResponse(exchange, earlier, true);
  const prepared = await route.prepare?.(input, caller);
  const committed = await route.fastPath?.(input, caller, attempt, prepared);
  if (committed != null) return committedResponse(exchange, committed, awaited(), dependencies);
  let afterCommit: (() => void) | undefined;
  const response = await dependencies.idempotency.run(attempt, async (transaction) => {
    const reply = await route.handle(input, caller, transaction, prepared);
    afterCommit = reply.afterCommit;
    return storedResponse(definition, reply);
  });
  // A replay commits nothing, and waits for nothing.
  if (response.replayed) return mutationResponse(exchange, response, true);
  afterCommit?.();
  return committedResponse(exchange, response, awaited(), dependencies);
}

/**
 * The stored response, or that of a later state to a client that prefers to wait. Not async: so that `mutate`
 * ends here, and its input and rows are not kept during the wait.
 */
function committedResponse(
  exchange: Exchange,
  committed: StoredResponse,
  record: AwaitedRecord | undefined,
  { waits }: PipelineDependencies,
): Response | Promise<Response> {
  const stored = () => mutationResponse(exchange, committed, false);
  if (record === undefined) return stored();
  exchange.committed = committed;
  const held = holdRecord(record, exchange, committed.headers.ETag ?? null, waits);
  return held.then((reply) => (reply === null ? stored() : privateResponse(exchange, reply)));
}
