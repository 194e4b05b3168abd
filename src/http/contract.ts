import { type AdmissionOptions, admitAnonymous, admitKey } from './admission.ts';
import { fingerprint, type Idempotency } from './idempotency.ts';
import { compileInput, type InputCheck } from './input.ts';
import type { Route } from './operation.ts';
import { requireIdempotencyKey, requireJsonContentType, requireVersion } from './preconditions.ts';
import { isChunked, readBody, refuseDeclaredLength } from './request-body.ts';
import { beginRequest } from './request-context.ts';
import {
  type Exchange,
  mutationResponse,
  type ProblemOptions,
  privateResponse,
  problemResponse,
  publicResponse,
  storedResponse,
} from './responses.ts';

export interface ContractOptions extends AdmissionOptions, ProblemOptions {
  idempotency: Idempotency;
}

/** Answers one request of a route. `params` are the decoded path parameters. Never throws. */
export type RequestHandler = (
  request: Request,
  params: Record<string, string>,
  peerAddress: () => string,
) => Promise<Response>;

/**
 * Builds the one ordered pipeline (D1) for a route: declared length → authentication and scope → rate limit →
 * content type, idempotency key, preconditions → JSON → schemas → idempotency → the operation's own checks.
 */
export function createRequestHandler(route: Route, options: ContractOptions): RequestHandler {
  const { operation } = route;
  const check = compileInput(operation);

  return async (request, params, peerAddress) => {
    const exchange: Exchange = { context: beginRequest(request, peerAddress), operation, rate: undefined };
    try {
      const response = await answer(route, exchange, params, check, options);
      options.onOutcome?.(
        operation,
        response.status,
        undefined,
        performance.now() - exchange.context.startedAtMs,
      );
      return response;
    } catch (error) {
      return problemResponse(error, exchange, options);
    }
  };
}

async function answer(
  route: Route,
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  options: ContractOptions,
): Promise<Response> {
  const { request } = exchange.context;
  refuseDeclaredLength(request);
  switch (route.kind) {
    case 'public-read': {
      const admission = admitAnonymous(exchange, options);
      if (admission !== undefined) await admission;
      const reply = route.handle(check(request, params, null));
      return publicResponse(exchange, reply instanceof Promise ? await reply : reply);
    }
    case 'private-read': {
      const principal = await admitKey(exchange, options);
      return privateResponse(exchange, await route.handle(check(request, params, null), principal));
    }
    case 'mutation':
      return mutate(route, exchange, params, check, options);
  }
}

async function mutate(
  route: Route & { kind: 'mutation' },
  exchange: Exchange,
  params: Record<string, string>,
  check: InputCheck,
  options: ContractOptions,
): Promise<Response> {
  const { operation, context } = exchange;
  const { request } = context;
  // Only a body without a declared length is read before authentication: nothing else tells if it is too large.
  const countedBody = isChunked(request) ? await readBody(request) : undefined;
  const principal = await admitKey(exchange, options);

  const mustHaveBody = operation.body !== undefined && operation.bodyOptional !== true;
  requireJsonContentType(request.headers.get('content-type'), mustHaveBody || request.body !== null);
  const key = requireIdempotencyKey(request.headers.get('idempotency-key'));
  const ifMatch = request.headers.get('if-match');
  const expectedVersion = operation.versioned ? requireVersion(ifMatch) : 0;
  const bytes = countedBody ?? (await readBody(request));
  const input = check(request, params, bytes);

  const caller = { principal, expectedVersion };
  const attempt = {
    accountId: principal.accountId,
    key,
    fingerprint: fingerprint(request.method, context.path, ifMatch, bytes),
    sealed: operation.secretResponse === true,
  };
  const direct = await route.atOnce?.(input, caller, attempt);
  if (direct != null) {
    direct.afterCommit();
    return mutationResponse(exchange, { ...direct.response, replayed: false });
  }
  const prepared = await route.prepare?.(input);
  let afterCommit: (() => void) | undefined;
  const response = await options.idempotency.run(attempt, async (transaction) => {
    const reply = await route.handle(input, caller, transaction, prepared);
    afterCommit = reply.afterCommit;
    return storedResponse(operation, reply);
  });
  afterCommit?.();

  return mutationResponse(exchange, response);
}
