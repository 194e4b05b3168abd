import type { ServerWebSocket, WebSocketHandler } from 'bun';

/** The server calls these for one WebSocket. */
export interface SocketSession {
  opened(socket: Socket): void;
  received(message: string | Uint8Array): void;
  /** The buffered messages of the connection have been sent. */
  drained(): void;
  /** The connection has ended, or was never opened. Calling it again is harmless. */
  closed(): void;
}

export interface Socket {
  /** Sends each text as one message; false when some of them wait in the server's buffer. */
  send(texts: readonly string[]): boolean;
  close(code: number, reason: string): void;
}

/** Largest message of a client (contract/streams#websocket). */
export const SOCKET_MESSAGE_BYTES_MAX = 16 * 1024;
/** A connection without any traffic for this long is closed. */
const IDLE_TIMEOUT_SECONDS = 30;

/** Server settings for WebSockets. Compression is off: its state costs each connection about 300 KB. */
export const socketHandlers: WebSocketHandler<SocketSession> = {
  perMessageDeflate: false,
  maxPayloadLength: SOCKET_MESSAGE_BYTES_MAX,
  idleTimeout: IDLE_TIMEOUT_SECONDS,
  // Streams bound their own queues and send nothing while a buffer is full.
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
