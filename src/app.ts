import { Elysia } from 'elysia';
import type { ApiDependencies } from './api-dependencies.ts';
import { contractRoutes } from './contract-operations.ts';
import { createDocumentation } from './documentation/documentation.ts';
import { METADATA_PATH } from './features/launches/metadata-document.ts';
import { tokenMetadataRoute } from './features/launches/routes.ts';
import { RESULTS_PATH } from './features/operations/results/links.ts';
import { serveResult } from './features/operations/results/serve-result.ts';
import { operationalResponders } from './http/operational-paths.ts';
import { endUnreadBody } from './http/request-body.ts';
import { createRequestHandler, type RequestHandler } from './http/request-pipeline.ts';
import { createUnmatchedHandler } from './http/unmatched.ts';
import { API_PREFIX } from './shared/api-prefix.ts';

/**
 * The HTTP application. Elysia routes (natively in Bun's server); everything the contract promises happens in
 * `http/`, so no lifecycle hook of the framework decides which error a client sees.
 */
export function createApp(dependencies: ApiDependencies, routes = contractRoutes(dependencies)) {
  const app = new Elysia({ strictPath: true, normalize: false });
  // Not the context's `server`: Elysia would define a getter for it on every request.
  const peerOf = (request: Request) => () => app.server?.requestIP(request)?.address ?? '';
  const { mark } = dependencies.draining;

  for (const route of routes) {
    const handle = createRequestHandler(route, dependencies.pipeline);
    const { method, path } = route.operation;
    // Elysia's own HEAD of a GET route loses the headers, hence the second registration.
    for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      app.route(
        verb,
        `${API_PREFIX}${path}`,
        respond.bind(undefined, handle, peerOf, mark),
        method === 'GET' ? {} : { parse: 'none' },
      );
    }
  }
  const metadata = createRequestHandler(tokenMetadataRoute(dependencies), dependencies.pipeline);
  for (const verb of ['GET', 'HEAD']) {
    app.route(verb, `${METADATA_PATH}/:mint`, respondInert.bind(undefined, metadata, peerOf, mark), {
      parse: 'none',
    });
  }
  const finish = (request: Request, response: Response) => mark(endUnreadBody(request, response));
  const { deadlines } = dependencies.pipeline;
  for (const verb of ['GET', 'HEAD']) {
    app.route(
      verb,
      `${RESULTS_PATH}/:operationId`,
      async ({ request, params }) => {
        const served = serveResult(request, params.operationId ?? '', dependencies.results);
        return finish(request, await deadlines.within(served, unavailableResponse));
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

  const unmatched = createUnmatchedHandler(operations, dependencies.pipeline);
  for (const { path, respond } of operationalResponders(dependencies.operational)) {
    const respondOrDeny = async ({ request }: { request: Request }) => {
      const peer = peerOf(request);
      return finish(request, (await respond(request, peer)) ?? (await unmatched(request, peer)));
    };
    app.get(path, respondOrDeny, { parse: 'none' });
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
  mark: (response: Response) => Response,
  { request, params }: { request: Request; params: Record<string, string> },
): Response | Promise<Response> {
  const response = handle(request, params, peerOf(request));
  return response instanceof Promise ? response.then(mark) : mark(response);
}

/** As `respond`, with a document that others wrote: no browser takes it for a page. */
async function respondInert(...given: Parameters<typeof respond>): Promise<Response> {
  const response = await respond(...given);
  response.headers.set('X-Content-Type-Options', 'nosniff');
  response.headers.set('Content-Security-Policy', "default-src 'none'; sandbox");
  return response;
}
