import { heapStats } from 'bun:jsc';
import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { RequestBody } from '../../src/http/bodies/request-body.ts';
import type { Route } from '../../src/http/route.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { sendRaw } from '../support/http/raw-http.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  // Bun discards a body that arrives while a response is pending. These are cached reads, which respond at once.
  const immediate = (route: Route): Route =>
    route.kind === 'public-read' ? { ...route, handle: () => ({ body: {} }) } : route;
  api = await startTestApi({ adjustRoutes: (routes) => routes.map(immediate) });
  key = await createTestKey(api.dependencies.database);
});

const BYTES_MAX = unpublishedLimits.operationBodyBytes;
const CHUNKED = 'Transfer-Encoding: chunked';
const BLOCK = Buffer.alloc(65_536, 0x20);
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
/** A server that reads on accepts any amount; one that ends the connection accepts only bytes from before its response. */
const TAKEN_MAX = 1024 * 1024 * 1024;

function head(requestLine: string, ...headers: string[]): string {
  return `${[`${requestLine} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
}

/** Sends without an end. Returns the bytes that were accepted before the server ended the connection. */
function sendEndlessly(request: string, piece: Uint8Array): Promise<number> {
  const { hostname, port } = new URL(api.origin);
  return new Promise((resolve) => {
    let taken = 0;
    const socket = connect(Number(port), hostname, () => {
      socket.write(request);
      send();
    });
    const send = () => {
      if (taken > TAKEN_MAX) socket.destroy();
      else if (!socket.destroyed)
        socket.write(piece, (error) => {
          if (error) return;
          taken += piece.byteLength;
          send();
        });
    };
    socket.on('data', () => undefined);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(taken));
  });
}

describe('a body without an end is not read on after the answer', () => {
  test.each([
    'GET /api/v2/tokens',
    'GET /api/v2/me',
    'HEAD /api/v2/tokens',
    'GET /api/v2/nothing',
    'PUT /api/v2/tokens',
    'OPTIONS /api/v2/tokens',
    'POST /api/v2/webhook-endpoints',
    'GET /docs',
    'GET /docs/openapi.json',
    'GET /docs/nothing',
    'GET /healthz',
    'GET /readyz',
    'GET /.well-known/webhook-public-keys',
    'GET /.well-known/jwks.json',
    'GET /.well-known/webhook-public-keys/0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
    'GET /operation-results/0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  ])('%s', async (requestLine) => {
    expect(await sendEndlessly(head(requestLine, CHUNKED), CHUNK)).toBeLessThan(TAKEN_MAX);
    const length = `Content-Length: ${Number.MAX_SAFE_INTEGER}`;
    expect(await sendEndlessly(head(requestLine, length), BLOCK)).toBeLessThan(TAKEN_MAX);
  });

  test('from a caller with a key, past the limit', async () => {
    const headers = [`Authorization: ${key.header.authorization}`, 'Content-Type: application/json', CHUNKED];
    const request = head('POST /api/v2/webhook-endpoints', ...headers);
    expect(await sendEndlessly(request, CHUNK)).toBeLessThan(TAKEN_MAX);
  });
});

describe('a body', () => {
  test('is read only after its caller is known', async () => {
    const { status } = await sendRaw(api.origin, head('POST /api/v2/webhook-endpoints', CHUNKED));
    expect(status).toBe(401);
  });

  test('that was read to its end leaves the connection open', async () => {
    const headers = [`Authorization: ${key.header.authorization}`, 'Content-Type: text/plain', CHUNKED];
    const answer = await sendRaw(api.origin, head('POST /api/v2/webhook-endpoints', ...headers), {
      parts: [{ text: '2\r\n{}\r\n0\r\n\r\n' }],
    });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('connection')).not.toBe('close');
  });

  test('that is slightly too large is discarded, so that its sender can read the response', async () => {
    const request = head('POST /api/v2/webhook-endpoints', `Content-Length: ${BYTES_MAX + 1}`);
    const { status, headers } = await sendRaw(api.origin, request);
    expect(status).toBe(413);
    expect(headers.get('connection')).not.toBe('close');
  });

  test('in one-byte pieces is kept in one buffer, not as pieces', async () => {
    const pieces = 100_000;
    let sent = 0;
    let kept = 0;
    const countArrays = () => {
      Bun.gc(true);
      return heapStats().objectTypeCounts.Uint8Array ?? 0;
    };
    const before = countArrays();
    const body = new ReadableStream(
      {
        pull(controller) {
          sent += 1;
          controller.enqueue(Uint8Array.of(sent % 251));
          if (sent < pieces) return;
          kept = countArrays() - before;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const bytes = await new RequestBody(
      new Request('http://localhost/', { method: 'POST', body }),
      null,
    ).read(pieces);
    expect(bytes.byteLength).toBe(pieces);
    expect(bytes.every((byte, index) => byte === (index + 1) % 251)).toBe(true);
    expect(kept).toBeLessThan(pieces / 10);
  });

  test('of exactly the largest size is accepted, one byte more is not', async () => {
    const of = (size: number) => {
      const body = new ReadableStream({
        start(controller) {
          for (let left = size; left > 0; left -= 1_000)
            controller.enqueue(new Uint8Array(Math.min(left, 1_000)));
          controller.close();
        },
      });
      return new RequestBody(new Request('http://localhost/', { method: 'POST', body }), null).read(
        BYTES_MAX,
      );
    };
    expect((await of(BYTES_MAX)).byteLength).toBe(BYTES_MAX);
    await expect(of(BYTES_MAX + 1)).rejects.toMatchObject({ code: 'request_body_too_large' });
  });
});
