import { beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { contractDefinitions } from '../../src/api/routes.ts';
import { bodyBytesMax } from '../../src/http/bodies/request-body.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const MIB = 1024 * 1024;
const NO_ROOM = 'Too many bytes of request bodies are on their way';

let api: TestApi;
let greedy: TestKey;
let other: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  greedy = await createTestKey(api.dependencies.database);
  other = await createTestKey(api.dependencies.database);
});

const withBody = contractDefinitions.filter(({ method }) => method !== 'GET');

function head({ method, path, upload }: RouteDefinition, key: TestKey, ...headers: string[]): string {
  return [
    `${method} /api/v2${path.replace(/:\w+/g, UUID)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${key.header.authorization}`,
    `Idempotency-Key: ${Bun.randomUUIDv7()}`,
    'If-Match: "1"',
    `Content-Type: ${upload === undefined ? 'application/json' : 'image/png'}`,
    ...headers,
    '\r\n',
  ].join('\r\n');
}

describe('an operation', () => {
  test.each(withBody.map((definition) => [definition.id, definition] as const))(
    '%s names the size of body that it takes when it refuses a larger one, unread',
    async (_id, definition) => {
      const bytesMax = bodyBytesMax(definition);
      expect(bytesMax).toBeLessThanOrEqual(definition.upload === undefined ? 65_536 : 5 * MIB);
      const { status, body } = await sendRaw(
        api.origin,
        head(definition, other, `Content-Length: ${bytesMax + 1}`),
      );
      expect(status).toBe(413);
      expect(body).toContain(`larger than ${bytesMax.toLocaleString('en-US')} bytes`);
    },
  );

  test.each(withBody.map((definition) => [definition.id, definition] as const))(
    '%s reads no body of an account that has no room left, declared or in chunks',
    async (_id, definition) => {
      const { bodies } = api.dependencies.pipeline;
      const taken = bodies.take('an address', 32 * MIB);
      expect(taken?.moveTo(greedy.accountId)).toBe(true);
      for (const length of ['Content-Length: 5000', 'Transfer-Encoding: chunked']) {
        const { status, headers, body } = await sendRaw(api.origin, head(definition, greedy, length));
        expect([length, status]).toEqual([length, 503]);
        expect(body).toContain(NO_ROOM);
        expect(headers.get('connection')).toBe('close');
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      }
      const small = await sendRaw(api.origin, head(definition, greedy, 'Content-Length: 2'), {
        parts: [{ text: '{}' }],
      });
      expect(small.body).not.toContain(NO_ROOM);
      taken?.release();
      await eventually('room given back', async () => bodies.bytes === 0);
    },
  );
});

test('600 bodies of one key take no more than its share, leave room to others, and give it back with their connections', async () => {
  const { bodies } = api.dependencies.pipeline;
  const [swap] = contractDefinitions.filter(({ id }) => id === 'createSwap');
  if (swap === undefined) throw new Error('no createSwap');
  const sockets: Socket[] = [];
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
  });
  const { hostname, port } = new URL(api.origin);
  let refused = 0;
  for (let count = 0; count < 600; count += 1) {
    const socket = connect(Number(port), hostname, () => {
      socket.write(head(swap, greedy, 'Content-Length: 65536'));
      // The last byte never comes.
      socket.write(Buffer.alloc(65_535, 0x20));
    });
    // By the room; by the rate limit, when other tests have used some of it; or by the time that a body may take.
    socket.on('data', (data) => {
      if (/^HTTP\/1\.1 (?:503|429|400)/.test(data.toString())) refused += 1;
    });
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  await eventually('refusals beyond 512 bodies', async () => refused >= 600 - 512);
  expect(bodies.bytes).toBeLessThanOrEqual(32 * MIB);
  const { status } = await sendRaw(api.origin, head(swap, other, 'Content-Length: 5000'), {
    parts: [{ text: ' '.repeat(5_000) }],
  });
  expect(status).toBe(400);
  for (const socket of sockets) socket.destroy();
  await eventually('room given back', async () => bodies.bytes === 0);
});
