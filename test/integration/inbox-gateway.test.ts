import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ReceivedDeliveries } from '../../sandbox/inbox/received-deliveries.ts';
import { serveInbox } from '../../sandbox/inbox/server.ts';

const KEY = 'lw_test_key';
const asked: { method: string; path: string; authorization: string | null; key: string | null }[] = [];
let api: Bun.Server<undefined>;
let inbox: Bun.Server<undefined>;
let origin: string;

beforeAll(() => {
  api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push({
        method: request.method,
        path: `${pathname}${search}`,
        authorization: request.headers.get('authorization'),
        key: request.headers.get('idempotency-key'),
      });
      return Response.json({ data: [] }, { headers: { 'Set-Cookie': 'a=b', 'X-Request-Id': 'one' } });
    },
  });
  inbox = serveInbox({
    port: 0,
    deliveries: new ReceivedDeliveries(),
    secret: Promise.resolve('whsec_none'),
    api: { baseUrl: `http://127.0.0.1:${api.port}/api/v2`, apiKey: KEY },
  });
  origin = `http://127.0.0.1:${inbox.port}`;
});

afterAll(async () => {
  await inbox.stop(true);
  await api.stop(true);
});

test('the page reads the api with a key that it never gets', async () => {
  const response = await fetch(`${origin}/api/tokens?limit=2`, {
    headers: { Authorization: 'Bearer other' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-request-id')).toBe('one');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(asked.at(-1)).toMatchObject({ path: '/api/v2/tokens?limit=2', authorization: `Bearer ${KEY}` });
  const files = ['/', '/page.js', '/api.js', '/stream.js', '/addresses'];
  for (const path of files) expect(await (await fetch(`${origin}${path}`)).text()).not.toContain(KEY);
});

test('only reads of the page and requests that repeat a delivery are passed on', async () => {
  const before = asked.length;
  const refused = [
    ['GET', '/api/me'],
    ['GET', '/api/webhook-endpoints/1/pings'],
    ['GET', '/api/events'],
    ['GET', '/api/tokens/a/b/c'],
    ['GET', '/api/../metrics'],
    ['GET', '/api/stream/../me'],
    ['POST', '/api/launches'],
    ['DELETE', '/api/webhook-endpoints/1'],
    ['GET', '/metrics'],
  ] as const;
  for (const [method, path] of refused) {
    const response = await fetch(`${origin}${path}`, { method, headers: { Origin: origin } });
    expect(response.status, `${method} ${path}`).toBe(404);
  }
  expect(asked).toHaveLength(before);
});

test.each(['replays', 'retries'])(
  '%s are asked for by the page itself, not by a page of another site',
  async (action) => {
    const path = `${origin}/api/webhook-deliveries/1/${action}`;
    const before = asked.length;
    for (const from of ['https://example.com', 'null', undefined]) {
      const headers: Record<string, string> = from === undefined ? {} : { Origin: from };
      expect((await fetch(path, { method: 'POST', headers })).status).toBe(403);
    }
    expect(asked).toHaveLength(before);
    const headers = { Origin: origin, 'Idempotency-Key': 'once' };
    expect((await fetch(path, { method: 'POST', headers })).status).toBe(200);
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      path: `/api/v2/webhook-deliveries/1/${action}`,
      key: 'once',
    });
  },
);

test('a foreign host name that resolves here reads nothing', async () => {
  const response = await fetch(`${origin}/api/tokens`, { headers: { Host: 'example.com' } });
  expect(response.status).toBe(421);
});

test('while the api is away the page gets 502', async () => {
  const away = serveInbox({
    port: 0,
    deliveries: new ReceivedDeliveries(),
    secret: Promise.resolve('whsec_none'),
    api: { baseUrl: 'http://127.0.0.1:1/api/v2', apiKey: KEY },
  });
  try {
    expect((await fetch(`http://127.0.0.1:${away.port}/api/tokens`)).status).toBe(502);
  } finally {
    await away.stop(true);
  }
});
