import { Elysia } from 'elysia';
import type { ApiDependencies } from './api-dependencies.ts';
import { contractRoutes } from './contract-operations.ts';
import { createDocumentation } from './documentation/documentation.ts';
import { openApiDocument } from './documentation/openapi/document.ts';
import { internalSurface } from './documentation/openapi/surface.ts';
import { METADATA_PATH } from './features/launches/metadata-document.ts';
import { tokenMetadataRoute } from './features/launches/routes.ts';
import { RESULTS_PATH } from './features/operations/results/links.ts';
import { serveResult } from './features/operations/results/serve-result.ts';
import type { UpgradeSocket } from './http/open-stream.ts';
import type { Route } from './http/operation.ts';
import { operationalResponders, publicResponders } from './http/operational-paths.ts';
import type { OperationalResponder } from './http/operational-responder.ts';
import { createOutsideHandlers, type OutsideResponder } from './http/outside-pipeline.ts';
import { createRequestHandler, type RequestHandler } from './http/request-pipeline.ts';
import { createUnmatchedHandler } from './http/unmatched.ts';
import type { InternalDependencies } from './internal-dependencies.ts';
import { internalRoutes } from './internal-operations.ts';
import { API_PREFIX, INTERNAL_PREFIX } from './shared/api-prefix.ts';

/**
 * The HTTP application. Elysia routes (natively in Bun's server); everything the contract promises happens in
 * `http/`, so no lifecycle hook of the framework decides which error a client sees.
 */
export function createApp(dependencies: ApiDependencies, routes = contractRoutes(dependencies)) {
  const { app, peerOf, addOutside, addOperational } = createRoutes(routes, API_PREFIX, dependencies);
  const { mark } = dependencies.draining;
  const metadata = createRequestHandler(tokenMetadataRoute(dependencies), dependencies.pipeline, mark);
  for (const verb of ['GET', 'HEAD']) {
    app.route(verb, `${METADATA_PATH}/:mint`, respondInert.bind(undefined, metadata, peerOf), {
      parse: 'none',
    });
  }
  const { deadlines } = dependencies.pipeline;
  addOutside(`${RESULTS_PATH}/:operationId`, (request, _peerAddress, { operationId = '' }) =>
    deadlines.within(serveResult(request, operationId, dependencies.results), {
      inTime: (response) => response,
      failed(error) {
        throw error;
      },
      expired: unavailableResponse,
    }),
  );

  const operations = routes.map(({ operation }) => operation);
  const documentation = createDocumentation(operations, dependencies.documentation);
  for (const path of documentation.paths) addOutside(path, (request) => documentation.respond(request));
  for (const responder of publicResponders(dependencies.operational)) addOperational(responder);
  return app;
}

/** The application of the internal API (contract/internal-api), with the same pipeline and its own document. */
export function createInternalApp(dependencies: InternalDependencies, routes = internalRoutes(dependencies)) {
  const { app, addOutside, addOperational } = createRoutes(routes, INTERNAL_PREFIX, dependencies);
  const operations = routes.map(({ operation }) => operation);
  const document = JSON.stringify(openApiDocument(operations, dependencies.documentation, internalSurface));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  addOutside(
    `${INTERNAL_PREFIX}/openapi.json`,
    ({ method }) => new Response(method === 'GET' ? document : null, { headers }),
  );
  for (const responder of operationalResponders(dependencies.operational)) addOperational(responder);
  return app;
}

/** An application that serves the routes below `prefix`, and answers what no route matches. */
function createRoutes(
  routes: readonly Route[],
  prefix: string,
  { pipeline, draining: { mark } }: Pick<ApiDependencies, 'pipeline' | 'draining'>,
) {
  const app = new Elysia({ strictPath: true, normalize: false });
  // Not the context's `server`: Elysia would define a getter for it on every request.
  const peerOf: PeerOf = (request) => () => app.server?.requestIP(request)?.address ?? '';
  const operations = routes.map(({ operation }) => operation);
  const unmatched = createUnmatchedHandler(operations, prefix, pipeline);
  const outside = createOutsideHandlers(pipeline, mark);
  // Before the routes: Elysia adds a hook to those that come later.
  app.onError(({ request, code, error }) => {
    // What is no unknown path is the defect of a handler, and must not look like one.
    const respondOrFail = outside((matchless, peer) => {
      if (code !== 'NOT_FOUND') throw error;
      return unmatched(matchless, peer);
    });
    return respondOrFail(request, peerOf(request), {});
  });
  const upgradeSocket: UpgradeSocket = (request, data, headers) =>
    app.server?.upgrade(request, { data, headers }) ?? false;
  for (const route of routes) {
    const handle = createRequestHandler(route, { ...pipeline, upgradeSocket }, mark);
    const { method, path } = route.operation;
    // Elysia's own HEAD of a GET route loses the headers, hence the second registration.
    for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      app.route(
        verb,
        `${prefix}${path}`,
        respond.bind(undefined, handle, peerOf),
        method === 'GET' ? {} : { parse: 'none' },
      );
    }
  }
  /** Serves a path beside the contract. */
  const addOutside = (path: string, responder: OutsideResponder, verbs = ['GET', 'HEAD']) => {
    const handle = outside(responder);
    for (const verb of verbs)
      app.route(verb, path, ({ request, params }) => handle(request, peerOf(request), params), {
        parse: 'none',
      });
  };
  /** Serves an operational path; a client to whom it is not shown gets what an unknown path gets. */
  const addOperational = ({ path, respond: respondTo }: OperationalResponder) =>
    addOutside(
      path,
      async (request, peer, params) => (await respondTo(request, peer, params)) ?? unmatched(request, peer),
      ['GET'],
    );
  return { app, peerOf, addOutside, addOperational };
}

type PeerOf = (request: Request) => () => string;

function unavailableResponse(): Response {
  const headers = { 'Cache-Control': 'private, no-store', 'Retry-After': '1' };
  return new Response('unavailable\n', { status: 503, headers });
}

/**
 * Bound before Elysia sees it: Elysia reads the source of a handler to judge whether it is asynchronous, and wraps
 * every call in a promise when it may be (2 µs a request). A bound function shows no source, and a promise that it
 * returns is awaited all the same.
 */
function respond(
  handle: RequestHandler,
  peerOf: (request: Request) => () => string,
  { request, params }: { request: Request; params: Record<string, string> },
): Response | Promise<Response> {
  return handle(request, params, peerOf(request));
}

/** As `respond`, with a document that others wrote: no browser takes it for a page. */
async function respondInert(...given: Parameters<typeof respond>): Promise<Response> {
  const response = await respond(...given);
  response.headers.set('Content-Security-Policy', "default-src 'none'; sandbox");
  return response;
}
