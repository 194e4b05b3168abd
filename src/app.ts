import { Elysia } from 'elysia';
import type { Server } from 'elysia/universal/server';
import type { ApiDependencies } from './deps.ts';
import { createDocumentation } from './documentation/documentation.ts';
import { feeRoutes } from './features/fees/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { manifestRoutes } from './features/manifest/routes.ts';
import { marketRoutes } from './features/market/routes.ts';
import { operationRoutes } from './features/operations/routes.ts';
import { predictionRoutes } from './features/predictions/routes.ts';
import { presaleRoutes } from './features/presales/routes.ts';
import { stakingRoutes } from './features/staking/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { transactionIntentRoutes } from './features/transaction-intents/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { createRequestHandler } from './http/contract.ts';
import type { Route } from './http/operation.ts';
import { systemResponders } from './http/system.ts';
import { API_PREFIX, createUnmatchedHandler } from './http/unmatched.ts';

/** Every route of the contract; order is that of spec 4. */
export function contractRoutes(dependencies: ApiDependencies): readonly Route[] {
  return [
    ...manifestRoutes(dependencies),
    ...identityRoutes(),
    ...tokenRoutes(dependencies),
    ...marketRoutes(dependencies),
    ...stakingRoutes(),
    ...feeRoutes(),
    ...presaleRoutes(),
    ...predictionRoutes(),
    ...operationRoutes(),
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

  for (const route of routes) {
    const handle = createRequestHandler(route, dependencies.contract);
    const { method, path } = route.operation;
    // Elysia's own HEAD of a GET route loses the headers, hence the second registration.
    for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      app.route(
        verb,
        `${API_PREFIX}${path}`,
        ({ request, params, server }) => handle(request, params, () => peerAddress(server, request)),
        { parse: 'none' },
      );
    }
  }
  for (const { path, respond } of systemResponders(dependencies.system)) {
    app.get(path, () => respond(), { parse: 'none' });
  }

  const operations = routes.map(({ operation }) => operation);
  const documentation = createDocumentation(operations, dependencies.documentation);
  for (const path of documentation.paths) {
    for (const verb of ['GET', 'HEAD']) {
      app.route(verb, path, ({ request }) => documentation.respond(request), { parse: 'none' });
    }
  }

  const unmatched = createUnmatchedHandler(operations, dependencies.contract);
  return app.onError(({ request, server }) => unmatched(request, () => peerAddress(server, request)));
}

function peerAddress(server: Server | null, request: Request): string {
  return server?.requestIP(request)?.address ?? '';
}
