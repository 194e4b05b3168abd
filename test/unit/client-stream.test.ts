import { describe, expect, test } from 'bun:test';
import { createClient, type StreamMessage } from 'launchwire';
import { readEventStream } from '../../packages/client/src/stream/event-stream.ts';
import { begin, type StreamRequest, sse, startScriptedStream } from '../support/client/scripted-stream.ts';
import { thrown } from '../support/run/thrown.ts';

const trade = (id: string) => ({ event: 'trade', id, topic: 'trades:mint', data: { id } });
const ready = (resumed: boolean) => ({ event: 'ready', topics: [], resumed, retryMs: 1 });
const candle = { event: 'candle', topic: 'candles:mint:1m', data: {} };
const beat = (id: string) => ({ event: 'heartbeat', id, sequence: 1, provenThrough: null });

async function open(onOpen: (request: StreamRequest, index: number) => void) {
  const { origin, requests } = await startScriptedStream(onOpen);
  const client = createClient({ baseUrl: origin, apiKey: 'key', baseDelayMs: 1, maxRetries: 2 });
  return { client, requests };
}

async function read(messages: AsyncIterable<StreamMessage>, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const message of messages) {
    seen.push('id' in message ? message.id : message.event);
    if (seen.length === count) break;
  }
  return seen;
}

const problem = (status: number, code: string) =>
  JSON.stringify({ type: '', title: '', status, detail: 'no', instance: '/', code, requestId: 'req_0' });

describe('a stream', () => {
  test('goes on after the last message when its connection breaks, is closed, or is ended by the service', async () => {
    const { client, requests } = await open((request, index) => {
      if (index === 0) {
        begin(request, sse(ready(false), trade('2'), beat('3')));
        request.response.end('event: trade\ndata: {"event":"tra');
      } else if (index === 1) {
        begin(request, sse(ready(true), trade('4'), candle));
        request.response.end();
      } else if (index === 2) {
        begin(request, sse({ event: 'end', reason: 'draining', cursor: '5', retryAfterMs: 1 } as never));
      } else if (index === 3) request.response.socket?.destroy();
      else if (index === 4) request.response.writeHead(503).end();
      else begin(request, sse(ready(true), trade('6')));
    });
    expect(await read(client.stream({ topics: ['trades:mint', 'events'], cursor: '0' }), 4)).toEqual([
      '2',
      '4',
      'candle',
      '6',
    ]);
    expect(requests.map(({ cursor }) => cursor)).toEqual(['0', '3', '4', '5', '5', '5']);
    expect(requests[0]).toMatchObject({ topics: 'trades:mint,events', authorization: 'Bearer key' });
    // Leaving the loop closes the connection.
    await requests.at(-1)?.closed;
  });

  test('keeps its place when the service ends a connection without a cursor', async () => {
    const end = { event: 'end', reason: 'draining', cursor: null, retryAfterMs: 1 } as never;
    const { client, requests } = await open((request, index) => {
      begin(request, index === 0 ? sse(ready(true), end) : sse(trade('8'), ...(index === 1 ? [end] : [])));
    });
    expect(await read(client.stream({ topics: ['trades'], cursor: '7' }), 2)).toEqual(['8', '8']);
    expect(requests.map(({ cursor }) => cursor)).toEqual(['7', '7', '8']);
  });

  test('reports topics that could not be continued, and again when the connection breaks before a cursor comes', async () => {
    const gap = {
      event: 'gap',
      reason: 'expired',
      topics: ['trades'],
      from: null,
      reads: ['/api/v2/tokens'],
    };
    const { client, requests } = await open((request, index) => {
      begin(request, sse(gap, ...(index === 0 ? [] : [trade('9')])));
      if (index < 2) request.response.end();
    });
    expect(await read(client.stream({ topics: ['trades'], cursor: 'old' }), 5)).toEqual([
      'gap',
      'gap',
      '9',
      'gap',
      '9',
    ]);
    expect(requests.map(({ cursor }) => cursor)).toEqual(['old', 'old', '9']);
  });

  test('shows heartbeats on demand, and leaves out kinds that it does not know', async () => {
    const text = sse(ready(false), beat('2'), { event: 'new_kind', id: '3' }, trade('4'));
    const { client } = await open((request) => begin(request, text));
    expect(await read(client.stream({ topics: ['trades'] }), 1)).toEqual(['4']);
    const kinds: string[] = [];
    for await (const { event } of client.stream({ topics: ['trades'] }, { heartbeats: true })) {
      kinds.push(event);
      if (event === 'heartbeat') break;
    }
    expect(kinds).toEqual(['ready', 'heartbeat']);
  });

  test('ends with the problem of a refusal, also when it was open before', async () => {
    const { client, requests } = await open((request, index) => {
      if (index === 1) begin(request, sse(trade('1')));
      if (index === 1) return void request.response.end();
      request.response.writeHead(401).end(problem(401, 'invalid_api_key'));
    });
    const first = client.stream({ topics: ['intents'] }).next();
    expect(await thrown(first)).toMatchObject({ code: 'invalid_api_key', operation: 'openStream' });
    expect(await thrown(read(client.stream({ topics: ['intents'] }), 2))).toMatchObject({
      code: 'invalid_api_key',
    });
    expect(requests).toHaveLength(3);
  });

  test('gives up if it never opened, and does not once it was open', async () => {
    const { client, requests } = await open((request, index) => {
      if (index === 3) begin(request, sse(trade('1')));
      if (index === 3) return void request.response.end();
      if (index < 10) return void request.response.socket?.destroy();
      begin(request, sse(trade('2')));
    });
    expect(await thrown(client.stream({ topics: ['trades'] }).next())).toMatchObject({
      code: 'connection_failed',
    });
    expect(requests).toHaveLength(3);
    expect(await read(client.stream({ topics: ['trades'] }), 2)).toEqual(['1', '2']);
    expect(requests).toHaveLength(11);
  });

  test('ends with the reason of its signal: before it opens, while it is silent, and in a pause', async () => {
    const reason = new Error('enough');
    const { client, requests } = await open((request) => begin(request, sse(trade('1'))));
    const aborted = client.stream({ topics: ['trades'] }, { signal: AbortSignal.abort(reason) });
    expect(await thrown(aborted.next())).toBe(reason);
    expect(requests).toEqual([]);
    const stopping = new AbortController();
    const messages = client.stream({ topics: ['trades'] }, { signal: stopping.signal });
    await messages.next();
    const next = thrown(messages.next());
    stopping.abort(reason);
    expect(await next).toBe(reason);
    await requests[0]?.closed;
  });
});

test('messages are read whatever the pieces they arrive in', async () => {
  const text = `: comment\r\nretry: 5\n\nevent: trade\ndata: {"name":"grüße 🚀"}\r\n\r\ndata:a\ndata: b\nid\n\nevent: x\n\ndata: cut off`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    }
    expect(await Array.fromAsync(readEventStream(pieces()))).toEqual([
      { event: 'trade', data: '{"name":"grüße 🚀"}' },
      { event: 'message', data: 'a\nb' },
    ]);
  }
});

test('a line without an end is not kept for ever', async () => {
  async function* endless() {
    for (;;) yield new Uint8Array(1_000_000).fill(97);
  }
  expect(await thrown(Array.fromAsync(readEventStream(endless())))).toMatchObject({
    message: 'a line of the stream is too long',
  });
});
