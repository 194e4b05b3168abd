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

/** Connects to 127.0.0.1. A raw client costs a few microseconds per request, so that the figures show the server. */
export async function openConnection(port: number, events: ConnectionEvents): Promise<LoadConnection> {
  const counter = new ResponseCounter();
  let ended = false;
  /** Bytes that did not fit into the socket's buffer. */
  let unsent: Uint8Array | undefined;
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
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
