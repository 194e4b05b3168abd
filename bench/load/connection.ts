import { ResponseCounter } from './response-counter.ts';

/** One keep-alive connection that carries one request at a time. */
export interface LoadConnection {
  send(request: Uint8Array): void;
  end(): void;
}

export interface ConnectionEvents {
  /** A complete response; `text` is its beginning. */
  onResponse(status: number, text: () => string): void;
  /** The connection is no longer usable. */
  onFailure(error: Error): void;
}

const LOCAL: Omit<LoadTarget, 'port'> = { address: '127.0.0.1' };

/** A server by its address; with `tls` the name that its certificate must have. */
export interface LoadTarget {
  address: string;
  port: number;
  tls?: { serverName: string };
}

/**
 * Connects to a server, to 127.0.0.1 by its port alone. A raw client costs a few microseconds per request, so that the
 * figures show the server.
 */
export async function openConnection(
  target: LoadTarget | number,
  events: ConnectionEvents,
): Promise<LoadConnection> {
  const { address, port, tls } = typeof target === 'number' ? { ...LOCAL, port: target } : target;
  const counter = new ResponseCounter();
  let ended = false;
  /** Bytes that did not fit into the socket's buffer. */
  let unsent: Uint8Array | undefined;
  const socket = await Bun.connect({
    hostname: address,
    port,
    ...(tls && { tls: { serverName: tls.serverName } }),
    socket: {
      data(_socket, chunk) {
        let status: number | null;
        try {
          status = counter.push(chunk);
        } catch (error) {
          events.onFailure(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        if (status !== null) events.onResponse(status, () => counter.lastText());
      },
      drain(writable) {
        if (unsent === undefined) return;
        const written = writable.write(unsent);
        unsent = written < unsent.byteLength ? unsent.subarray(written) : undefined;
      },
      close() {
        if (!ended) events.onFailure(new Error('the server closed the connection'));
      },
      error: (_socket, error) => events.onFailure(error),
    },
  });
  return {
    send(request) {
      const written = socket.write(request);
      if (written < request.byteLength) unsent = request.subarray(written);
    },
    end() {
      ended = true;
      socket.end();
    },
  };
}
