import type { ServerWebSocket, WebSocketHandler } from 'bun';

/** What a WebSocket is used for; the server calls it. */
export interface SocketSession {
  opened(socket: Socket): void;
  received(message: string | Uint8Array): void;
  /** What was waiting in the server has been sent. */
  drained(): void;
  /** The connection has ended, or never came to be. Calling it again is harmless. */
  closed(): void;
}

/** A connection. */
export interface Socket {
  /** Sends each text as a message, together; false when some of them wait in the server. */
  send(texts: readonly string[]): boolean;
  close(code: number, reason: string): void;
}

/** Bytes of one message of a client (contract/streams#websocket). */
export const SOCKET_MESSAGE_BYTES_MAX = 16 * 1024;
/** A connection that neither takes nor gives anything for this long is closed. */
const IDLE_TIMEOUT_SECONDS = 30;

/** How the server treats WebSockets: without compression, whose state costs each connection some 300 KB. */
export const socketHandlers: WebSocketHandler<SocketSession> = {
  perMessageDeflate: false,
  maxPayloadLength: SOCKET_MESSAGE_BYTES_MAX,
  idleTimeout: IDLE_TIMEOUT_SECONDS,
  // Streams bound what waits by themselves and send nothing while something does.
  closeOnBackpressureLimit: false,
  backpressureLimit: 64 * 1024 * 1024,
  open: (socket) => socket.data.opened(socketOf(socket)),
  message: (socket, message) => socket.data.received(message),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.closed(),
};

function socketOf(socket: ServerWebSocket<SocketSession>): Socket {
  return {
    send(texts) {
      if (texts.length === 1 && texts[0] !== undefined) return socket.send(texts[0]) !== -1;
      socket.cork(() => {
        for (const text of texts) socket.send(text);
      });
      return socket.getBufferedAmount() === 0;
    },
    close: (code, reason) => socket.close(code, reason),
  };
}
