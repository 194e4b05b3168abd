import { openApiDocument } from '../documentation/openapi/document.ts';
import { internalSurface } from '../documentation/openapi/surface.ts';
import { createHttpApp } from '../http/elysia.ts';
import { operationalResponders } from '../http/operational/operational-paths.ts';
import { INTERNAL_PREFIX } from '../shared/api-prefix.ts';
import type { InternalDependencies } from './dependencies.ts';
import { internalRoutes } from './routes.ts';

/**
 * The application of the internal API (contract/internal-api), with the same pipeline and its own OpenAPI
 * document.
 */
export function createInternalApp(dependencies: InternalDependencies, routes = internalRoutes(dependencies)) {
  const { app, addOutside, addOperational } = createHttpApp(routes, INTERNAL_PREFIX, dependencies);
  const definitions = routes.map(({ definition }) => definition);
  const document = JSON.stringify(openApiDocument(definitions, dependencies.documentation, internalSurface));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  addOutside(
    `${INTERNAL_PREFIX}/openapi.json`,
    ({ method }) => new Response(method === 'GET' ? document : null, { headers }),
  );
  for (const responder of operationalResponders(dependencies.operational)) addOperational(responder);
  return app;
}
