import type { Destination } from '../../src/shared/webhooks/resolve.ts';
import { AttemptFailure, connectionFailure, errorCode } from './attempt-failure.ts';
import type { ConnectionPool, TakenConnection } from './connection-pool.ts';
import { newPhases, openFirst } from './happy-eyeballs.ts';
import type { HttpResponse, Phases } from './http-connection.ts';

export interface Post {
  endpointId: string;
  destination: Destination;
  /** Whether the destination came from a response. */
  isRedirect: boolean;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** Characters that end a header field or hide its end. */
const FIELD_BREAK = /[\r\n\0]/;

/**
 * POSTs to one of the destination's checked addresses. The connection goes to the address; SNI, certificate check and
 * `Host` use the name. Idle connections of the endpoint come first. If the server closes one at that moment, or sends
 * the rest of an earlier response on it, another one is used. A new connection goes to the first address that can be
 * reached. Rejects with AttemptFailure, or with the reason of the signal.
 */
export async function postToAddress(
  post: Post,
  connections: ConnectionPool,
  signal: AbortSignal,
  onPhases: (phases: Phases) => void,
): Promise<HttpResponse> {
  const { endpointId, destination, isRedirect } = post;
  const request = requestOf(post);
  for (;;) {
    const idle = isRedirect ? undefined : connections.takeIdle(endpointId, destination);
    if (idle === undefined) break;
    const phases = newPhases(idle.address, true);
    onPhases(phases);
    try {
      const response = await idle.connection.send(request, phases, signal);
      idle.release();
      return response;
    } catch (error) {
      signal.throwIfAborted();
      // Each try uses up one idle connection, so the loop ends.
      if (phases.firstByteMs !== null || !(isClosedEarly(error) || isNoResponse(error)))
        throw connectionFailure(error);
    }
  }
  try {
    const { taken, phases } = await openNew(post, connections, signal, onPhases);
    const response = await taken.connection.send(request, phases, signal);
    taken.release();
    return response;
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(error);
  }
}

/** A new connection for the request. If there is only one address, the connection need not be made yet. */
async function openNew(
  { endpointId, destination, isRedirect }: Post,
  connections: ConnectionPool,
  signal: AbortSignal,
  onPhases: (phases: Phases) => void,
): Promise<{ taken: TakenConnection; phases: Phases }> {
  const { addresses } = destination;
  const [only] = addresses;
  const open = (address: string) => connections.open(endpointId, destination, address, isRedirect);
  // Most destinations have one address, and need no race.
  if (only === undefined || addresses.length > 1)
    return await openFirst({ addresses, open, signal, onPhases });
  const phases = newPhases(only, false);
  onPhases(phases);
  return { taken: open(only), phases };
}

/** The request in one piece, which is one system call, and one packet for most events. */
function requestOf({ destination: { url }, isRedirect, headers, body }: Post): Buffer {
  const fields = Object.entries({
    host: url.host,
    ...headers,
    'content-length': String(body.byteLength),
    connection: isRedirect ? 'close' : 'keep-alive',
  });
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n`;
  for (const [name, value] of fields) {
    if (FIELD_BREAK.test(value)) throw new Error(`the value of ${name} is no header field`);
    head += `${name}: ${value}\r\n`;
  }
  head += '\r\n';
  const request = Buffer.allocUnsafe(head.length + body.byteLength);
  request.write(head, 'latin1');
  request.set(body, head.length);
  return request;
}

/** The server may close an idle connection at any time, even while a request is in transit. */
function isClosedEarly(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'].includes(errorCode(error));
}

/** On an idle connection these may be bytes after the response before, which its framing does not count. */
function isNoResponse(error: unknown): boolean {
  return error instanceof AttemptFailure && error.reason === 'response_malformed';
}
