import { describe, expect, spyOn, test } from 'bun:test';
import { ConnectionError, createClient, type ProblemError, UnexpectedResponseError } from 'launchwire';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { problemBody, startFaultyApi } from '../support/client/faulty-api.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { eventually } from '../support/run/eventually.ts';
import { thrown } from '../support/run/thrown.ts';

const stage = await startFaultyApi(localWebhooks);
const { api, proxy, wallet, clientOf } = stage;
const url = 'http://127.0.0.1:8099/webhooks';
const unavailable = (retryAfter = '0') => ({
  status: 503,
  headers: { 'retry-after': retryAfter },
  body: problemBody('api_dependency_unavailable', 503),
});

describe('a change whose response does not arrive', () => {
  test.each(['lose', 'cut'] as const)(
    '%s: is repeated under its key and takes effect once',
    async (fault) => {
      proxy.faults.push(fault, fault, null);
      const endpoint = await clientOf().createWebhookEndpoint({ url });
      const { requests } = proxy;
      expect(requests.map(({ answered, replayed }) => [answered, replayed])).toEqual([
        [201, false],
        [201, true],
        [201, true],
      ]);
      expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      const { data } = await clientOf().listWebhookEndpoints();
      expect(data.map(({ id }) => id)).toEqual([endpoint.id]);
    },
  );

  test('has another key at every call, or the one of the caller', async () => {
    const client = clientOf();
    const first = await client.createWebhookEndpoint({ url });
    const second = await client.createWebhookEndpoint({ url });
    expect(first.id).not.toBe(second.id);
    const named = await client.createWebhookEndpoint({ url }, { idempotencyKey: 'my-own-key' });
    const again = await client.createWebhookEndpoint({ url }, { idempotencyKey: 'my-own-key' });
    expect(again).toEqual(named);
    const other = client.createWebhookEndpoint({ url, description: 'b' }, { idempotencyKey: 'my-own-key' });
    expect(await thrown(other)).toMatchObject({ code: 'idempotency_key_reused' });
    expect(proxy.requests).toHaveLength(5);
  });
});

describe('retries', () => {
  test.each([429, 500, 502, 503, 504])(
    'repeat %d, with or without a problem, up to their limit',
    async (status) => {
      proxy.faults.push(
        { status },
        { status, body: '<html>' },
        { status, body: problemBody('internal_error', status) },
      );
      expect((await clientOf().getApiIdentity()).accountId).toBe(stage.key.accountId);
      expect(proxy.requests).toHaveLength(4);
      proxy.faults.push(...new Array(9).fill({ status, headers: { 'retry-after': '0' } }));
      expect(await thrown(clientOf({ maxRetries: 2 }).getApiIdentity())).toMatchObject({ status });
      expect(await thrown(clientOf().getApiIdentity({}, { maxRetries: 0 }))).toBeInstanceOf(
        UnexpectedResponseError,
      );
      expect(proxy.requests).toHaveLength(8);
    },
  );

  test('wait as long as Retry-After says, and give up where that is too long', async () => {
    proxy.faults.push(unavailable('1'));
    const timers = spyOn(globalThis, 'setTimeout');
    await clientOf().getApiIdentity();
    const delaysMs = timers.mock.calls.map(([, delayMs]) => delayMs);
    timers.mockRestore();
    // With a random part of `baseDelayMs`, 1 ms; loops of the api wait for whole seconds.
    expect(delaysMs.some((delayMs = 0) => delayMs > 1_000 && delayMs < 1_001)).toBe(true);
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    proxy.faults.push(unavailable('61'), unavailable(later));
    expect(await thrown(clientOf().getApiIdentity())).toMatchObject({ retryAfterSeconds: 61 });
    expect(await thrown(clientOf().getApiIdentity())).toMatchObject({ code: 'api_dependency_unavailable' });
    expect(proxy.requests).toHaveLength(4);
  });

  test('outlast a temporary conflict, and do not repeat a permanent refusal', async () => {
    const running = {
      status: 409,
      headers: { 'retry-after': '0' },
      body: problemBody('idempotency_request_in_progress', 409),
    };
    proxy.faults.push(running, null);
    await clientOf().createWebhookEndpoint({ url });
    expect(proxy.requests).toHaveLength(2);
    proxy.faults.push({ status: 503, body: problemBody('launches_unavailable', 503) });
    expect(await thrown(clientOf().listTokens())).toMatchObject({ code: 'launches_unavailable' });
    const unknown = await thrown(clientOf().getLaunch({ launchId: crypto.randomUUID() }));
    expect(unknown).toMatchObject({ code: 'launch_not_found', status: 404, operation: 'getLaunch' });
    const invalid = await thrown(clientOf().getLaunch({ launchId: 'x' }));
    expect(invalid).toMatchObject({ problem: { errors: [{ path: '/path/launchId' }] } });
    expect((invalid as ProblemError).message).toContain('/path/launchId');
    expect(proxy.requests).toHaveLength(5);
  });

  test('do not follow redirects, and accept no HTML page as a response', async () => {
    proxy.faults.push({ status: 302, headers: { location: 'http://127.0.0.1:9/' } });
    expect(await thrown(clientOf().listTokens())).toMatchObject({ code: 'unexpected_response', status: 302 });
    proxy.faults.push({ status: 404, body: '<html>' });
    expect(await thrown(clientOf().listTokens())).toMatchObject({ code: 'unexpected_response', status: 404 });
    expect(proxy.requests).toHaveLength(2);
  });

  test('name an address where nobody listens', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', maxRetries: 1, baseDelayMs: 1 });
    const error = await thrown(client.listTokens());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed' });
    expect(String(error)).toContain('http://127.0.0.1:9/api/v2/tokens');
  });
});

