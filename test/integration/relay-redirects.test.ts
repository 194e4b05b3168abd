import { describe, expect, test } from 'bun:test';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
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
