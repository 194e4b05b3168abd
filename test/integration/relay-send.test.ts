import { describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ConnectionPool } from '../../relay/attempt/connection-pool.ts';
import { DnsResolver } from '../../src/shared/dns/resolver.ts';
import { startNameServer } from '../support/http/name-server.ts';
import { clientCertificate, serverAuthority } from '../support/http/server-certificates.ts';
import { atEnd } from '../support/run/cleanup.ts';
import {
  expiredCertificate,
  selfSignedCertificate,
  trustedCertificate,
} from '../support/webhooks/webhook-certificates.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { BODY, codeOf, post } from '../support/webhooks/webhook-sender.ts';

async function rawAnswer(onRequest: (socket: Socket) => void, deadlineMs = 400) {
  const { port } = await startRawReceiver(onRequest);
  return await codeOf(post(`http://127.0.0.1:${port}/`, { deadlineMs }));
}

describe('a delivery reaches exactly the vetted address under the name of the URL', () => {
  test('TLS: SNI, Host and certificate check use the name, the connection the address', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const { outcome, trace } = await post(`https://hook.example.test:${receiver.port}/in?x=1`);
    expect(outcome).toEqual({ kind: 'responded', status: 204, retryAfter: null });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/in?x=1', serverName: 'hook.example.test' });
    expect(request?.headers.host).toBe(`hook.example.test:${receiver.port}`);
    expect(request?.body.equals(BODY)).toBe(true);
    expect(trace).toMatchObject({ resolvedAddress: '127.0.0.1', redirectCount: 0, connectionReused: false });
    for (const phase of ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const) {
      expect(trace[phase]).toBeGreaterThanOrEqual(0);
    }
  });

  test('attempts of one endpoint reuse its connection, another endpoint gets its own', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const url = `https://hook.example.test:${receiver.port}/`;
    await post(url, {}, 'shared');
    const { trace } = await post(url, {}, 'shared');
    await post(url, {}, 'alone');
    const [first, second, third] = receiver.requests.map(({ clientPort }) => clientPort);
    expect(second).toBe(first ?? 0);
    expect(third).not.toBe(first ?? 0);
    expect(trace).toMatchObject({ connectionReused: true, connectMs: null, tlsMs: null });
  });

  test('a kept connection never serves another name at the same address', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    expect(await codeOf(post(`https://hook.example.test:${receiver.port}/`, {}, 'named'))).toBe(204);
    expect(await codeOf(post(`https://other.example.test:${receiver.port}/`, {}, 'named'))).toBe('tls_error');
    expect(receiver.requests).toHaveLength(1);
  });

  test('rebinding: the name is judged again for every attempt, also when a connection is open', async () => {
    const receiver = await startReceiver();
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254']];
    const sender = { resolve: async () => answers.shift() ?? [] };
    const url = `http://hook.example.test:${receiver.port}/`;
    expect(await codeOf(post(url, sender, 'rebound'))).toBe(204);
    expect(await codeOf(post(url, sender, 'rebound'))).toBe('url_disallowed');
    expect(await codeOf(post(url, sender, 'rebound'))).toBe('url_disallowed');
    expect(receiver.requests).toHaveLength(1);
  });

  test('an address that does not answer is followed by the next one', async () => {
    const receiver = await startReceiver();
    const sender = { resolve: async () => ['127.0.0.2', '127.0.0.1'] };
    const { trace } = await post(`http://hook.example.test:${receiver.port}/`, sender);
    expect(trace.resolvedAddress).toBe('127.0.0.1');
  });

  test('a proxy in the environment is not used', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const before = { https: process.env.HTTPS_PROXY, http: process.env.HTTP_PROXY };
    process.env.HTTPS_PROXY = 'http://127.0.0.1:9';
    process.env.HTTP_PROXY = 'http://127.0.0.1:9';
    try {
      expect(await codeOf(post(`https://hook.example.test:${receiver.port}/`))).toBe(204);
    } finally {
      for (const [name, value] of [
        ['HTTPS_PROXY', before.https],
        ['HTTP_PROXY', before.http],
      ] as const) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test('a kept connection that the server closed is replaced within the attempt', async () => {
    const receiver = await startReceiver({
      respond: (response, _request, index) => {
        if (index !== 1) response.writeHead(204).end();
        else response.socket?.destroy();
      },
    });
    const url = `${receiver.origin}/`;
    expect(await codeOf(post(url, {}, 'kept'))).toBe(204);
    expect(await codeOf(post(url, {}, 'kept'))).toBe(204);
    expect(receiver.requests).toHaveLength(3);
  });

  test('the real resolver: a name without addresses is dns_error', async () => {
    const server = await startNameServer({});
    const { resolve } = new DnsResolver({ servers: [server.address] });
    expect(await codeOf(post('https://no-such-name.example/', { resolve, deadlineMs: 60_000 }))).toBe(
      'dns_error',
    );
    expect(server.queries[0]?.name).toBe('no-such-name.example');
  });
});

