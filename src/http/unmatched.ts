import { Problem } from '../shared/problem.ts';
import type { Operation } from './operation.ts';
import { RequestContext } from './request-context.ts';
import { headerTemplates, requestHeaders } from './response-headers.ts';
import { openExchange, type ProblemOptions, problemResponse } from './responses.ts';

/** Every path of the contract lies below this one (contract/versioning#major-version). */
export const API_PREFIX = '/api/v2';

interface KnownPath {
  pattern: RegExp;
  operations: Operation[];
}

/**
 * Answers what no route matched (contract/requests#order-route): OPTIONS of a known path 204 with `Allow`, another method 405 with
 * `Allow`, an unknown path 404.
 */
export function createUnmatchedHandler(
  operations: readonly Operation[],
  options: ProblemOptions,
): (request: Request, peerAddress: () => string) => Response {
  const knownPaths = groupByPath(operations);
  const templates = headerTemplates(undefined);

  return (request, peerAddress) => {
    const context = new RequestContext(request, peerAddress, options.tracing);
    const known = knownPaths.find(({ pattern }) => pattern.test(context.path));
    if (known !== undefined && request.method === 'OPTIONS') return optionsResponse(known, context);
    const exchange = openExchange(context, undefined, templates);
    if (known === undefined) return problemResponse(new Problem('not_found'), exchange, options);
    return problemResponse(new Problem('method_not_allowed'), exchange, options, {
      Allow: allowedMethods(known),
    });
  };
}

function groupByPath(operations: readonly Operation[]): KnownPath[] {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  return [...byPath].map(([path, group]) => ({
    pattern: new RegExp(`^${API_PREFIX}${path.replace(/:\w+/g, '[^/]+')}$`),
    operations: group,
  }));
}

function allowedMethods({ operations }: KnownPath): string {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}

function optionsResponse(known: KnownPath, context: RequestContext): Response {
  const anonymous = known.operations.find(({ auth }) => auth === 'anonymous');
  const headers = requestHeaders(headerTemplates(anonymous).base, context, undefined);
  headers.set('Allow', allowedMethods(known));
  if (anonymous !== undefined) {
    headers.set('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    headers.set('Access-Control-Allow-Headers', 'If-None-Match, traceparent');
    headers.set('Access-Control-Max-Age', '86400');
  }
  return new Response(null, { status: 204, headers });
}
