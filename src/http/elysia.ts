import type { BunRequest } from 'bun';
import { Elysia } from 'elysia';
import type { Draining } from './operational/draining.ts';
import {
  createOutsideHandlers,
  type OperationalResponder,
  type OutsideResponder,
} from './operational/outside-pipeline.ts';
import { createUnmatchedHandler } from './operational/unmatched.ts';
import type { PeerLookup } from './request-context.ts';
import { createRequestHandler, type PipelineDependencies, type RequestHandler } from './request-pipeline.ts';
import type { Route, RouteDefinition } from './route.ts';
import type { UpgradeSocket } from './streams/open-stream.ts';

export interface HttpAppDependencies {
  pipeline: PipelineDependencies;
  draining: Draining;
}

/**
 * An HTTP application that serves the routes below `prefix` and responds to unmatched requests. Elysia starts the server
 * and takes no part in a request: all paths are routes of Bun's own router (decision 0121), and the pipeline alone decides
 * on responses.
 */
export function createHttpApp(
  routes: readonly Route[],
  prefix: string,
  { pipeline, draining: { mark } }: HttpAppDependencies,
) {
  const handlers: NativeHandlers = {};
  const app = new Elysia({ serve: { routes: handlers, error: (error) => lastResort(error, pipeline) } });
  const peerOf: PeerLookup = (request) => app.server?.requestIP(request)?.address ?? '';
  const definitions = routes.map(({ definition }) => definition);
  const unmatched = createUnmatchedHandler(definitions, prefix, pipeline);
  const outside = createOutsideHandlers(pipeline, mark);
  const unmatchedHandler = outside(unmatched);
  // Bun calls this for a path without an entry, and for a method that the entry of its path lacks.
  const handleUnmatched = (request: Request) => unmatchedHandler(request, peerOf, {});
  const headUnmatched = withDate(handleUnmatched);
  handlers['/*'] = (request) => (request.method === 'HEAD' ? headUnmatched : handleUnmatched)(request);
  /** Registers a handler of Bun for a method of a path, and for HEAD where Bun has none: it makes none of a GET. */
  const register = (method: RouteDefinition['method'], path: string, handle: NativeHandler) => {
    const head = method === 'GET' ? { HEAD: withDate(handle) } : {};
    handlers[path] = { ...handlers[path], [method]: handle, ...head };
  };
  const addHandler = (method: RouteDefinition['method'], path: string, handle: RequestHandler) =>
    register(method, path, (request) => handle(request, request.params, peerOf));
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
  const addOutside = (path: string, responder: OutsideResponder) => {
    const handle = outside(responder);
    register('GET', path, (request) => handle(request, peerOf, request.params));
  };
  /** Registers an operational path; a client that may not see it gets the response of an unknown path. */
  const addOperational = ({ path, respond }: OperationalResponder) =>
    addOutside(
      path,
      async (request, peer, params) => (await respond(request, peer, params)) ?? unmatched(request, peer),
    );
  return { app, addHandler, addOutside, addOperational };
}

/** A handler in the form of Bun's router, which has decoded the path parameters. */
type NativeHandler = (request: BunRequest) => Response | Promise<Response>;

/** Handlers by path, then by method; a function for all methods. */
type NativeHandlers = Record<string, NativeHandler | Record<string, NativeHandler>>;

/** Bun gives every response its `Date` (RFC 9110, 6.6.1) but those to HEAD (reference/runtime#head-date). */
function withDate(handle: NativeHandler): NativeHandler {
  return async (request) => {
    const response = await handle(request);
    response.headers.set('Date', new Date().toUTCString());
    return response;
  };
}

/**
 * The response when even the response of a failure has failed: Bun's own would show the error. Nothing is known of the
 * request, so its connection is closed with it: its body may not have ended.
 */
function lastResort(error: Error, { log }: PipelineDependencies): Response {
  log.error({ err: error }, 'request.failed');
  const headers = { 'Cache-Control': 'private, no-store', Connection: 'close' };
  return new Response(null, { status: 500, headers });
}
