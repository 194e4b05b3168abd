import { recordMessage } from '../contract-coverage/messages.ts';
import { atEnd } from '../run/cleanup.ts';
import type { ReceivedMessage } from './event-stream.ts';

/** A WebSocket that stores all messages. */
export interface SocketClient {
  messages: ReceivedMessage[];
  send(message: unknown): void;
  /** Resolves with the first message that fits, including earlier ones. Rejects when the connection closes
   * without one. */
  find(fits: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
  /** Resolves when the connection has closed. */
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Opens a WebSocket; rejects when the handshake is refused. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<SocketClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers } as unknown as string[]);
  atEnd(async () => socket.close());
  const messages: ReceivedMessage[] = [];
  let waiting: (() => void)[] = [];
  let isOver = false;
  const wake = () => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  };
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      isOver = true;
      resolve({ code, reason });
      wake();
    });
  });
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ReceivedMessage;
    messages.push(message);
    recordMessage(message);
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the handshake was refused')));
  });
  return {
    messages,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async find(fits) {
      for (let at = 0; ; ) {
        for (; at < messages.length; at += 1) {
          const message = messages[at];
          if (message !== undefined && fits(message)) return message;
        }
        if (isOver) throw new Error('the connection closed before such a message came');
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    closed,
    close: () => socket.close(),
  };
}
