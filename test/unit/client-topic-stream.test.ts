import { describe, expect, jest, test } from 'bun:test';
import type { ServerWebSocket } from 'bun';
import { createClient, type TopicStreamMessage } from 'launchwire';
import { delayOfRequest, SocketConnection } from '../../packages/client/src/stream/socket-connection.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const trade = (id: string, topic = 'trades:a') => ({ event: 'trade', id, topic, data: { id } });
const snapshot = (name: string) => ({
  event: 'trade',
  topic: 'trades:a',
  snapshot: true,
  data: { id: name },
});
const beat = (id: string) => ({ event: 'heartbeat', id, sequence: 1, provenThrough: null, readAt: '' });

const clientOf = (origin: string, apiKey?: string) =>
  createClient({ baseUrl: origin, apiKey, baseDelayMs: 1, maxRetries: 2 });

/** The ids of the next messages that have data, or else their kinds. */
async function read(messages: AsyncIterable<TopicStreamMessage>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const message of messages) {
    seen.push('data' in message ? (message.data as { id: string }).id : message.event);
    if (seen.length === count) break;
  }
  return seen;
}

describe('a stream with changing topics', () => {
  test('passes on the beginning of a topic once, although its connection breaks before the first cursor', async () => {
    const { origin, connections } = startScriptedSocket((connection, said, index) => {
      connection.send(replyTo(said), snapshot('1'), snapshot('2'));
      if (index === 0) connection.cut();
      else connection.send(snapshot('3'), beat('10'), trade('11'));
    });
    const stream = clientOf(origin).topicStream({ topics: ['trades:a'] });
    expect(await read(stream, 4)).toEqual(['1', '2', '3', '11']);
    expect(connections.map(({ said }) => said[0]?.cursor)).toEqual([undefined, undefined]);
    // Leaving the loop closes the connection.
    await connections.at(-1)?.closed;
  });

  test('first continues topics with a cursor, then begins the topics that were being joined', async () => {
    const { origin, connections } = startScriptedSocket((connection, said, index) => {
      if (said.type === 'authenticate') return connection.send(replyTo(said));
      const [topic] = said.topics ?? [];
      if (index === 0 && topic === 'trades:b') return connection.cut();
      connection.send(replyTo(said));
      if (topic === 'trades:a') connection.send(beat(String(index + 1)));
      if (topic === 'trades:b') connection.send(trade('5', 'trades:b'));
    });
    const stream = clientOf(origin, 'key').topicStream({ topics: ['trades:a'] });
    const reading = read(stream, 1);
    await stream.subscribe(['trades:b']);
    expect(await reading).toEqual(['5']);
    expect(
      connections.map(({ said }) => said.map(({ type, topics, cursor }) => [type, topics, cursor])),
    ).toEqual([
      [
        ['authenticate', undefined, undefined],
        ['subscribe', ['trades:a'], undefined],
        ['subscribe', ['trades:b'], undefined],
      ],
      [
        ['authenticate', undefined, undefined],
        ['subscribe', ['trades:a'], '1'],
        ['subscribe', ['trades:b'], undefined],
      ],
    ]);
  });

  test('passes on no messages of a removed topic, and keeps those of the other topics', async () => {
    const { origin } = startScriptedSocket((connection, said) => {
      connection.send(replyTo(said));
      if (said.type === 'subscribe')
        connection.send(beat('1'), trade('2', 'trades:a'), trade('3', 'trades:b'), trade('4', 'trades:c'));
    });
    const stream = clientOf(origin).topicStream({ topics: ['trades:a', 'trades:b', 'trades:c'] });
    const messages = stream[Symbol.asyncIterator]();
    expect((await messages.next()).value).toMatchObject({ id: '2' });
    await stream.unsubscribe(['trades:b']);
    expect((await messages.next()).value).toMatchObject({ id: '4' });
    stream.close();

    const wide = clientOf(origin).topicStream({ topics: ['trades', 'trades:a'] });
    const all = wide[Symbol.asyncIterator]();
    await all.next();
    await wide.unsubscribe(['trades:a']);
    expect((await all.next()).value).toMatchObject({ id: '3' });
    wide.close();
  });

  test('closes the connection while its loop does not read, and continues later', async () => {
    const count = 6_000;
    let sent = 0;
    const { origin, connections } = startScriptedSocket((connection, said) => {
      connection.send(replyTo(said));
      const after = Number(said.cursor ?? 0);
      for (let id = after + 1; id <= count; id += 1) connection.send(trade(String(id)));
      sent += 1;
    });
    const stream = clientOf(origin).topicStream({ topics: ['trades:a'], cursor: '0' });
    await eventually('a connection', async () => connections[0] !== undefined);
    await connections[0]?.closed;
    expect(sent).toBe(1);
    const ids = await read(stream, count);
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
    expect(connections[1]?.said[0]?.cursor).toBe('5000');
  });

  test('reports topics that could not be continued, and again when the connection breaks before a cursor comes', async () => {
    const gap = { event: 'gap', reason: 'expired', topics: ['trades:a'], from: null, reads: [] };
    const { origin, connections } = startScriptedSocket((connection, said, index) => {
      connection.send(replyTo(said), gap);
      if (index === 0) connection.cut();
      else connection.send(snapshot('1'), beat('7'), trade('8'));
    });
    const stream = clientOf(origin).topicStream({ topics: ['trades:a'], cursor: '3' });
    expect(await read(stream, 4)).toEqual(['gap', 'gap', '1', '8']);
    expect(connections.map(({ said }) => said[0]?.cursor)).toEqual(['3', '3']);
  });

  test('goes on with the cursor of an end, and after a malformed message', async () => {
    const { origin, connections } = startScriptedSocket((connection, said, index) => {
      connection.send(replyTo(said));
      if (index === 0)
        connection.send(trade('1'), { event: 'end', reason: 'draining', cursor: '4', retryAfterMs: 1 });
      if (index === 0) connection.cut();
      else if (index === 1) connection.send(null as never);
      else connection.send(trade('5'));
    });
    const stream = clientOf(origin).topicStream({ topics: ['trades:a'], cursor: '0' });
    expect(await read(stream, 2)).toEqual(['1', '5']);
    expect(connections.map(({ said }) => said[0]?.cursor)).toEqual(['0', '4', '4']);
  });

  test('has heartbeats on request, and keeps only the newest for a slow loop', async () => {
    const { origin } = startScriptedSocket((connection, said) =>
      connection.send(replyTo(said), beat('1'), beat('2'), beat('3'), trade('4')),
    );
    const stream = clientOf(origin).topicStream({ topics: ['trades:a'], cursor: '0' }, { heartbeats: true });
    const seen: unknown[] = [];
    await stream.unsubscribe(['trades:b']);
    for await (const message of stream) {
      seen.push(message.event === 'heartbeat' ? message.id : message.event);
      if (message.event === 'trade') break;
    }
    expect(seen.filter((one) => one !== '3')).toEqual(['ready', 'trade']);
  });

  test('needs a WebSocket of the runtime or of the program', async () => {
    const { origin, connections } = startScriptedSocket((connection, said) =>
      connection.send(replyTo(said), trade('1')),
    );
    const own = globalThis.WebSocket;
    const opened: string[] = [];
    const webSocket = (url: string) => {
      opened.push(url);
      return new own(url);
    };
    Reflect.deleteProperty(globalThis, 'WebSocket');
    try {
      expect(() => clientOf(origin).topicStream()).toThrow('this runtime has no WebSocket');
      const client = createClient({ baseUrl: origin, webSocket });
      expect(await read(client.topicStream({ topics: ['trades:a'] }), 1)).toEqual(['1']);
    } finally {
      globalThis.WebSocket = own;
    }
    expect(opened).toEqual([`${origin.replace('http', 'ws')}/api/v2/stream`]);
    expect(connections).toHaveLength(1);
  });

  test('sends no more messages in a minute than the service accepts', () => {
    expect(delayOfRequest([], 1_000)).toBe(0);
    const times = Array.from({ length: 49 }, (_, index) => index);
    expect(delayOfRequest(times, 100)).toBe(0);
    expect(delayOfRequest([...times, 49], 100)).toBe(59_900);
    expect(delayOfRequest([...times, 49], 60_000)).toBe(0);
  });

  test('treats a connection as silent after seconds without a message, once a message is due', async () => {
    jest.useFakeTimers();
    try {
      const listeners: Record<string, (event: object) => void> = {};
      const socket = {
        addEventListener: (type: string, listener: (event: object) => void) => {
          listeners[type] = listener;
        },
        send: () => {},
        close: jest.fn(),
      };
      let isFollowing = false;
      const handlers = { onMessage: () => {}, expectsMessages: () => isFollowing };
      const connection = new SocketConnection(socket, handlers);
      jest.advanceTimersByTime(30_000);
      listeners.message?.({ data: '{"event":"ready"}' });
      jest.advanceTimersByTime(60_000);
      expect(socket.close).not.toHaveBeenCalled();
      isFollowing = true;
      jest.advanceTimersByTime(9_000);
      listeners.message?.({ data: '{"event":"heartbeat"}' });
      jest.advanceTimersByTime(10_000);
      expect(socket.close).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1_000);
      expect(socket.close).toHaveBeenCalledTimes(1);
      await expect(connection.broken).rejects.toMatchObject({ code: 'timeout' });
    } finally {
      jest.useRealTimers();
    }
  });
});

interface Said {
  type: 'authenticate' | 'subscribe' | 'unsubscribe';
  topics?: string[];
  cursor?: string;
  requestId: string;
}

/** A client's connection with the messages that it sent. */
interface ScriptedConnection {
  said: Said[];
  send(...messages: readonly object[]): void;
  /** Ends it without a close frame. */
  cut(): void;
  closed: Promise<void>;
}

/** A stream over WebSockets (contract/streams#websocket) whose messages the test decides. It greets with
 * `ready`. */
function startScriptedSocket(
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
function replyTo({ type, topics = [], requestId }: Said): object {
  return { event: type === 'authenticate' ? 'authenticated' : `${type}d`, topics, requestId };
}
