import { expect, test } from 'bun:test';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import { createSseSink } from '../../src/features/streams/readers/sse-sink.ts';
import { type Socket, type SocketSession, socketHandlers } from '../../src/http/streams/socket-session.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { openEventStream } from '../support/streams/event-stream.ts';
import { openSocket } from '../support/streams/socket-client.ts';

/** Around the sizes from which on the server writes at once, and from which on a reader sends what waits. */
const SIZES = [1, 100, 200, 400, 500, 600, 1_000, 5_000, 70_000];
const messageOf = (length: number, index = 0) =>
  new StreamMessage({
    event: 'trade',
    text: JSON.stringify({ event: 'trade', index, data: 'x'.repeat(length) }),
  });

/** A server of one stream. */
function serve() {
  const opened = Promise.withResolvers<StreamReader>();
  const readerOf = (
    sink: ConstructorParameters<typeof StreamReader>[0]['sink'],
    transport: 'sse' | 'websocket',
  ) =>
    new StreamReader({
      subject: 'a reader',
      sink,
      transport,
      bufferBytes: 1_000_000,
      stallMs: 60_000,
      onSlow: () => {},
      onConflated: () => {},
      onEnded: () => {},
    });
  const server = Bun.serve<SocketSession>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self): Response | undefined {
      if (request.headers.get('upgrade') === 'websocket') {
        let connection: Socket | undefined;
        const sink = {
          send: (messages: readonly StreamMessage[]) =>
            connection?.send(messages.map(({ text }) => text)) ?? true,
          end: () => connection?.close(1000, 'over'),
        };
        const reader = readerOf(sink, 'websocket');
        const data: SocketSession = {
          opened(socket) {
            connection = socket;
            opened.resolve(reader);
          },
          received: () => {},
          drained: () => reader.onDrained(),
          closed: () => {},
        };
        return self.upgrade(request, { data }) ? undefined : new Response(null, { status: 400 });
      }
      const { sink, body } = createSseSink({ onDrained: () => reader.onDrained(), onGone: () => {} });
      const reader = readerOf(sink, 'sse');
      opened.resolve(reader);
      return new Response(body);
    },
    websocket: socketHandlers,
  });
  atEnd(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}/`, opened: opened.promise };
}

const clients = { sse: openEventStream, websocket: openSocket };

test.each(['sse', 'websocket'] as const)(
  '%s: a message of any size comes without another behind it, and those of one look come in order',
  async (transport) => {
    const { url, opened } = serve();
    const client = clients[transport](url);
    const reader = await opened;
    // The response begins with its first bytes.
    reader.offer(messageOf(0, -1));
    reader.flush();
    const { find, messages } = await client;
    for (const [index, size] of SIZES.entries()) {
      reader.offer(messageOf(size, index));
      reader.flush();
      expect(await find((message) => message.index === index)).toMatchObject({ data: 'x'.repeat(size) });
    }
    const many = Array.from({ length: 300 }, (_, at) => messageOf(at * 10, 1_000 + at));
    for (const message of many) reader.offer(message);
    reader.flush();
    await find(({ index }) => index === 1_299);
    expect(messages.slice(-300).map(({ index }) => index)).toEqual(many.map((_, at) => 1_000 + at));
    reader.end('draining', null);
  },
);

test('a response that the service has ended accepts no more writes, and does not report its client as gone', async () => {
  let goneCount = 0;
  const { sink, body, gone } = createSseSink({
    onDrained: () => {},
    onGone: () => {
      goneCount += 1;
    },
  });
  sink.send([messageOf(1, 1)]);
  sink.end('draining', messageOf(1, 2));
  sink.end('draining', messageOf(1, 3));
  gone();
  expect(sink.send([messageOf(1, 4)])).toBe(true);
  const text = await new Response(body).text();
  expect([...text.matchAll(/"index":(\d)/g)].map(([, index]) => index)).toEqual(['1', '2']);
  expect(goneCount).toBe(0);
});

test('a client that has gone is reported once', () => {
  let goneCount = 0;
  const { gone } = createSseSink({
    onDrained: () => {},
    onGone: () => {
      goneCount += 1;
    },
  });
  gone();
  gone();
  expect(goneCount).toBe(1);
});
