import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Destination } from '../../src/shared/webhooks/resolve.ts';
import { AttemptFailure, connectionFailure, errorCode } from './attempt-failure.ts';
import type { ConnectionLease } from './connection-pool.ts';
import { type BodyStart, readBodyStart } from './response-body.ts';

export interface Post {
  destination: Destination;
  /** The destination came from a response. */
  isRedirect: boolean;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface PostResponse extends BodyStart {
  status: number;
  location: string | null;
  retryAfter: string | null;
}

/** Filled in while a request runs, so that a failed one shows how far it came. Monotonic milliseconds. */
export interface Phases {
  address: string | null;
  startMs: number;
  connectedMs: number | null;
  securedMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
}

/** Interim responses (1xx) after which the attempt fails. */
const INTERIM_RESPONSES_MAX = 32;

/**
 * POSTs to one of the destination's vetted addresses: the connection goes to the address, SNI, certificate
 * check and `Host` use the name. The next address is tried when no connection could be established. A reused
 * connection that the server closed at that moment is replaced. Rejects with AttemptFailure, or with the reason of
 * the signal.
 */
export async function postToAddress(
  post: Post,
  lease: ConnectionLease,
  signal: AbortSignal,
  onPhases: (phases: Phases) => void,
): Promise<PostResponse> {
  let failure: AttemptFailure | null = null;
  for (const address of post.destination.addresses) {
    for (let next: 'same' | 'another' = 'same'; next === 'same'; ) {
      const phases = newPhases(address);
      onPhases(phases);
      try {
        return await exchange(post, lease, signal, phases);
      } catch (error) {
        signal.throwIfAborted();
        failure = connectionFailure(error, null);
        // Each try uses up one idle connection, so this ends with a new one.
        const reusedWasClosed = phases.reused && phases.firstByteMs === null && isClosedEarly(error);
        if (!reusedWasClosed && (phases.reused || phases.connectedMs !== null)) throw failure;
        next = reusedWasClosed ? 'same' : 'another';
      }
    }
  }
  throw failure ?? new AttemptFailure('network_error', 'no address');
}

function exchange(
  post: Post,
  lease: ConnectionLease,
  signal: AbortSignal,
  phases: Phases,
): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = open(post, lease, phases.address ?? '');
    let interimResponses = 0;
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', onAbort);
      request.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('socket', (socket) => observe(socket, request, phases));
    // Never removed: a destroyed request may emit another error later.
    request.on('error', fail);
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new AttemptFailure('network_error', 'the destination switched protocols', 101));
    });
    request.on('information', () => {
      interimResponses += 1;
      if (interimResponses > INTERIM_RESPONSES_MAX)
        fail(new AttemptFailure('network_error', 'too many 1xx responses'));
    });
    request.on('response', (response) => {
      phases.firstByteMs = performance.now();
      readBodyStart(response).then(
        (bodyStart) => {
          signal.removeEventListener('abort', onAbort);
          if (!bodyStart.complete) request.destroy();
          resolve({ ...headOf(response), ...bodyStart });
        },
        (error: unknown) => fail(connectionFailure(error, response.statusCode ?? null)),
      );
    });
    request.end(post.body);
  });
}

function open(
  { destination, isRedirect, headers, body }: Post,
  lease: ConnectionLease,
  address: string,
): ClientRequest {
  const { url, hostname, isAddress, port } = destination;
  const isHttps = url.protocol === 'https:';
  const options = {
    host: address,
    port,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    agent: lease.agent(url.protocol, isRedirect),
    headers: { host: url.host, ...headers, 'content-length': String(body.byteLength) },
    // Only for names: SNI must not carry an address (RFC 6066 section 3).
    ...(isHttps && !isAddress ? { servername: hostname } : {}),
  };
  return isHttps ? httpsRequest(options) : httpRequest(options);
}

function observe(socket: Socket, request: ClientRequest, phases: Phases): void {
  phases.reused = request.reusedSocket;
  if (phases.reused) return;
  socket.once('connect', () => {
    phases.connectedMs = performance.now();
  });
  socket.once('secureConnect', () => {
    phases.securedMs = performance.now();
  });
}

function headOf(response: IncomingMessage): Omit<PostResponse, keyof BodyStart> {
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location ?? null,
    retryAfter: response.headers['retry-after'] ?? null,
  };
}

function isClosedEarly(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'].includes(errorCode(error));
}

function newPhases(address: string): Phases {
  const startMs = performance.now();
  return { address, startMs, connectedMs: null, securedMs: null, firstByteMs: null, reused: false };
}
