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
import { endUnreadBody } from './http/request-body.ts';
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
  const { app, peerOf } = createRoutes(routes, API_PREFIX, dependencies);
  const { mark } = dependencies.draining;
  const metadata = createRequestHandler(tokenMetadataRoute(dependencies), dependencies.pipeline, mark);
  for (const verb of ['GET', 'HEAD']) {
    app.route(verb, `${METADATA_PATH}/:mint`, respondInert.bind(undefined, metadata, peerOf), {
      parse: 'none',
    });
  }
  const finish = (request: Request, response: Response) => mark(endUnreadBody(request, response));
  const { deadlines } = dependencies.pipeline;
  for (const verb of ['GET', 'HEAD']) {
    app.route(
      verb,
      `${RESULTS_PATH}/:operationId`,
      ({ request, params }) => {
        const served = serveResult(request, params.operationId ?? '', dependencies.results);
        return deadlines.within(served, {
          inTime: (response) => finish(request, response),
          failed(error) {
            throw error;
          },
          expired: () => finish(request, unavailableResponse()),
        });
      },
      { parse: 'none' },
    );
  }

  const operations = routes.map(({ operation }) => operation);
  const documentation = createDocumentation(operations, dependencies.documentation);
  for (const path of documentation.paths) {
    for (const verb of ['GET', 'HEAD']) {
      const respondWithPage = async ({ request }: { request: Request }) =>
        finish(request, await documentation.respond(request));
      app.route(verb, path, respondWithPage, { parse: 'none' });
    }
  }

  const unmatched = createUnmatchedHandler(operations, API_PREFIX, dependencies.pipeline);
  return addOperationalPaths(app, publicResponders(dependencies.operational), { peerOf, finish, unmatched });
}

/** The application of the internal API (contract/internal-api), with the same pipeline and its own document. */
export function createInternalApp(dependencies: InternalDependencies, routes = internalRoutes(dependencies)) {
  const { app, peerOf } = createRoutes(routes, INTERNAL_PREFIX, dependencies);
  const operations = routes.map(({ operation }) => operation);
  const unmatched = createUnmatchedHandler(operations, INTERNAL_PREFIX, dependencies.pipeline);
  const document = JSON.stringify(openApiDocument(operations, dependencies.documentation, internalSurface));
  const finish = (request: Request, response: Response) =>
    dependencies.draining.mark(endUnreadBody(request, response));
  for (const verb of ['GET', 'HEAD']) {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
    app.route(
      verb,
      `${INTERNAL_PREFIX}/openapi.json`,
      ({ request }) => finish(request, new Response(verb === 'GET' ? document : null, { headers })),
      { parse: 'none' },
    );
  }
  const responders = operationalResponders(dependencies.operational);
  return addOperationalPaths(app, responders, { peerOf, finish, unmatched });
}

type PeerOf = (request: Request) => () => string;

/** An application that serves the routes below `prefix`. */
function createRoutes(
  routes: readonly Route[],
  prefix: string,
  { pipeline, draining: { mark } }: Pick<ApiDependencies, 'pipeline' | 'draining'>,
) {
  const app = new Elysia({ strictPath: true, normalize: false });
  // Not the context's `server`: Elysia would define a getter for it on every request.
  const peerOf: PeerOf = (request) => () => app.server?.requestIP(request)?.address ?? '';
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
  return { app, peerOf };
}

/** Paths beside the contract, and last what no route matches. */
function addOperationalPaths(
  app: ReturnType<typeof createRoutes>['app'],
  responders: ReturnType<typeof operationalResponders>,
  {
    peerOf,
    finish,
    unmatched,
  }: {
    peerOf: PeerOf;
    finish(request: Request, response: Response): Response;
    unmatched: ReturnType<typeof createUnmatchedHandler>;
  },
) {
  for (const responder of responders) {
    const respondOrDeny = async ({ request }: { request: Request }) => {
      const peer = peerOf(request);
      return finish(request, (await responder.respond(request, peer)) ?? (await unmatched(request, peer)));
    };
    app.get(responder.path, respondOrDeny, { parse: 'none' });
  }
  return app.onError(async ({ request }) => finish(request, await unmatched(request, peerOf(request))));
}

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
  response.headers.set('X-Content-Type-Options', 'nosniff');
  response.headers.set('Content-Security-Policy', "default-src 'none'; sandbox");
  return response;
}
