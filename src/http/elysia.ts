import { Elysia } from 'elysia';
import type { Draining } from './operational/draining.ts';
import type { OperationalResponder } from './operational/outside-pipeline.ts';
import { createOutsideHandlers, type OutsideResponder } from './operational/outside-pipeline.ts';
import { createUnmatchedHandler } from './operational/unmatched.ts';
import { createRequestHandler, type PipelineDependencies, type RequestHandler } from './request-pipeline.ts';
import type { Route } from './route.ts';
import type { UpgradeSocket } from './streams/open-stream.ts';

export interface HttpAppDependencies {
  pipeline: PipelineDependencies;
  draining: Draining;
}

/**
 * An HTTP application that serves the routes below `prefix` and responds to unmatched requests. Elysia only
 * routes (natively in Bun's server). The pipeline alone decides on responses: no lifecycle hook of the
 * framework chooses an error. Paths with a wildcard are Bun's own: Elysia's router searches the path behind the 11th
 * character of `request.url`, and finds another one where there is no host or a short one.
 */
export function createHttpApp(
  routes: readonly Route[],
  prefix: string,
  { pipeline, draining: { mark } }: HttpAppDependencies,
) {
  const catchAll: Record<string, CatchAll> = {};
  const app = new Elysia({ strictPath: true, normalize: false, serve: { routes: catchAll } });
  // Not the context's `server`: Elysia would define a getter for it on every request.
  const peerOf: PeerOf = (request) => () => app.server?.requestIP(request)?.address ?? '';
  const definitions = routes.map(({ definition }) => definition);
  const unmatched = createUnmatchedHandler(definitions, prefix, pipeline);
  const outside = createOutsideHandlers(pipeline, mark);
  const unmatchedHandler = outside(unmatched);
  catchAll['/*'] = (request) => unmatchedHandler(request, peerOf(request), {});
  // Before the routes: Elysia applies a hook only to routes added after it.
  app.onError(({ request, error }) => {
    const fail = outside(() => {
      throw error;
    });
    return fail(request, peerOf(request), {});
  });
  /**
   * Registers a request handler. HEAD is registered too, because Elysia's own HEAD of a GET route loses the
   * headers.
   */
  const addHandler = (method: string, path: string, handle: RequestHandler) => {
    for (const verb of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      app.route(
        verb,
        path,
        respond.bind(undefined, handle, peerOf),
        method === 'GET' ? {} : { parse: 'none' },
      );
    }
  };
  const upgradeSocket: UpgradeSocket = (request, data, headers) => {
    // Bun would choose the first one that the client offers; there is none (contract/streams#websocket).
    request.headers.delete('sec-websocket-protocol');
    return app.server?.upgrade(request, { data, headers }) ?? false;
  };
  for (const route of routes) {
    const { method, path } = route.definition;
    addHandler(method, `${prefix}${path}`, createRequestHandler(route, { ...pipeline, upgradeSocket }, mark));
  }
  /** Registers a path outside the contract. */
  const addOutside = (path: string, responder: OutsideResponder, verbs = ['GET', 'HEAD']) => {
    const handle = outside(responder);
    if (path.endsWith('*')) {
      const respondTo = (request: Request) => handle(request, peerOf(request), {});
      catchAll[path] = Object.fromEntries(verbs.map((verb) => [verb, respondTo]));
      return;
    }
    for (const verb of verbs)
      app.route(verb, path, ({ request, params }) => handle(request, peerOf(request), params), {
        parse: 'none',
      });
  };
  /** Registers an operational path; a client that may not see it gets the response of an unknown path. */
  const addOperational = ({ path, respond: respondTo }: OperationalResponder) =>
    addOutside(
      path,
      async (request, peer, params) => (await respondTo(request, peer, params)) ?? unmatched(request, peer),
      ['GET'],
    );
  return { app, addHandler, addOutside, addOperational };
}

/** Bun's own form of a route, for all methods or by method. */
type CatchAll = NativeHandler | Record<string, NativeHandler>;
type NativeHandler = (request: Request) => Response | Promise<Response>;

type PeerOf = (request: Request) => () => string;

/**
 * Binds the handler before Elysia sees it: Elysia reads the source of a handler to judge whether it is
 * asynchronous, and wraps every call in a promise when it may be (2 µs a request). A bound function shows no
 * source, and Elysia still awaits its promise.
 */
function respond(
  handle: RequestHandler,
  peerOf: PeerOf,
  { request, params }: { request: Request; params: Record<string, string> },
): Response | Promise<Response> {
  return handle(request, params, peerOf(request));
}