describe('a hostile receiver ends its own attempt and nothing else', () => {
  test('never answers → request_timeout', async () => {
    expect(await rawAnswer(() => {})).toBe('request_timeout');
  });
  test('drips its headers → request_timeout', async () => {
    expect(
      await rawAnswer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'x-drip: 1\r\n');
      }),
    ).toBe('request_timeout');
  });
  test('drips its body → request_timeout', async () => {
    expect(
      await rawAnswer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
        drip(socket, 'x');
      }),
    ).toBe('request_timeout');
  });
  test('never shakes hands → request_timeout', async () => {
    const { port } = await startRawReceiver(() => {});
    expect(await codeOf(post(`https://hook.example.test:${port}/`, { deadlineMs: 300 }))).toBe(
      'request_timeout',
    );
  });
  test('name that never resolves → request_timeout', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    expect(await codeOf(post('https://hook.example.test/', { resolve, deadlineMs: 100 }))).toBe(
      'request_timeout',
    );
  });
  test('redirects share the deadline of their attempt', async () => {
    // With a deadline for each hop the attempt would end after the fourth, at the limit of redirects.
    const receiver = await startReceiver({
      respond: (response) =>
        // biome-ignore lint/plugin: slower than this, the deadline is over even sooner
        void setTimeout(() => response.writeHead(307, { location: receiver.origin }).end(), 250),
    });
    const { outcome } = await post(receiver.origin, { deadlineMs: 600 });
    expect(outcome).toMatchObject({ code: 'request_timeout' });
  });
  test('endless headers: read to 16 KiB, judged by the status before them, the connection dropped', async () => {
    const sent = { bytes: 0 };
    const flooding = (status: number) =>
      rawAnswer((socket) => {
        socket.write(`HTTP/1.1 ${status} x\r\n`);
        flood(socket, `x-flood: ${'y'.repeat(8_000)}\r\n`, sent);
      }, 60_000);
    expect(await flooding(200)).toBe(200);
    expect(await flooding(103)).toBe('network_error');
    expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
  });
  test('endless body: read to 64 KiB, judged by its status, the connection dropped', async () => {
    const sent = { bytes: 0 };
    const { port } = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      flood(socket, 'z'.repeat(16_384), sent);
    });
    const { outcome, trace } = await post(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ kind: 'responded', status: 200 });
    expect(trace.bodyStart?.byteLength).toBe(1_024);
    expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
  });
  test('endless extensions of chunks: read to 64 KiB, judged by its status, the connection dropped', async () => {
    const sent = { bytes: 0 };
    const { port } = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      flood(socket, `1;a=${'b'.repeat(15_000)}\r\nz\r\n`, sent);
    });
    const { outcome, trace } = await post(`http://127.0.0.1:${port}/`, { deadlineMs: 60_000 });
    expect(outcome).toMatchObject({ kind: 'responded', status: 200 });
    expect(trace.bodyStart?.byteLength).toBe(4);
    expect(sent.bytes).toBeLessThan(64 * 1024 * 1024);
  });
  test('gzip bomb: stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const receiver = await startReceiver({
      respond: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    });
    const { outcome, trace } = await post(`${receiver.origin}/`);
    expect(outcome).toMatchObject({ kind: 'responded', status: 200 });
    expect(bomb.subarray(0, 1_024).equals(trace.bodyStart ?? Buffer.alloc(0))).toBe(true);
  });
  test('closes without an answer → network_error', async () => {
    expect(await rawAnswer((socket) => socket.end(), 60_000)).toBe('network_error');
  });
  test('resets or closes behind its status line: judged by its status', async () => {
    for (const end of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()])
      for (const text of ['HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx', 'HTTP/1.1 200 OK\r\nx: y']) {
        const answer = (socket: Socket) => socket.write(text, () => end(socket));
        expect(await rawAnswer(answer, 60_000)).toBe(200);
      }
  });
  test('closes in the middle of its status line → network_error', async () => {
    expect(await rawAnswer((socket) => socket.end('HTTP/1.1 200 O'), 60_000)).toBe('network_error');
  });
  test('invalid status line → network_error', async () => {
    expect(await rawAnswer((socket) => socket.end('HTTP/9.9 abc\r\n\r\n'), 60_000)).toBe('network_error');
    expect(await rawAnswer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 60_000)).toBe('network_error');
  });
  test('HTTP/1.0 without a length is a complete answer at the end of the connection', async () => {
    expect(await rawAnswer((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\ndone'), 60_000)).toBe(200);
  });
  test('a few 1xx answers are skipped, a flood is network_error', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\n';
    expect(
      await rawAnswer(
        (socket) => socket.end(`${interim}${interim}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`),
        60_000,
      ),
    ).toBe(200);
    expect(await rawAnswer((socket) => flood(socket, interim), 60_000)).toBe('network_error');
  });
  test('switching protocols is no answer → network_error', async () => {
    expect(
      await rawAnswer(
        (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
        60_000,
      ),
    ).toBe('network_error');
  });
  test('connection refused → network_error', async () => {
    const closed = await startReceiver();
    await closed.close();
    expect(await codeOf(post(`${closed.origin}/`))).toBe('network_error');
  });
  test('plain HTTP behind https → tls_error', async () => {
    const { port } = await startRawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await codeOf(post(`https://hook.example.test:${port}/`))).toBe('tls_error');
  });
  for (const [name, host, certificate] of [
    ['for another name', 'other.example.test', trustedCertificate],
    ['expired', 'hook.example.test', expiredCertificate],
    ['self-signed', 'hook.example.test', selfSignedCertificate],
    ['for a name behind an address', '127.0.0.1', trustedCertificate],
  ] as const) {
    test(`certificate ${name} → tls_error, and the request was never sent`, async () => {
      const receiver = await startReceiver({ certificate });
      // Also at the second attempt, which could resume the session of the first.
      for (const _attempt of [1, 2])
        expect(await codeOf(post(`https://${host}:${receiver.port}/`, {}, name))).toBe('tls_error');
      expect(receiver.requests).toHaveLength(0);
    });
  }
});

