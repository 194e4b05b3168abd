import { Elysia } from 'elysia';
import type { ApiDependencies } from './deps.ts';
import { createDocumentation } from './documentation/documentation.ts';
import { feeRoutes } from './features/fees/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { manifestRoutes } from './features/manifest/routes.ts';
import { marketRoutes } from './features/market/routes.ts';
import { RESULTS_PATH } from './features/operations/results/links.ts';
import { serveResult } from './features/operations/results/serve-result.ts';
import { operationRoutes } from './features/operations/routes.ts';
import { predictionRoutes } from './features/predictions/routes.ts';
import { presaleRoutes } from './features/presales/routes.ts';
import { stakingRoutes } from './features/staking/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { transactionIntentRoutes } from './features/transaction-intents/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { createRequestHandler, type RequestHandler } from './http/contract.ts';
import type { Route } from './http/operation.ts';
import { endUnreadBody } from './http/request-body.ts';
import { systemResponders } from './http/system.ts';
import { API_PREFIX, createUnmatchedHandler } from './http/unmatched.ts';

/** Every route of the contract; order is that of contract/endpoints#operations. */
export function contractRoutes(dependencies: ApiDependencies): readonly Route[] {
  return [
    ...manifestRoutes(dependencies),
    ...identityRoutes(),
    ...tokenRoutes(dependencies),
    ...marketRoutes(dependencies),
    ...stakingRoutes(dependencies),
    ...feeRoutes(dependencies),
    ...presaleRoutes(dependencies),
    ...predictionRoutes(dependencies),
    ...operationRoutes(dependencies),
    ...transactionIntentRoutes(dependencies),
    ...webhookRoutes(dependencies),
  ];
}

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
    const handle = createRequestHandler(route, dependencies.contract);
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
  const finish = (request: Request, response: Response) => mark(endUnreadBody(request, response));
  const { deadlines } = dependencies.contract;
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
      const answer = async ({ request }: { request: Request }) =>
        finish(request, await documentation.respond(request));
      app.route(verb, path, answer, { parse: 'none' });
    }
  }

  const unmatched = createUnmatchedHandler(operations, dependencies.contract);
  for (const { path, respond } of systemResponders(dependencies.system)) {
    const answer = async ({ request }: { request: Request }) => {
      const peer = peerOf(request);
      return finish(request, (await respond(request, peer)) ?? (await unmatched(request, peer)));
    };
    app.get(path, answer, { parse: 'none' });
  }
  return app.onError(async ({ request }) => finish(request, await unmatched(request, peerOf(request))));
}

function unavailableResponse(): Response {
  const headers = { 'Cache-Control': 'private, no-store', 'Retry-After': '1' };
  return new Response('unavailable\n', { status: 503, headers });
}

/**
 * Bound before Elysia sees it: Elysia reads the source of a handler to judge whether it is asynchronous, and wraps
 * every call in a promise when it may be (2 us a request). A bound function shows no source, and a promise that it
 * returns is awaited all the same.
 */
function respond(
  handle: RequestHandler,
  peerOf: (request: Request) => () => string,
  mark: (response: Response) => Response,
  { request, params }: { request: Request; params: Record<string, string> },
): Response | Promise<Response> {
  const answer = handle(request, params, peerOf(request));
  return answer instanceof Promise ? answer.then(mark) : mark(answer);
}
