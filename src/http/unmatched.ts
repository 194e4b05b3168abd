import { Problem } from '../shared/problem.ts';
import type { Operation } from './operation.ts';
import { beginRequest } from './request-context.ts';
import { commonHeaders } from './response-headers.ts';
import { type ProblemOptions, problemResponse } from './responses.ts';

/** Every path of the contract lies below this one (spec 9.1). */
export const API_PREFIX = '/api/v2';

interface KnownPath {
  pattern: RegExp;
  operations: Operation[];
}

/**
 * Answers what no route matched (D1, step 1): OPTIONS of a known path 204 with `Allow`, another method 405 with
 * `Allow`, an unknown path 404.
 */
export function createUnmatchedHandler(
  operations: readonly Operation[],
  options: ProblemOptions,
): (request: Request, peerAddress: () => string) => Response {
  const knownPaths = groupByPath(operations);

  return (request, peerAddress) => {
    const context = beginRequest(request, peerAddress);
    const known = knownPaths.find(({ pattern }) => pattern.test(context.path));
    if (known !== undefined && request.method === 'OPTIONS') return optionsResponse(known, context);
    const exchange = { context, operation: undefined, rate: undefined };
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

function optionsResponse(known: KnownPath, context: ReturnType<typeof beginRequest>): Response {
  const anonymous = known.operations.find(({ auth }) => auth === 'anonymous');
  const headers = commonHeaders({ context, operation: anonymous, rate: undefined });
  headers.Allow = allowedMethods(known);
  if (anonymous !== undefined) {
    headers['Access-Control-Allow-Methods'] = 'GET, HEAD, OPTIONS';
    headers['Access-Control-Allow-Headers'] = 'If-None-Match, traceparent';
    headers['Access-Control-Max-Age'] = '86400';
  }
  return new Response(null, { status: 204, headers });
}
