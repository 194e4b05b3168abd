import type { Destination } from '../../src/shared/webhooks/resolve.ts';
import { connectionFailure, errorCode } from './attempt-failure.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { HttpResponse, Phases } from './http-connection.ts';

export interface Post {
  endpointId: string;
  destination: Destination;
  /** The destination came from a response. */
  isRedirect: boolean;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/** Would end a header field, or hide where it ends. */
const FIELD_BREAK = /[\r\n\0]/;

/**
 * POSTs to one of the destination's vetted addresses: the connection goes to the address, SNI, certificate
 * check and `Host` use the name. The next address is tried when no connection could be established. A reused
 * connection that the server closed at that moment is replaced. Rejects with AttemptFailure, or with the reason of
 * the signal.
 */
export async function postToAddress(
  post: Post,
  connections: ConnectionPool,
  signal: AbortSignal,
  onPhases: (phases: Phases) => void,
): Promise<HttpResponse> {
  const { endpointId, destination, isRedirect } = post;
  const request = requestOf(post);
  let failure: unknown;
  for (const address of destination.addresses) {
    for (let next: 'same' | 'another' = 'same'; next === 'same'; ) {
      signal.throwIfAborted();
      const taken = connections.take(endpointId, destination, address, isRedirect);
      const phases = newPhases(address, taken.isReused);
      onPhases(phases);
      try {
        const response = await taken.connection.send(request, phases, signal);
        taken.release();
        return response;
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
        // Each try uses up one idle connection, so this ends with a new one.
        const reusedWasClosed = phases.reused && phases.firstByteMs === null && isClosedEarly(error);
        if (!reusedWasClosed && (phases.reused || phases.connectedMs !== null))
          throw connectionFailure(error, null);
        next = reusedWasClosed ? 'same' : 'another';
      }
    }
  }
  throw connectionFailure(failure ?? new Error('no address'), null);
}

/** The bytes of the request, in one piece: a packet for most events, and one call of the system. */
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

/** The server may close an idle connection at any time, also while a request is on its way. */
function isClosedEarly(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'].includes(errorCode(error));
}

function newPhases(address: string, reused: boolean): Phases {
  const startMs = performance.now();
  return { address, startMs, connectedMs: null, securedMs: null, firstByteMs: null, reused };
}