test('certificate that is good for clients alone → tls_error, and the request was never sent', async () => {
  const receiver = await startReceiver({ certificate: clientCertificate });
  const connections = new ConnectionPool(8, [serverAuthority]);
  atEnd(async () => connections.close());
  expect(await codeOf(post(`https://client.test:${receiver.port}/`, { connections }))).toBe('tls_error');
  expect(receiver.requests).toHaveLength(0);
});

test('300 hanging receivers do not delay another one', async () => {
  const hanging = await startRawReceiver(() => {}, trustedCertificate);
  const healthy = await startReceiver({ certificate: trustedCertificate });
  // None of them ends during the test.
  const deadlineMs = 300_000;
  let ended = 0;
  const attempts = Array.from({ length: 300 }, () =>
    codeOf(post(`https://hook.example.test:${hanging.port}/`, { deadlineMs })).finally(() => {
      ended += 1;
    }),
  );
  for (let count = 0; count < 20; count += 1) {
    expect(await codeOf(post(`https://hook.example.test:${healthy.port}/`, { deadlineMs }))).toBe(204);
  }
  expect(healthy.requests).toHaveLength(20);
  expect(ended).toBe(0);
  await hanging.close();
  expect(new Set(await Promise.all(attempts))).toEqual(new Set(['network_error']));
});

/** One piece every 20 ms for as long as the connection lives. */
function drip(socket: Socket, piece: string): void {
  // biome-ignore lint/plugin: the subscriber drips
  const timer = setInterval(() => socket.write(piece), 20);
  socket.on('close', () => clearInterval(timer));
}

/** As fast as the other side reads. */
function flood(socket: Socket, piece: string, sent = { bytes: 0 }): void {
  const write = () => {
    while (!socket.destroyed && socket.writable) {
      sent.bytes += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', write);
  write();
}
