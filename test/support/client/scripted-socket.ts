import type { ServerWebSocket } from 'bun';
import { atEnd } from '../run/cleanup.ts';

interface Said {
  type: 'authenticate' | 'subscribe' | 'unsubscribe';
  topics?: string[];
  cursor?: string;
  requestId: string;
}

/** A client's connection with the messages that it sent. */
export interface ScriptedConnection {
  said: Said[];
  send(...messages: readonly object[]): void;
  /** Ends it without a close frame. */
  cut(): void;
  closed: Promise<void>;
}

/** A stream over WebSockets (contract/streams#websocket) whose messages the test decides. It greets with
 * `ready`. */
export function startScriptedSocket(
  onSaid: (connection: ScriptedConnection, said: Said, connectionIndex: number) => void,
): { origin: string; connections: ScriptedConnection[] } {
  const connections: ScriptedConnection[] = [];
  const known = new Map<ServerWebSocket, { connection: ScriptedConnection; onClosed(): void }>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, bun) => (bun.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open(socket) {
        let onClosed = () => {};
        const connection: ScriptedConnection = {
          said: [],
          send: (...messages) => {
            for (const message of messages) socket.send(JSON.stringify(message));
          },
          cut: () => socket.terminate(),
          closed: new Promise((resolve) => {
            onClosed = resolve;
          }),
        };
        known.set(socket, { connection, onClosed });
        connections.push(connection);
        connection.send({ event: 'ready', topics: [], resumed: false, retryMs: 1 });
      },
      message(socket, text) {
        const connection = known.get(socket)?.connection;
        if (connection === undefined) return;
        const said = JSON.parse(String(text)) as Said;
        connection.said.push(said);
        onSaid(connection, said, connections.indexOf(connection));
      },
      close: (socket) => known.get(socket)?.onClosed(),
    },
  });
  atEnd(async () => void (await server.stop(true)));
  return { origin: `http://127.0.0.1:${server.port}`, connections };
}

/** The reply to a client's message. */
export function replyTo({ type, topics = [], requestId }: Said): object {
  return { event: type === 'authenticate' ? 'authenticated' : `${type}d`, topics, requestId };
}
