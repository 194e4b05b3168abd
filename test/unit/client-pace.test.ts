import { describe, expect, spyOn, test } from 'bun:test';
import { createClient } from 'launchwire';
import { eventually } from '../support/run/eventually.ts';
import { thrown } from '../support/run/thrown.ts';

const problem = (code: string, status: number, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, status, detail: 'no' }), { status, headers });
const refusal = (retryAfter: number) =>
  problem('rate_limit_exceeded', 429, {
    'Retry-After': String(retryAfter),
    'X-RateLimit-Policy': 'public-read-cheap',
  });
const answer = (headers: Record<string, string> = {}) =>
  new Response('{"data":[],"page":{"hasMore":false,"nextCursor":null}}', {
    headers: { 'X-RateLimit-Policy': 'public-read-cheap', ...headers },
  });

/** A service that responds as `respond` says, with `inFlight` open requests. */
function serviceOf(
  respond: (request: { number: number; path: string }) => Response | Promise<Response>,
  baseDelayMs = 1,
) {
  const service = { sent: [] as string[], inFlight: 0, mostInFlight: 0 };
  const fetch = async (input: string) => {
    const { pathname, search } = new URL(input);
    service.sent.push(pathname + search);
    service.inFlight += 1;
    service.mostInFlight = Math.max(service.mostInFlight, service.inFlight);
    await Promise.resolve();
    const response = await respond({ number: service.sent.length, path: pathname });
    service.inFlight -= 1;
    return response;
  };
  const client = createClient({ baseUrl: 'http://api.test', baseDelayMs, fetch: fetch as never });
  return { service, client };
}

