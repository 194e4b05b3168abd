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
 * An HTTP application that serves the routes below `prefix`, and answers what no route matches. Elysia routes (natively in
 * Bun's server); everything the contract promises happens in the pipeline, so no lifecycle hook of the framework decides
 * which error a client sees.
 */
export function createHttpApp(
  routes: readonly Route[],
  prefix: string,
  { pipeline, draining: { mark } }: HttpAppDependencies,
) {
  const app = new Elysia({ strictPath: true, normalize: false });
  // Not the context's `server`: Elysia would define a getter for it on every request.
  const peerOf: PeerOf = (request) => () => app.server?.requestIP(request)?.address ?? '';
  const definitions = routes.map(({ definition }) => definition);
  const unmatched = createUnmatchedHandler(definitions, prefix, pipeline);
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
  /** Serves a request handler. Elysia's own HEAD of a GET route loses the headers, hence the second registration. */
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
  const upgradeSocket: UpgradeSocket = (request, data, headers) =>
    app.server?.upgrade(request, { data, headers }) ?? false;
  for (const route of routes) {
    const { method, path } = route.definition;
    addHandler(method, `${prefix}${path}`, createRequestHandler(route, { ...pipeline, upgradeSocket }, mark));
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
  return { app, addHandler, addOutside, addOperational };
}

type PeerOf = (request: Request) => () => string;

/**
 * Bound before Elysia sees it: Elysia reads the source of a handler to judge whether it is asynchronous, and wraps
 * every call in a promise when it may be (2 µs a request). A bound function shows no source, and a promise that it
 * returns is awaited all the same.
 */
function respond(
  handle: RequestHandler,
  peerOf: PeerOf,
  { request, params }: { request: Request; params: Record<string, string> },
): Response | Promise<Response> {
  return handle(request, params, peerOf(request));
}
