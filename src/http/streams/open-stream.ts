import { Problem } from '../../shared/problem.ts';
import { problemStatus } from '../../shared/problem-table.ts';
import {
  type AdmissionDependencies,
  admitAnonymous,
  admitKey,
  authenticatePresented,
  drawForMessage,
} from '../access/admission.ts';
import { clientNetwork, clientSubject } from '../access/client-address.ts';
import type { InputCheck } from '../bodies/input.ts';
import type { Exchange } from '../exchange.ts';
import { asProblem, problemBody } from '../problems/problem-response.ts';
import { forbidCaching, requestHeaders } from '../responses/response-headers.ts';
import type { ProblemDependencies } from '../responses/responses.ts';
import { isDependencyFailure } from '../responses/responses.ts';
import type { Route } from '../route.ts';
import type { SocketSession } from './socket-session.ts';
import type { StreamCaller } from './stream-caller.ts';

/** Upgrades the connection of a request to a WebSocket; false when the request is no handshake. */
export type UpgradeSocket = (request: Request, session: SocketSession, headers: Headers) => boolean;

export interface OpenStreamDependencies extends AdmissionDependencies, ProblemDependencies {
  /** The server's upgrade; absent where no stream is served. */
  upgradeSocket?: UpgradeSocket;
}

/**
 * Opens a stream. Only topics of an account need a key: a request with a key counts against the key, any
 * other against the client address.
 */
export async function openStream(
  route: Route & { kind: 'stream' },
  exchange: Exchange,
  check: InputCheck,
  dependencies: OpenStreamDependencies,
): Promise<Response> {
  const { context, templates } = exchange;
  const { request } = context;
  const hasKey = request.headers.has('authorization');
  const principal = hasKey ? await admitKey(exchange, dependencies) : null;
  if (principal === null) await admitAnonymous(exchange, dependencies);
  const input = check(request, {}, null, exchange.client);
  const caller: StreamCaller = {
    principal,
    subject: principal?.id ?? clientSubject(context, dependencies.trustedProxyHops),
    network: clientNetwork(context, dependencies.trustedProxyHops),
    isFromPage: request.headers.has('origin'),
    lastEventId: request.headers.get('last-event-id'),
    signal: request.signal,
    authenticate: (key) => authenticatePresented(`Bearer ${key}`, context, dependencies),
    drawTopics: (subject, count) =>
      drawForMessage('stream-subscribe', { subject, cost: count }, dependencies),
    describe: (error) => describe(error, exchange, dependencies),
  };
  const isSocket = isUpgrade(request);
  const stream = await route.open(input, caller, isSocket);

  const headers = requestHeaders(templates.base, exchange);
  if (isSocket && request.method === 'GET') {
    const session = stream.toSocket();
    if (dependencies.upgradeSocket?.(request, session, headers) !== true) {
      session.closed();
      throw new Problem('validation_failed', {
        errors: [{ path: '/header/upgrade', code: 'invalid_value', message: 'is no WebSocket handshake' }],
      });
    }
    // The connection is a WebSocket already: nobody reads this response.
    return new Response(null);
  }
  forbidCaching(headers);
  headers.set(
    'Cache-Control',
    principal === null ? 'no-store, no-transform' : 'private, no-store, no-transform',
  );
  headers.set('Content-Type', 'text/event-stream');
  // Proxies that buffer responses would hold messages back.
  headers.set('X-Accel-Buffering', 'no');
  return new Response(request.method === 'HEAD' ? null : stream.toEvents(), { headers });
}

function isUpgrade(request: Request): boolean {
  return request.headers.get('upgrade')?.toLowerCase() === 'websocket';
}

function describe(
  error: unknown,
  { context, definition }: Exchange,
  { docsUrl, log }: OpenStreamDependencies,
): object {
  const problem = isDependencyFailure(error)
    ? new Problem(definition.unavailable ?? 'api_dependency_unavailable', { cause: error })
    : asProblem(error);
  const status = problemStatus(problem.code, definition.method);
  const { requestId } = context;
  if (status >= 500)
    log.error({ requestId, code: problem.code, err: problem.cause }, 'stream.message_failed');
  return JSON.parse(problemBody(problem, status, context, docsUrl));
}
