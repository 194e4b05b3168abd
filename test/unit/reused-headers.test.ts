import { expect, test } from 'bun:test';
import { RequestContext } from '../../src/http/request-context.ts';
import { ReusedHeaders } from '../../src/http/responses/reused-headers.ts';

const rate = {
  allowed: true,
  limit: 10,
  windowSeconds: 60,
  remaining: 9,
  resetSeconds: 6,
  nextSeconds: 6,
  retryAfterSeconds: 0,
};
const template = () => new Headers({ Vary: 'Authorization', 'X-RateLimit-Policy': 'transaction-submit' });
const request = () => new RequestContext(new Request('http://localhost/'), () => '');

function shown(headers: Headers): Record<string, string> {
  const {
    'x-request-id': _id,
    traceparent: _trace,
    'x-duration-ms': _ms,
    ...rest
  } = Object.fromEntries(headers);
  return rest;
}

test('each response has the headers of a newly made one', () => {
  const reused = new ReusedHeaders(template());
  const ofEach = [
    { ETag: '"1"', Location: '/a' },
    { ETag: '"2"' },
    {},
    { 'Idempotent-Replayed': 'true', ETag: '"2"' },
    { etag: '"3"' },
    { Vary: 'Prefer' },
    { ETag: '"3"' },
  ];
  for (const [index, more] of ofEach.entries()) {
    const remaining = 9 - (index % 3);
    const nextSeconds = 6 - (index >> 1);
    const windowSeconds = index < 4 ? 60 : 30;
    const decision = { ...rate, remaining, nextSeconds, windowSeconds };
    const headers = reused.withMore(request(), decision, more);
    const anew = new Headers({
      ...Object.fromEntries(template()),
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': '6',
      'RateLimit-Policy': `"transaction-submit";q=10;w=${windowSeconds}`,
      RateLimit: `"transaction-submit";r=${remaining};t=${nextSeconds}`,
    });
    for (const [name, value] of Object.entries(more)) anew.set(name, value);
    expect(shown(headers)).toEqual(shown(anew));
  }
});

test('the headers of a response do not change with the next one', () => {
  const reused = new ReusedHeaders(template());
  const [first, second] = [request(), request()];
  const response = new Response(null, { headers: reused.withTag(first, rate, '"1"') });
  reused.withTag(second, rate, '"2"');
  expect(response.headers.get('x-request-id')).toBe(first.requestId);
  expect(response.headers.get('etag')).toBe('"1"');
});
