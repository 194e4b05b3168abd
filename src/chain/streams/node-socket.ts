/** A notification of one account takes some 2 KiB. A node that sends more than this is not honest. */
const MESSAGE_CHARACTERS_MAX = 64 * 1_024;
/** Our messages take some 200 bytes. A node that leaves this many bytes unread does not read at all. */
const UNSENT_BYTES_MAX = 1_024 * 1_024;

export interface NodeSocketListener {
  /** The socket is open. `send` sends one message, and ends the connection of a node that does not read. */
  onOpen(send: (message: object) => void): void;
  /** Receives a JSON message. An error that it throws ends the connection. */
  onMessage(message: object): void;
}

/** One WebSocket to a node. Resolves when the signal aborts, rejects when the connection ends otherwise. */
export function connectNodeSocket(
  url: string,
  listener: NodeSocketListener,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = new WebSocket(url);
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  const send = (message: object) => {
    socket.send(JSON.stringify(message));
    if (socket.bufferedAmount > UNSENT_BYTES_MAX) reject(new Error('the node does not read our messages'));
  };
  const guard = (work: () => void) => {
    try {
      work();
    } catch (error) {
      reject(error);
    }
  };
  socket.onopen = () => guard(() => listener.onOpen(send));
  socket.onmessage = ({ data }) => guard(() => listener.onMessage(readMessage(data)));
  socket.onerror = () => reject(new Error('the socket failed'));
  socket.onclose = ({ code }) => reject(new Error(`the node closed the socket (${code})`));
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    socket.onmessage = null;
    // Closes without a handshake, because a silent node would not answer it.
    socket.terminate();
  });
}

function readMessage(text: unknown): object {
  if (typeof text !== 'string' || text.length > MESSAGE_CHARACTERS_MAX)
    throw new Error('the node sent a message that is not a notification');
  const message: unknown = JSON.parse(text);
  if (typeof message !== 'object' || message === null)
    throw new Error('the node sent data that is not a message');
  return message;
}

/** The slot in a message. Throws for any other value. */
export function slotOf(slot: unknown): bigint {
  if (!Number.isSafeInteger(slot) || Number(slot) < 0)
    throw new Error('the node sent a slot that is not a whole number');
  return BigInt(Number(slot));
}
