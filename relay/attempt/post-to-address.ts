import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Destination } from '../../src/shared/webhooks/resolve.ts';
import type { AgentLease } from './connection-pool.ts';
import { AttemptFailure, connectionFailure, errorCode } from './attempt-failure.ts';
import { type BodyStart, readBodyStart } from './response-body.ts';

export interface Post {
  destination: Destination;
  /** The destination came from an answer. */
  isRedirect: boolean;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface Answer extends BodyStart {
  status: number;
  location: string | null;
  retryAfter: string | null;
}

/** Filled while a request runs, so that a failed one tells how far it got. Monotonic milliseconds. */
export interface Phases {
  address: string | null;
  startMs: number;
  connectedMs: number | null;
  securedMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
}

/** Interim answers (1xx) after which a destination is not taken seriously any more. */
const INTERIM_ANSWERS_MAX = 32;

/**
 * POSTs to one of the destination's vetted addresses: the connection goes to the address, SNI, certificate
 * check and `Host` use the name. The next address is tried when no connection came about. A kept connection
 * that the server closed at that moment is replaced. Rejects with AttemptFailure; the signal ends it at
 * any point with its reason.
 */
export async function dial(
  post: Post,
  lease: AgentLease,
  signal: AbortSignal,
  onPhases: (phases: Phases) => void,
): Promise<Answer> {
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
        // Each try consumes one kept connection, so this ends with a new one.
        const keptWasClosed = phases.reused && phases.firstByteMs === null && isClosedEarly(error);
        if (!keptWasClosed && (phases.reused || phases.connectedMs !== null)) throw failure;
        next = keptWasClosed ? 'same' : 'another';
      }
    }
  }
  throw failure ?? new AttemptFailure('network_error', 'no address');
}

function exchange(post: Post, lease: AgentLease, signal: AbortSignal, phases: Phases): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = open(post, lease, phases.address ?? '');
    let interimAnswers = 0;
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', onAbort);
      request.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    request.on('socket', (socket) => observe(socket, request, phases));
    // Stays for ever: a destroyed request may emit another error later.
    request.on('error', fail);
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new AttemptFailure('network_error', 'the destination switched protocols', 101));
    });
    request.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > INTERIM_ANSWERS_MAX)
        fail(new AttemptFailure('network_error', 'too many 1xx answers'));
    });
    request.on('response', (response) => {
      phases.firstByteMs = performance.now();
      readBodyStart(response).then(
        (bodyStart) => {
          signal.removeEventListener('abort', onAbort);
          if (!bodyStart.complete) request.destroy();
          resolve({ ...answerOf(response), ...bodyStart });
        },
        (error: unknown) => fail(connectionFailure(error, response.statusCode ?? null)),
      );
    });
    request.end(post.body);
  });
}

function open(
  { destination, isRedirect, headers, body }: Post,
  lease: AgentLease,
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

function answerOf(response: IncomingMessage): Omit<Answer, keyof BodyStart> {
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