describe('after a refusal for its rate limit', () => {
  test('requests go one by one, in the order in which they were called', async () => {
    let isOpen = false;
    const { service, client } = serviceOf(({ number }) => {
      if (number > 8) isOpen = true;
      return isOpen ? answer() : refusal(0);
    });
    const ended: number[] = [];
    const calls = Array.from({ length: 8 }, (_, index) =>
      client.listTokens({ limit: index + 1 }).then(() => ended.push(index + 1)),
    );
    await Promise.all(calls);
    expect(service.mostInFlight).toBe(8);
    // Each was sent once and repeated once: none was refused a second time.
    expect(service.sent.slice(8)).toEqual(service.sent.slice(0, 8));
    expect(ended).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('requests go one by one also where the refusals ask for no pause', async () => {
    const random = spyOn(Math, 'random').mockReturnValue(0);
    let refusals = 3;
    const together: number[] = [];
    const { service, client } = serviceOf(() => {
      refusals -= 1;
      if (refusals >= 0) return refusal(0);
      together.push(service.inFlight);
      return answer();
    });
    await Promise.all([1, 2, 3].map((limit) => client.listTokens({ limit })));
    random.mockRestore();
    expect(together).toEqual([1, 1, 1]);
  });

  test('other requests of the same limit wait as well, and those of another limit do not', async () => {
    let refusals = 1;
    const { service, client } = serviceOf(({ path }) => {
      if (path.endsWith('/me')) return answer({ 'X-RateLimit-Policy': 'api-key-read' });
      refusals -= 1;
      return refusals < 0 ? answer() : refusal(1);
    });
    await client.listPresales();
    // Its limit is known from its first response.
    service.sent.length = 0;
    refusals = 1;
    const first = client.listTokens();
    await eventually('the first is refused', async () => service.sent.length > 0 && service.inFlight === 0);
    const second = client.listPresales();
    await client.getApiIdentity();
    expect(service.sent).toEqual(['/api/v2/tokens', '/api/v2/me']);
    await Promise.all([first, second]);
    expect(service.sent.slice(2)).toEqual(['/api/v2/tokens', '/api/v2/presales']);
  });

  test('a request that the service holds keeps the others waiting for a second at most', async () => {
    const held = Promise.withResolvers<Response>();
    let refusals = 2;
    const { service, client } = serviceOf(() => {
      refusals -= 1;
      if (refusals >= 0) return refusal(0);
      return service.sent.length === 3 ? held.promise : answer();
    });
    const first = client.listTokens({ limit: 1 });
    const second = client.listTokens({ limit: 2 });
    await second;
    expect(service.inFlight).toBe(1);
    held.resolve(answer());
    await first;
  });

  test('a call is given up after its maximum of refusals, and where the pause is too long', async () => {
    const { service, client } = serviceOf(() => refusal(0));
    expect(await thrown(client.listTokens({}, { maxRetries: 3 }))).toMatchObject({
      code: 'rate_limit_exceeded',
    });
    expect(service.sent).toHaveLength(4);
    const later = serviceOf(() => refusal(61));
    const calls = [1, 2, 3].map((limit) => thrown(later.client.listTokens({ limit })));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ retryAfterSeconds: 61 });
  });

  test('the signal of a call that waits ends it, and the others go on', async () => {
    let refusals = 1;
    const { service, client } = serviceOf(() => {
      refusals -= 1;
      return refusals < 0 ? answer() : refusal(1);
    });
    const first = client.listTokens({ limit: 1 });
    await eventually('the first is refused', async () => service.sent.length > 0 && service.inFlight === 0);
    const stopping = new AbortController();
    const reason = new Error('enough');
    const second = thrown(client.listTokens({ limit: 2 }, { signal: stopping.signal }));
    const third = client.listTokens({ limit: 3 });
    stopping.abort(reason);
    expect(await second).toBe(reason);
    await Promise.all([first, third]);
    expect(service.sent).toEqual(
      ['?limit=1', '?limit=1', '?limit=3'].map((search) => `/api/v2/tokens${search}`),
    );
  });

  test('no request is sent before the reset when the headers say that nothing is left', async () => {
    let refusals = 3;
    const answeredAtMs: number[] = [];
    const { service, client } = serviceOf(() => {
      refusals -= 1;
      if (refusals < 0) answeredAtMs.push(performance.now());
      const left = { 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1' };
      return refusals < 0 ? answer(left) : refusal(0);
    });
    await Promise.all([1, 2, 3].map((limit) => client.listTokens({ limit })));
    expect(service.sent).toHaveLength(6);
    // From one answer to the next request: a busy machine only takes longer.
    const [first = 0, second = 0, third = 0] = answeredAtMs;
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(99);
  });
});

describe('a wait', () => {
  test('outlasts a service that fails for long, and keeps to the pause that the service asks for', async () => {
    const intent = (status: string) => new Response(JSON.stringify({ id: 'i', status, version: 1 }));
    let reads = 0;
    const { client } = serviceOf(({ path }) => {
      if (path.endsWith('/stream')) return problem('stream_limit_reached', 429, { 'Retry-After': '61' });
      reads += 1;
      if (reads % 30 === 0) return intent(reads === 60 ? 'confirmed' : 'submitted');
      return reads % 3 === 0
        ? refusal(0)
        : problem('api_dependency_unavailable', 503, { 'Retry-After': '0' });
    }, 0);
    expect(await client.waitForIntent('i')).toMatchObject({ status: 'confirmed' });
    expect(reads).toBe(60);
  });

  test('ends at a permanent refusal, at its signal, and after the failures that its caller allows', async () => {
    const gone = serviceOf(() => problem('transaction_intent_not_found', 404));
    expect(await thrown(gone.client.waitForIntent('i'))).toMatchObject({
      code: 'transaction_intent_not_found',
    });
    const down = serviceOf(() => problem('api_dependency_unavailable', 503, { 'Retry-After': '3600' }));
    const stopping = new AbortController();
    const reason = new Error('enough');
    const waiting = thrown(down.client.waitForIntent('i', { signal: stopping.signal }));
    await eventually('it has asked', async () => down.service.sent.length > 0);
    stopping.abort(reason);
    expect(await waiting).toBe(reason);
    expect(down.service.sent).toHaveLength(1);
    const failing = serviceOf(() => problem('api_dependency_unavailable', 503, { 'Retry-After': '0' }));
    expect(await thrown(failing.client.waitForOperation('o', { maxRetries: 2 }))).toMatchObject({
      status: 503,
    });
    expect(failing.service.sent).toHaveLength(3);
  });
});
