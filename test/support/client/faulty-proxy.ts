import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** The fault of one request: its response is lost, cut off, or replaced before the api sees the request. */
export type Fault = 'lose' | 'cut' | { status: number; headers?: Record<string, string>; body?: string };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The response of the api; undefined when it did not get the request. */
  answered: number | undefined;
  replayed: boolean;
}

export interface FaultyProxy {
  origin: string;
  requests: SeenRequest[];
  /** Faults of the next requests, in order; null forwards a request. */
  faults: (Fault | null)[];
}

/** A proxy for the real api that spoils responses like networks and gateways. */
export async function startFaultyProxy(apiOrigin: string): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { origin: '', requests: [], faults: [] };
  const server = createServer((request, response) => {
    passOn(request, response).catch(() => request.socket.destroy());
  });

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = proxy.faults.shift() ?? null;
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const seen: SeenRequest = {
      method,
      path,
      headers,
      body: String(body),
      answered: undefined,
      replayed: false,
    };
    proxy.requests.push(seen);
    if (fault !== null && typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const { host: _host, connection: _connection, ...passed } = headers;
    const init = { method, headers: passed as Record<string, string>, ...(body.length > 0 && { body }) };
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(apiOrigin + path, { ...init, signal: gone.signal });
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      seen.answered = answer.status;
      response.writeHead(answer.status, { 'content-type': 'text/event-stream' });
      for await (const chunk of answer.body ?? []) response.write(chunk);
      return void response.end();
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    seen.answered = answer.status;
    seen.replayed = answer.headers.get('idempotent-replayed') === 'true';
    // To destroy the response would send an empty 200 (reference/runtime#head-date).
    if (fault === 'lose') return void request.socket.destroy();
    const { connection: _, 'content-encoding': _encoding, ...shown } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...shown, 'content-length': String(bytes.length) });
    if (fault === null) return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
