import { describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { ConnectionPool } from '../../relay/attempt/connection-pool.ts';
import { oddResponses } from '../support/responses/odd-responses.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startRawReceiver } from '../support/webhooks/webhook-receiver.ts';
import { codeOf, post } from '../support/webhooks/webhook-sender.ts';

/** A receiver that answers each request of a connection; `onRequest` gets the number of the request on it. */
async function answeringEach(onRequest: (socket: Socket, request: number) => void) {
  const receiver = await startRawReceiver((socket) => {
    let requests = 0;
    onRequest(socket, requests);
    socket.on('data', () => {
      requests += 1;
      onRequest(socket, requests);
    });
  });
  const connections = new ConnectionPool(8, undefined);
  atEnd(async () => connections.close());
  const url = `http://127.0.0.1:${receiver.port}/`;
  return { receiver, attempt: () => post(url, { connections, deadlineMs: 60_000 }, 'one') };
}

const ok = 'HTTP/1.1 200 OK\r\n';
/** Responses of receivers in use, each with whether its connection serves the next delivery too. */
const odd = {
  'fields: a continued field': true,
  'chunks: blanks behind a size': true,
  'chunks: blanks around an extension': true,
  'chunks: a quoted pair in an extension': true,
  'chunks: a size with zeros before it': true,
  'status: a 204 with a length of 0': true,
  'length: a length that came twice': false,
  'length: the coding identity beside a length': false,
  'length: a length beside chunks': false,
  'whole: line feeds alone': false,
  'fields: a field without a colon': false,
  'fields: a head of more than 16 KiB': false,
  'status: a 204 that announces a body': false,
  'status: a 204 that announces chunks': false,
  'status: an interim response that ends its connection': false,
  'status line: version 2.0': false,
};

describe('a status counts in whatever form its response comes', () => {
  test.each(Object.entries(odd))('%s', async (what, isKept) => {
    const response = oddResponses.get(what) ?? '';
    for (const status of response.startsWith('HTTP/1.1 204') ? [204] : [200, 500]) {
      const text = response.replace(' 200', ` ${status}`);
      const { receiver, attempt } = await answeringEach((socket) => socket.write(text, 'latin1'));
      for (let sent = 0; sent < 3; sent += 1) expect(await codeOf(attempt())).toBe(status);
      expect(receiver.connections).toBe(isKept ? 1 : 3);
    }
  });
});

test('the time of the first byte is that of a head which breaks off too', async () => {
  for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    const { port } = await startRawReceiver((socket) => socket.write(`${ok}x: y`, () => end(socket)));
    const { outcome, trace } = await post(`http://127.0.0.1:${port}/`, { deadlineMs: 60_000 });
    expect(outcome).toMatchObject({ kind: 'responded', status: 200 });
    expect(trace.firstByteMs).toBeNumber();
    expect(trace.bodyStart).toHaveLength(0);
  }
});

describe('a body that is sent behind a response without one spoils no other delivery', () => {
  const heads = {
    'content-length: 2': 'content-length: 2\r\n',
    'content-length: 40, of which 2 come': 'content-length: 40\r\n',
    chunks: 'transfer-encoding: chunked\r\n',
    'nothing that announces it': '',
  };
  const cases = Object.entries(heads).flatMap(([what, fields]) =>
    [204, 304].flatMap((status) =>
      [0, 1, 5].map((lateMs) => [`${status}, ${what}, ${lateMs} ms later`, status, fields, lateMs] as const),
    ),
  );
  test.each(cases)('%s', async (_what, status, fields, lateMs) => {
    const { attempt } = await answeringEach((socket) => {
      socket.write(`HTTP/1.1 ${status} x\r\n${fields}\r\n`);
      // biome-ignore lint/plugin: the receiver is late
      if (lateMs > 0) setTimeout(() => socket.write('ok'), lateMs);
      else socket.write('ok');
    });
    const lanes = Array.from({ length: 8 }, async () => {
      for (let sent = 0; sent < 5; sent += 1) expect(await codeOf(attempt())).toBe(status);
    });
    await Promise.all(lanes);
  });

  test('bytes that come with the next request are not taken for its response: it is sent again', async () => {
    let requests = 0;
    const { receiver, attempt } = await answeringEach((socket, request) => {
      requests += 1;
      socket.write(`${request === 1 ? 'ok' : ''}${ok}content-length: 0\r\n\r\n`);
    });
    for (const expected of [1, 3]) {
      expect(await codeOf(attempt())).toBe(200);
      expect(requests).toBe(expected);
    }
    expect(receiver.connections).toBe(2);
  });

  test('line ends that come with the next request are passed over', async () => {
    let requests = 0;
    const { receiver, attempt } = await answeringEach((socket, request) => {
      requests += 1;
      socket.write(`${request === 0 ? '' : '\r\n'}${ok}content-length: 0\r\n\r\n`);
    });
    for (const expected of [1, 2, 3]) {
      expect(await codeOf(attempt())).toBe(200);
      expect(requests).toBe(expected);
    }
    expect(receiver.connections).toBe(1);
  });

  test('a first connection that sends no response fails its attempt', async () => {
    const { attempt } = await answeringEach((socket) => socket.write(`ok${ok}content-length: 0\r\n\r\n`));
    expect((await attempt()).outcome).toMatchObject({ code: 'network_error', reason: 'response_malformed' });
  });
});

describe('a failed attempt shows what had arrived', () => {
  test.each([
    ['content-length: 10\r\n\r\nhalf', 'half'],
    ['transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'half'],
    ['\r\nhalf', 'half'],
    ['x: y\r\n', ''],
  ])('of a response that does not end in time: %j', async (rest, body) => {
    const { port } = await startRawReceiver((socket) => socket.write(ok + rest));
    // On a busy machine the response may come after the deadline: the next attempt has a longer one.
    let deadlineMs = 300;
    const { outcome, trace } = await eventually('an attempt that got a status', async () => {
      const ended = await post(`http://127.0.0.1:${port}/`, { deadlineMs });
      deadlineMs *= 2;
      return ended.outcome.kind === 'failed' && ended.outcome.status !== null && ended;
    });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'request_timeout', status: 200 });
    expect(Buffer.from(trace.bodyStart ?? []).toString()).toBe(body);
  });

  test('nothing where no final status had arrived, also behind a redirect', async () => {
    const { port } = await startRawReceiver((socket) => socket.write('HTTP/1.1 103 x\r\n\r\nHTTP/1.1 20'));
    const moved = await startRawReceiver((socket) =>
      socket.write(`HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 4\r\n\r\nmove`),
    );
    for (const url of [`http://127.0.0.1:${port}/`, `http://127.0.0.1:${moved.port}/`]) {
      const { outcome, trace } = await post(url, { deadlineMs: 300 });
      expect(outcome).toMatchObject({ code: 'request_timeout', status: null });
      expect(trace.bodyStart).toBeNull();
    }
  });

  test('of the redirect that is not followed', async () => {
    for (const [location, code] of [
      ['/', 'redirect_limit_exceeded'],
      ['http://', 'url_disallowed'],
    ]) {
      const { port } = await startRawReceiver((socket) =>
        socket.write(`HTTP/1.1 307 x\r\nlocation: ${location}\r\ncontent-length: 4\r\n\r\nmove`),
      );
      const { outcome, trace } = await post(`http://127.0.0.1:${port}/`);
      expect(outcome).toMatchObject({ kind: 'failed', code, status: 307 });
      expect(Buffer.from(trace.bodyStart ?? []).toString()).toBe('move');
    }
  });
});
