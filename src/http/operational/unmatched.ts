import { Problem } from '../../shared/problem.ts';
import { problemTable } from '../../shared/problem-table.ts';
import { type AdmissionDependencies, admitUnmatched } from '../access/admission.ts';
import { type Exchange, openExchange } from '../exchange.ts';
import { type PeerLookup, RequestContext } from '../request-context.ts';
import { headerTemplates, openToPages, requestHeaders } from '../responses/response-headers.ts';
import { type ProblemDependencies, problemResponse } from '../responses/responses.ts';
import { pathTemplate, type RouteDefinition } from '../route.ts';
import { nearestOperation } from './nearest-operation.ts';

/** Headers of a page's request. `Content-Type` means nothing on a read, but several HTTP clients send it. */
const ADMITTED_HEADERS =
  'Cache-Control, Content-Type, If-None-Match, Last-Event-ID, Prefer, traceparent, tracestate';

interface KnownPath {
  /** Parts between slashes; a part that begins with a colon matches any non-empty text. */
  segments: readonly string[];
  definitions: RouteDefinition[];
}

/**
 * Responds to requests that no route matched (contract/requests#order-route): OPTIONS of a known path 204
 * with `Allow`, another method 405 with `Allow`, an unknown path 404. Each counts against a policy of the
 * client's address; beyond it the response is 429.
 */
export function createUnmatchedHandler(
  definitions: readonly RouteDefinition[],
  prefix: string,
  dependencies: AdmissionDependencies & ProblemDependencies,
): (request: Request, peerOf: PeerLookup) => Response | Promise<Response> {
  const knownPaths = groupByPath(definitions, prefix);
  const nearest = nearestOperation(definitions, prefix);
  const templates = headerTemplates(undefined);
  // A page that has a wrong path or method can read why.
  openToPages(templates.base);

  function respond(exchange: Exchange<undefined>): Response {
    const { context } = exchange;
    const given = context.path.split('/');
    const known = knownPaths.find(({ segments }) => matches(segments, given));
    const { method } = context.request;
    // A path that has this method was sent in another form, with dot segments or backslashes that Bun has resolved: no proxy
    // in front has seen it in this one.
    if (known === undefined || hasMethod(known, method))
      return problemResponse(notFound(nearest(context.path, method), prefix), exchange, dependencies);
    if (method === 'OPTIONS') return optionsResponse(known, exchange);
    return problemResponse(methodNotAllowed(known), exchange, dependencies, {
      Allow: allowedMethods(known),
    });
  }

  return (request, peerOf) => {
    const exchange = openExchange(
      new RequestContext(request, peerOf, dependencies.tracing),
      undefined,
      templates,
    );
    try {
      const rate = admitUnmatched(exchange, dependencies);
      if (!(rate instanceof Promise)) return respond(exchange);
      return rate.then(
        () => respond(exchange),
        (error) => problemResponse(error, exchange, dependencies),
      );
    } catch (error) {
      return problemResponse(error, exchange, dependencies);
    }
  };
}

/** Names an operation, and nothing that the client has sent. */
function notFound(nearest: RouteDefinition | undefined, prefix: string): Problem {
  if (nearest === undefined) return new Problem('not_found');
  const { id, method } = nearest;
  const shown = `${method} ${prefix}${pathTemplate(nearest)}`;
  return new Problem('not_found', {
    detail: `${problemTable.not_found.detail} The nearest is ${shown} (${id}).`,
  });
}

function methodNotAllowed({ definitions }: KnownPath): Problem {
  const operations = definitions.map(({ method, id }) => `${method} (${id})`).join(', ');
  return new Problem('method_not_allowed', {
    detail: `${problemTable.method_not_allowed.detail} It has ${operations}.`,
  });
}

function groupByPath(definitions: readonly RouteDefinition[], prefix: string): KnownPath[] {
  const byPath = new Map<string, RouteDefinition[]>();
  for (const definition of definitions) {
    byPath.set(definition.path, [...(byPath.get(definition.path) ?? []), definition]);
  }
  return [...byPath].map(([path, group]) => ({
    segments: `${prefix}${path}`.split('/'),
    definitions: group,
  }));
}

function matches(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, at) => (segment.startsWith(':') ? given[at] !== '' : given[at] === segment))
  );
}

function hasMethod({ definitions }: KnownPath, method: string): boolean {
  return definitions.some((definition) => definition.method === (method === 'HEAD' ? 'GET' : method));
}

function allowedMethods({ definitions }: KnownPath): string {
  const methods = definitions.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}

function optionsResponse(known: KnownPath, exchange: Exchange<undefined>): Response {
  const anonymous = known.definitions.find(({ auth }) => auth === 'anonymous');
  const headers = requestHeaders(headerTemplates(anonymous).base, exchange);
  headers.set('Allow', allowedMethods(known));
  if (anonymous !== undefined) {
    headers.set('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    headers.set('Access-Control-Allow-Headers', ADMITTED_HEADERS);
    headers.set('Access-Control-Max-Age', '86400');
  }
  return new Response(null, { status: 204, headers });
}
