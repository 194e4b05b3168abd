import { createDocumentation } from '../documentation/documentation.ts';
import { imageFileRoute } from '../features/images/routes.ts';
import { METADATA_PATH } from '../features/launches/metadata-document.ts';
import { tokenMetadataRoute } from '../features/launches/routes.ts';
import { RESULTS_PATH } from '../features/operations/results/links.ts';
import { serveResult } from '../features/operations/results/serve-result.ts';
import { createHttpApp } from '../http/elysia.ts';
import { publicResponders } from '../http/operational/operational-paths.ts';
import { queryOf } from '../http/request-address.ts';
import { createRequestHandler, type RequestHandler } from '../http/request-pipeline.ts';
import { refuseUnknownQuery } from '../http/route.ts';
import { API_PREFIX } from '../shared/api-prefix.ts';
import { IMAGES_PATH } from '../shared/image-address.ts';
import type { ApiDependencies } from './dependencies.ts';
import { contractRoutes } from './routes.ts';

/** The application of the public API: the contract, its documentation, and the paths outside the contract. */
export function createApp(dependencies: ApiDependencies, routes = contractRoutes(dependencies)) {
  const served = dependencies.strictQuery ? routes.map(refuseUnknownQuery) : routes;
  const { app, addHandler, addOutside, addOperational } = createHttpApp(served, API_PREFIX, dependencies);
  const { mark } = dependencies.draining;
  const metadata = createRequestHandler(tokenMetadataRoute(dependencies), dependencies.pipeline, mark);
  addHandler('GET', `${METADATA_PATH}/:mint`, inert(metadata));
  const images = createRequestHandler(imageFileRoute(dependencies), dependencies.pipeline, mark);
  addHandler('GET', `${IMAGES_PATH}/:hash`, images);
  const { deadlines } = dependencies.pipeline;
  addOutside(`${RESULTS_PATH}/:operationId`, (request, _peerOf, { operationId = '' }) => {
    const asked = { method: request.method, query: new URLSearchParams(queryOf(request)) };
    return deadlines.within(serveResult(asked, operationId, dependencies.results), {
      inTime: (response) => response,
      failed(error) {
        throw error;
      },
      expired: unavailableResponse,
    });
  });

  const definitions = routes.map(({ definition }) => definition);
  const documentation = createDocumentation(definitions, dependencies.documentation);
  for (const path of documentation.paths) addOutside(path, (request) => documentation.respond(request));
  for (const responder of publicResponders(dependencies.operational)) addOperational(responder);
  return app;
}

function unavailableResponse(): Response {
  const headers = { 'Cache-Control': 'private, no-store', 'Retry-After': '1' };
  return new Response('unavailable\n', { status: 503, headers });
}

/** For documents of other authors: no browser interprets one as a page. */
function inert(handle: RequestHandler): RequestHandler {
  return async (...given) => {
    const response = await handle(...given);
    response.headers.set('Content-Security-Policy', "default-src 'none'; sandbox");
    return response;
  };
}
