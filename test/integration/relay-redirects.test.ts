import { describe, expect, test } from 'bun:test';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { BODY, codeOf, post } from '../support/webhooks/webhook-sender.ts';

function redirectTo(location: string, status = 307) {
  return startReceiver({ respond: (response) => response.writeHead(status, { location }).end() });
}

describe('redirects are new destinations', () => {
  for (const status of [301, 302, 307, 308]) {
    test(`${status} repeats the same POST with the same bytes and headers`, async () => {
      const target = await startReceiver();
      const { port } = await redirectTo(`${target.origin}/moved`, status);
      const { outcome, trace } = await post(`http://127.0.0.1:${port}/`);
      expect(outcome).toMatchObject({ kind: 'responded', status: 204 });
      expect(target.requests[0]).toMatchObject({ method: 'POST', path: '/moved' });
      expect(target.requests[0]?.body.equals(BODY)).toBe(true);
      expect(target.requests[0]?.headers['webhook-id']).toBe('id');
      expect(trace.redirectCount).toBe(1);
    });
  }

  for (const status of [300, 303, 304, 305]) {
    test(`${status} is an answer, not a redirect`, async () => {
      const { port } = await redirectTo('http://127.0.0.1:1/', status);
      expect(await codeOf(post(`http://127.0.0.1:${port}/`))).toBe(status);
    });
  }

  test('three are followed, the fourth fails', async () => {
    const receiver = await startReceiver({
      respond: (response, request) => {
        const left = Number(request.path.slice(1));
        if (left === 0) response.writeHead(204).end();
        else response.writeHead(302, { location: `/${left - 1}` }).end();
      },
    });
    expect(await codeOf(post(`${receiver.origin}/3`))).toBe(204);
    expect(await codeOf(post(`${receiver.origin}/4`))).toBe('redirect_limit_exceeded');
    expect(receiver.requests.slice(-4).map(({ path }) => path)).toEqual(['/4', '/3', '/2', '/1']);
  });

  for (const location of [
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2852039166/',
    'http://metadata.internal/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'http://user@127.0.0.1/',
    'http://[',
  ]) {
    test(`a redirect to ${location} is url_disallowed`, async () => {
      const { port } = await redirectTo(location);
      expect(await codeOf(post(`http://127.0.0.1:${port}/`))).toBe('url_disallowed');
    });
  }

  test('localhost is followed where loopback is admitted, as it is here', async () => {
    const target = await startReceiver();
    const { port } = await redirectTo(`http://localhost:${target.port}/moved`);
    expect(await codeOf(post(`http://127.0.0.1:${port}/`))).toBe(204);
  });

  test('a redirect to a name is resolved and judged', async () => {
    const { port } = await redirectTo('http://elsewhere.example.test/');
    const resolve = async () => ['192.168.1.1'];
    expect(await codeOf(post(`http://127.0.0.1:${port}/`, { resolve }))).toBe('url_disallowed');
  });
});

describe('a Location is read as UTF-8', () => {
  const unread = Buffer.from('caf\xe9', 'latin1');
  /** Redirects to bytes, which `writeHead` cannot send. */
  async function redirectToBytes(location: Buffer) {
    const { port } = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 307 x\r\ncontent-length: 0\r\nlocation: ');
      socket.write(Buffer.concat([location, Buffer.from('\r\n\r\n')]));
    });
    return `http://127.0.0.1:${port}/`;
  }

  test.each([
    ['/café', '/caf%C3%A9'],
    ['/n?q=münchen&x=%FF', '/n?q=m%C3%BCnchen&x=%FF'],
    ['/🚀/안녕', '/%F0%9F%9A%80/%EC%95%88%EB%85%95'],
    ['/plain', '/plain'],
  ])('%s is %s, as in browsers', async (path, requested) => {
    const target = await startReceiver();
    expect(await codeOf(post(await redirectToBytes(Buffer.from(target.origin + path))))).toBe(204);
    expect(target.requests.map((request) => request.path)).toEqual([requested]);
  });

  test('a host in letters is the one that its owner wrote', async () => {
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return ['192.168.1.1'];
    };
    for (const host of ['münchen.example', 'xn--mnchen-3ya.example']) {
      const { outcome, trace } = await post(await redirectToBytes(Buffer.from(`http://${host}/`)), {
        resolve,
      });
      expect(outcome).toMatchObject({ code: 'url_disallowed' });
      expect(trace.hopOrigin).toBe('http://xn--mnchen-3ya.example');
    }
    expect(new Set(resolved)).toEqual(new Set(['xn--mnchen-3ya.example']));
  });

  test.each([
    ['latin1', Buffer.concat([Buffer.from('/'), unread])],
    ['latin1 in a host', Buffer.concat([Buffer.from('http://'), unread, Buffer.from('.example/')])],
    ['half a character', Buffer.from('/caf\xc3', 'latin1')],
    ['an overlong form', Buffer.from('/\xc0\xaf', 'latin1')],
    ['a surrogate', Buffer.from('/\xed\xa0\x80', 'latin1')],
  ])('%s is refused by name', async (_what, location) => {
    const { outcome } = await post(await redirectToBytes(location));
    expect(outcome).toMatchObject({ code: 'url_disallowed', reason: 'location_invalid', status: 307 });
    expect(outcome).toMatchObject({ detail: 'responded with 307 and a Location that is no UTF-8' });
  });
});
