import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { atEnd } from '../run/cleanup.ts';
import type { TestCertificate } from './webhook-certificates.ts';

/** A request that the subscriber received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Name in the TLS handshake; null without TLS or SNI. */
  serverName: string | null;
  /** Identifies the connection. */
  clientPort: number;
}

/** Accepts the requests that deliver this event. */
export const forEvent = (id: string) => (request: ReceivedRequest) => request.headers['webhook-id'] === id;

export type Respond = (response: ServerResponse, request: ReceivedRequest, index: number) => void;

export interface Receiver {
  port: number;
  /** `http(s)://127.0.0.1:<port>`. */
  origin: string;
  requests: ReceivedRequest[];
  /** Connections that are open now. */
  connections(): number;
  /** Sends the response. A test may replace it at any time. The default is 204. */
  respond: Respond;
  /** Resolves when at least `count` requests that satisfy `filter` were received. */
  received(count: number, filter?: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** A real HTTP(S) subscriber on loopback; closed at the end of the tests at the latest. */
export async function startReceiver(
  options: { certificate?: TestCertificate; respond?: Respond; host?: string; port?: number } = {},
): Promise<Receiver> {
  const waiters = new Set<() => void>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    readRequest(request).then(
      (received) => {
        receiver.requests.push(received);
        for (const check of waiters) check();
        receiver.respond(response, received, receiver.requests.length - 1);
      },
      () => request.socket.destroy(),
    );
  };
  const server =
    options.certificate === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ ...options.certificate }, listener);
  server.keepAliveTimeout = 60_000;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  const port = await listen(server, options);
  const receiver: Receiver = {
    port,
    origin: `${options.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests: [],
    connections: () => open.size,
    respond: options.respond ?? ((response) => response.writeHead(204).end()),
    received(count, filter = () => true) {
      return new Promise((resolve) => {
        const check = () => {
          const matching = receiver.requests.filter(filter);
          if (matching.length < count) return;
          waiters.delete(check);
          resolve(matching);
        };
        waiters.add(check);
        check();
      });
    },
    close: closer(server, () => server.closeAllConnections()),
  };
  atEnd(receiver.close);
  return receiver;
}

export interface RawReceiver {
  port: number;
  connections: number;
  close(): Promise<void>;
}

/** A server without HTTP. `onRequest` runs at the first bytes of each connection and may misbehave. */
export async function startRawReceiver(
  onRequest: (socket: Socket) => void,
  certificate?: TestCertificate,
): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  };
  const server =
    certificate === undefined
      ? createTcpServer(onConnection)
      : createTlsServer({ ...certificate }, onConnection);
  const receiver: RawReceiver = {
    port: await listen(server),
    connections: 0,
    close: closer(server, () => {
      for (const socket of sockets) socket.destroy();
    }),
  };
  atEnd(receiver.close);
  return receiver;
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { socket } = request;
  const serverName = 'servername' in socket ? socket.servername : null;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks),
    serverName: typeof serverName === 'string' && serverName !== '' ? serverName : null,
    clientPort: socket.remotePort ?? 0,
  };
}

function listen(server: Server, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closer(server: Server, dropConnections: () => void): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      dropConnections();
    });
    return closed;
  };
}