describe('a request', () => {
  test('carries the key of the client, if it has one, and its parameters where they belong', async () => {
    const client = clientOf();
    await client.listTokens({ limit: 3, status: 'bonding' });
    await thrown(client.createSwap({ mint: stage.key.walletAddress, side: 'buy', amountRaw: '5' }));
    await thrown(client.replayWebhookDelivery({ deliveryId: crypto.randomUUID() }));
    const [read, change, replay] = proxy.requests;
    expect(read?.path).toBe('/api/v2/tokens?limit=3&status=bonding');
    // An anonymous read counts against the key (contract/rate-limits#keys-on-public-reads).
    expect(read?.headers.authorization).toBe(`Bearer ${stage.key.text}`);
    await createClient({ baseUrl: proxy.origin }).listPresales();
    expect(proxy.requests.at(-1)?.headers.authorization).toBeUndefined();
    expect(change?.headers).toMatchObject({
      authorization: `Bearer ${stage.key.text}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(change?.body ?? '')).toEqual({ side: 'buy', amountRaw: '5' });
    expect(replay?.body).toBe('');
    expect(replay?.headers['content-type']).toBeUndefined();
  });

  test('does not climb out of its path', async () => {
    const client = clientOf();
    for (const intentId of ['..', '.', '']) {
      expect(await thrown(client.getTransactionIntent({ intentId }))).toBeInstanceOf(TypeError);
    }
    expect(proxy.requests).toEqual([]);
    await thrown(client.getTransactionIntent({ intentId: '../me?x=#y' }));
    expect(proxy.requests[0]?.path).toBe('/api/v2/transaction-intents/..%2Fme%3Fx%3D%23y');
  });

  test('shows status and headers on request, and never the key', async () => {
    const client = clientOf();
    const { status, headers, body } = await client.request('getApiIdentity', {});
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toStartWith('req_');
    expect(body.keyId).toBe(stage.key.keyId);
    const shown =
      Bun.inspect(client, { depth: 10 }) + Bun.inspect(await thrown(client.getLaunch({ launchId: 'x' })));
    expect(shown).not.toContain(stage.key.text);
  });

  test('needs an address of http', () => {
    for (const baseUrl of ['ftp://api.example', 'api.example', ''])
      expect(() => createClient({ baseUrl })).toThrow();
  });
});

describe('a signal', () => {
  test('ends a request, a pause before the next attempt, a wait and a list, each with its reason', async () => {
    const client = clientOf({ baseDelayMs: 60_000 });
    const reason = new Error('enough');
    expect(await thrown(client.listTokens({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(proxy.requests).toEqual([]);

    const pausing = new AbortController();
    proxy.faults.push({ status: 503 });
    const call = thrown(client.getApiIdentity({}, { signal: pausing.signal }));
    await eventually('the failed attempt', async () => proxy.requests.length === 1);
    pausing.abort(reason);
    expect(await call).toBe(reason);

    const { id } = await createPreparedIntent(api.dependencies.database, {
      accountId: stage.key.accountId,
      wallet,
    });
    const waiting = new AbortController();
    const wait = thrown(client.waitForIntent(id, { signal: waiting.signal }));
    await eventually('the stream, and the read after it', async () => proxy.requests.length === 4);
    waiting.abort(reason);
    expect(await wait).toBe(reason);

    const listing = new AbortController();
    const items = client.listOperations.all({}, { signal: listing.signal });
    listing.abort(reason);
    expect(await thrown(items.next())).toBe(reason);
  });

  test('is not needed for the limit of an attempt', async () => {
    const { id } = await createPreparedIntent(api.dependencies.database, {
      accountId: stage.key.accountId,
      wallet,
    });
    // On a busy machine an attempt may end before it reaches the proxy.
    let attempts = 0;
    const counting = ((input: string, init: RequestInit) => {
      attempts += 1;
      return fetch(input, init);
    }) as typeof fetch;
    const options = { timeoutMs: 50, maxRetries: 1, headers: { Prefer: 'wait=20' } };
    const client = clientOf({ fetch: counting });
    expect(await thrown(client.getTransactionIntent({ intentId: id }, options))).toMatchObject({
      code: 'timeout',
    });
    expect(attempts).toBe(2);
  });
});

describe('versions', () => {
  test('are read where the caller names none, and read again after a change by another client', async () => {
    const client = clientOf();
    const { id, version } = await client.createWebhookEndpoint({ url });
    const changed = await client.updateWebhookEndpoint({ endpointId: id, description: 'first' });
    expect(changed).toMatchObject({ description: 'first', version: version + 1 });
    const conflict = { status: 412, body: problemBody('precondition_failed', 412) };
    proxy.requests.length = 0;
    proxy.faults.push(null, conflict, null, 'lose', null);
    const second = await client.updateWebhookEndpoint({ endpointId: id, description: 'second' });
    expect(second).toMatchObject({ description: 'second', version: version + 2 });
    expect(proxy.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'PATCH']);
    expect(proxy.requests.at(-1)?.replayed).toBe(true);
    expect(await client.deleteWebhookEndpoint({ endpointId: id })).toEqual({ id, deleted: true });
  });

  test('of the caller are not replaced', async () => {
    const client = clientOf();
    const { id, version } = await client.createWebhookEndpoint({ url });
    await client.rotateWebhookSecret({ endpointId: id }, { ifMatch: version });
    const stale = client.updateWebhookEndpoint({ endpointId: id, description: 'late' }, { ifMatch: version });
    expect(await thrown(stale)).toMatchObject({ code: 'precondition_failed' });
    expect((await client.getWebhookEndpoint({ endpointId: id })).description).toBeNull();
  });

  test('are found again when a change is repeated under its key: it has its first response', async () => {
    const client = clientOf();
    const { id } = await client.createWebhookEndpoint({ url });
    const rotate = () => client.rotateWebhookSecret({ endpointId: id }, { idempotencyKey: 'rotated-once' });
    const describeAs = (description: string) =>
      client.updateWebhookEndpoint(
        { endpointId: id, description },
        { idempotencyKey: `as ${description}`.replaceAll(' ', '-') },
      );
    const rotated = await rotate();
    expect(await rotate()).toEqual(rotated);
    const first = await describeAs('first');
    await describeAs('second');
    expect(await describeAs('first')).toEqual(first);
    expect(await rotate()).toEqual(rotated);
    expect(await client.getWebhookEndpoint({ endpointId: id })).toMatchObject({
      description: 'second',
      version: 4,
    });
    // A key that was used for something else stays refused.
    const other = client.updateWebhookEndpoint(
      { endpointId: id, description: 'b' },
      { idempotencyKey: 'rotated-once' },
    );
    expect(await thrown(other)).toMatchObject({ code: 'idempotency_key_reused' });
  });
});
