import { beforeAll, describe, expect, test } from 'bun:test';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { daysAgo, keepAsWorker } from '../support/database/partitions.ts';
import { type NameServer, startNameServer } from '../support/http/name-server.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { eventually } from '../support/run/eventually.ts';

let api: TestApi;
let nameServer: NameServer;
let key: TestKey;

beforeAll(async () => {
  nameServer = await startNameServer({ 'database.example': { addresses: ['10.20.30.40'] } }, (name) =>
    name.endsWith('.dead.example'),
  );
  api = await startTestApi({
    environment: {
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_DNS_SERVERS: nameServer.address,
    },
  });
});

interface Endpoint {
  id: string;
  url: string;
  status: string;
  disabledReason: string | null;
  version: number;
  secret: string;
  previousSecretExpiresAt: string | null;
}

interface CallOptions {
  owner?: TestKey;
  body?: unknown;
  ifMatch?: number;
  idempotencyKey?: string;
}

async function call(
  method: string,
  path: string,
  { owner = key, body, ifMatch, idempotencyKey = crypto.randomUUID() }: CallOptions = {},
): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...owner.header,
      ...(method !== 'GET' && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function createEndpoint(body: object = {}): Promise<Endpoint> {
  const response = await call('POST', '/webhook-endpoints', {
    body: { url: 'http://127.0.0.1:8080/hook', ...body },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Endpoint;
}

async function freshAccount(): Promise<void> {
  key = await createTestKey(api.dependencies.database);
}

const path = ({ id }: { id: string }) => `/webhook-endpoints/${id}`;

describe('endpoints', () => {
  beforeAll(freshAccount);

  test('are created with defaults, listed oldest first without secrets, and shown to their account only', async () => {
    const first = await createEndpoint();
    const second = await createEndpoint({ description: 'two', eventTypes: ['build.service.launch.*'] });
    const { data } = (await (await call('GET', '/webhook-endpoints')).json()) as { data: Endpoint[] };
    expect(data.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(JSON.stringify(data)).not.toContain('whsec_');
    expect(data[0]).toMatchObject({ status: 'enabled', eventTypes: ['*'], description: null, version: 1 });
    const stranger = await createTestKey(api.dependencies.database);
    await expectProblem(await call('GET', path(first), { owner: stranger }), 'webhook_endpoint_not_found');
  });

  test('get one ping each when created and re-enabled', async () => {
    const endpoint = await createEndpoint();
    const pings = () => api.dependencies.database`
      select from events where type = 'build.service.webhook.ping.v1' and only_endpoint_id = ${endpoint.id}`;
    expect((await pings()).count).toBe(1);
    await call('PATCH', path(endpoint), { body: { status: 'disabled' }, ifMatch: 1 });
    await call('PATCH', path(endpoint), { body: { status: 'enabled' }, ifMatch: 2 });
    expect((await pings()).count).toBe(2);
  });

  test('change by version: a stale one is 412, no field is 422, a denied URL is 422 with its reason', async () => {
    const endpoint = await createEndpoint();
    const changed = await call('PATCH', path(endpoint), { body: { description: 'new' }, ifMatch: 1 });
    expect(changed.headers.get('etag')).toBe('"2"');
    expect(await changed.json()).toMatchObject({ description: 'new', version: 2, url: endpoint.url });
    const stale = await expectProblem(
      await call('PATCH', path(endpoint), { body: { description: 'x' }, ifMatch: 1 }),
      'precondition_failed',
    );
    expect(stale.context).toEqual({ currentVersion: 2 });
    await expectProblem(await call('PATCH', path(endpoint), { body: {}, ifMatch: 2 }), 'validation_failed');
    const denied = await expectProblem(
      await call('PATCH', path(endpoint), { body: { url: 'http://10.0.0.1/' }, ifMatch: 2 }),
      'webhook_url_disallowed',
    );
    expect(denied.context).toEqual({ reason: 'address_not_public' });
  });

  test('can be limited to subjects, each once and ids in lower case; null removes the limit, and a change is a new version', async () => {
    const mint = 'So11111111111111111111111111111111111111112';
    const roundId = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
    const endpoint = await createEndpoint({ subjects: [mint, roundId.toUpperCase(), mint, roundId] });
    expect(endpoint).toMatchObject({ subjects: [mint, roundId] });
    expect(await (await call('GET', path(endpoint))).json()).toMatchObject({ subjects: [mint, roundId] });
    const kept = await call('PATCH', path(endpoint), { body: { description: 'x' }, ifMatch: 1 });
    expect(await kept.json()).toMatchObject({ subjects: [mint, roundId], version: 2 });
    const stale = await call('PATCH', path(endpoint), { body: { subjects: [mint] }, ifMatch: 1 });
    await expectProblem(stale, 'precondition_failed');
    const opened = await call('PATCH', path(endpoint), { body: { subjects: null }, ifMatch: 2 });
    expect(await opened.json()).toMatchObject({ subjects: null, version: 3 });
    const narrowed = await call('PATCH', path(endpoint), { body: { subjects: [mint] }, ifMatch: 3 });
    expect(await narrowed.json()).toMatchObject({ subjects: [mint], version: 4 });
    expect(await createEndpoint()).toMatchObject({ subjects: null });
  });

  test.each([
    ['none', [], '/body/subjects', 'too_short'],
    ['more than 100', Array(101).fill('11111111111111111111111111111111'), '/body/subjects', 'too_long'],
    [
      'what no event is about',
      ['11111111111111111111111111111111', '*'],
      '/body/subjects/1',
      'invalid_format',
    ],
    ['an id in braces', [`{${crypto.randomUUID()}}`], '/body/subjects/0', 'invalid_format'],
    ['text without end', ['1'.repeat(60_000)], '/body/subjects/0', 'too_long'],
    ['one that is no text', [7], '/body/subjects/0', 'invalid_type'],
  ])('with subjects that are %s are refused, and nothing changes', async (_name, subjects, at, code) => {
    const body = { url: 'http://127.0.0.1:8080/hook', subjects };
    const { errors } = await expectProblem(
      await call('POST', '/webhook-endpoints', { body }),
      'validation_failed',
    );
    expect(errors).toMatchObject([{ path: at, code }]);
    const endpoint = await createEndpoint();
    await expectProblem(
      await call('PATCH', path(endpoint), { body: { subjects }, ifMatch: 1 }),
      'validation_failed',
    );
    expect(await (await call('GET', path(endpoint))).json()).toMatchObject({ subjects: null, version: 1 });
    await freshAccount();
  });

  test('of a name that resolves inside a network are refused without the address', async () => {
    const response = await call('POST', '/webhook-endpoints', { body: { url: 'https://database.example/' } });
    const text = await response.clone().text();
    const { context } = await expectProblem(response, 'webhook_url_disallowed');
    expect(context).toEqual({ reason: 'address_not_public' });
    expect(text).not.toMatch(/10\.20|private/);
  });

  test('of names whose name server never answers are accepted, and hold up no other request', async () => {
    let round = 0;
    // A look-up is given up after 4 s: a machine that stands still for so long tries again.
    const hanging = await eventually('another request during the look-ups', async () => {
      await freshAccount();
      round += 1;
      let answered = 0;
      const asked = nameServer.queries.length;
      const creations = Array.from({ length: 4 }, (_, index) =>
        createEndpoint({ url: `https://hook-${round}-${index}.dead.example/` }).finally(() => {
          answered += 1;
        }),
      );
      await eventually('the look-ups', async () => nameServer.queries.length >= asked + 8);
      await createEndpoint();
      const isDuring = answered === 0;
      const endpoints = await Promise.all(creations);
      return isDuring && endpoints;
    });
    for (const { url } of hanging) expect(url).toEndWith('.dead.example/');
  });

  test('disabled by hand show it, and send the account an event', async () => {
    const endpoint = await createEndpoint();
    const disabled = await call('PATCH', path(endpoint), { body: { status: 'disabled' }, ifMatch: 1 });
    expect(await disabled.json()).toMatchObject({ status: 'disabled', disabledReason: 'manual' });
    const events = await api.dependencies.database`
      select from events where subject = ${endpoint.id} and type = 'build.service.webhook_endpoint.disabled.v1'`;
    expect(events.count).toBe(1);
  });

  test('of two changes that saw the same version exactly one wins', async () => {
    const endpoint = await createEndpoint();
    const responses = await Promise.all(
      ['a', 'b'].map((description) => call('PATCH', path(endpoint), { body: { description }, ifMatch: 1 })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('are neither deleted nor rotated by someone who saw another version', async () => {
    const endpoint = await createEndpoint();
    await expectProblem(await call('DELETE', path(endpoint), { ifMatch: 2 }), 'precondition_failed');
    const rotation = await call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: 2 });
    await expectProblem(rotation, 'precondition_failed');
    expect((await call('GET', path(endpoint))).headers.get('etag')).toBe('"1"');
  });

  test('deleted are gone, except for their deliveries', async () => {
    const endpoint = await createEndpoint();
    const response = await call('DELETE', path(endpoint), { ifMatch: 1 });
    expect(await response.json()).toEqual({ id: endpoint.id, deleted: true });
    for (const attempt of [
      call('GET', path(endpoint)),
      call('DELETE', path(endpoint), { ifMatch: 2 }),
      call('PATCH', path(endpoint), { body: { description: 'x' }, ifMatch: 2 }),
      call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: 2 }),
    ]) {
      await expectProblem(await attempt, 'webhook_endpoint_not_found');
    }
    expect((await call('GET', `${path(endpoint)}/deliveries`)).status).toBe(200);
  });
});

describe('a rotation', () => {
  beforeAll(freshAccount);

  test('shows a new secret and keeps the old one for a day, for the requested time, or not at all', async () => {
    const endpoint = await createEndpoint();
    const rotate = async (version: number, body?: object) =>
      call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: version, ...(body && { body }) });
    const first = (await (await rotate(1)).json()) as Endpoint & { endpointId: string };
    expect(first.endpointId).toBe(endpoint.id);
    expect(first.secret).toMatch(/^whsec_/);
    expect(first.secret).not.toBe(endpoint.secret);
    // Counted from the change, by the clock that the processes share.
    const keptMs = async ({ previousSecretExpiresAt }: Endpoint) => {
      const { updatedAt } = (await (await call('GET', path(endpoint))).json()) as { updatedAt: string };
      return Date.parse(previousSecretExpiresAt ?? '') - Date.parse(updatedAt);
    };
    expect(await keptMs(first)).toBe(24 * 3_600_000);
    const second = (await (await rotate(2, { previousSecretTtlSeconds: 60 })).json()) as Endpoint;
    expect(await keptMs(second)).toBe(60_000);
    const third = (await (await rotate(3, { previousSecretTtlSeconds: 0 })).json()) as Endpoint;
    expect(third).toMatchObject({ previousSecretExpiresAt: null, version: 4 });
    await expectProblem(await rotate(4, { previousSecretTtlSeconds: 604_801 }), 'validation_failed');
  });

  test('reports that it ends an older secret which would still sign, and only such a secret', async () => {
    const endpoint = await createEndpoint();
    const rotate = async (version: number, previousSecretTtlSeconds: number) => {
      const body = { previousSecretTtlSeconds };
      const response = await call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: version, body });
      expect(response.status).toBe(201);
      return (await response.json()) as Endpoint & { endedSecretExpiresAt: string | null };
    };
    const first = await rotate(1, 3600);
    expect(first.endedSecretExpiresAt).toBeNull();
    const second = await rotate(2, 60);
    expect(second.endedSecretExpiresAt).toBe(first.previousSecretExpiresAt);
    const third = await rotate(3, 0);
    expect(third.endedSecretExpiresAt).toBe(second.previousSecretExpiresAt);
    // The secret before was ended on request, so nothing is left to end.
    expect((await rotate(4, 60)).endedSecretExpiresAt).toBeNull();
    // A secret whose time is over was not ended by this rotation.
    await api.dependencies.database`
      update webhook_endpoints set previous_secret_expires_at = now() - interval '1 second' where id = ${endpoint.id}`;
    expect((await rotate(5, 60)).endedSecretExpiresAt).toBeNull();
  });

  test('repeated with its key returns the same response and ends no further secret', async () => {
    const endpoint = await createEndpoint();
    await call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: 1 });
    const idempotencyKey = crypto.randomUUID();
    const again = () => call('POST', `${path(endpoint)}/secret-rotations`, { ifMatch: 2, idempotencyKey });
    const [original, repeated] = [await again(), await again()];
    expect(await repeated.text()).toBe(await original.text());
    expect((await call('GET', path(endpoint))).headers.get('etag')).toBe('"3"');
  });
});

describe('deliveries', () => {
  beforeAll(freshAccount);

  async function createDeliveries(endpoint: Endpoint, count: number): Promise<string[]> {
    const { database } = api.dependencies;
    const type = eventType('webhook.ping');
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const eventId = await insertEvent(database, { type, accountId: key.accountId });
      ids.push(await insertDelivery(database, { endpointId: endpoint.id, eventId, eventType: type }));
    }
    return ids.reverse();
  }

  test('are listed newest first, page by page, filtered by status, and cursors fit only their query', async () => {
    const endpoint = await createEndpoint();
    const ids = await createDeliveries(endpoint, 5);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const response = await call('GET', `${path(endpoint)}/deliveries?limit=2${query}`);
      const body = (await response.json()) as {
        data: { id: string }[];
        page: { hasMore: boolean; nextCursor: string | null };
      };
      seen.push(...body.data.map(({ id }) => id));
      expect(body.page.hasMore).toBe(body.page.nextCursor !== null);
      if (body.page.nextCursor !== null) {
        const other = await call(
          'GET',
          `${path(endpoint)}/deliveries?status=pending&cursor=${body.page.nextCursor}`,
        );
        await expectProblem(other, 'cursor_invalid');
      }
      cursor = body.page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    const none = await call('GET', `${path(endpoint)}/deliveries?status=dead_letter`);
    expect(await none.json()).toEqual({ data: [], page: { hasMore: false, nextCursor: null } });
    await expectProblem(await call('GET', `${path(endpoint)}/deliveries?status=lost`), 'validation_failed');
  });

  test('are replayed when finished, at most ten times under concurrency', async () => {
    const endpoint = await createEndpoint();
    const [id] = await createDeliveries(endpoint, 1);
    const replay = () => call('POST', `/webhook-deliveries/${id}/replays`);
    const finish = () => api.dependencies.database`
      update webhook_deliveries set status = 'dead_letter', next_attempt_at = null where id = ${id ?? ''}`;
    const first = await replay();
    expect(first.status).toBe(202);
    expect(await first.json()).toMatchObject({ id, status: 'pending' });
    await expectProblem(await replay(), 'webhook_delivery_not_replayable');
    for (let count = 1; count < publishedLimits.webhookReplaysPerDelivery; count += 1) {
      await finish();
      const responses = await Promise.all([replay(), replay(), replay()]);
      expect(responses.filter(({ status }) => status === 202).length).toBe(1);
    }
    await finish();
    await expectProblem(await replay(), 'webhook_delivery_replay_limit_reached');
  });

  test('that are retrying are not replayed, and the refusal names the way to send them now', async () => {
    const endpoint = await createEndpoint();
    const [id = ''] = await createDeliveries(endpoint, 1);
    await api.dependencies.database`
      update webhook_deliveries set status = 'retrying', next_attempt_at = now() where id = ${id}`;
    const refused = await call('POST', `/webhook-deliveries/${id}/replays`);
    const { detail, context } = await expectProblem(refused, 'webhook_delivery_not_replayable');
    expect(detail).toBe('The delivery is retrying: `retryWebhookDelivery` makes its next attempt now.');
    expect(context).toEqual({ status: 'retrying' });
  });

  test('of a disabled endpoint are not replayed, and the refusal costs none of the ten', async () => {
    const { database } = api.dependencies;
    const endpoint = await createEndpoint();
    const [id = ''] = await createDeliveries(endpoint, 1);
    const replay = () => call('POST', `/webhook-deliveries/${id}/replays`);
    await call('PATCH', path(endpoint), { body: { status: 'disabled' }, ifMatch: 1 });
    const { context } = await expectProblem(await replay(), 'webhook_delivery_not_replayable');
    expect(context).toEqual({ status: 'succeeded', endpointStatus: 'disabled', disabledReason: 'manual' });
    const read = () => database`select status, replay_count from webhook_deliveries where id = ${id}`;
    expect((await read())[0]).toEqual({ status: 'succeeded', replayCount: 0 });
    await call('PATCH', path(endpoint), { body: { status: 'enabled' }, ifMatch: 2 });
    expect((await replay()).status).toBe(202);
    expect((await read())[0]).toEqual({ status: 'pending', replayCount: 1 });
  });

  test('replayed while their endpoint is being disabled wait for that change, and are refused', async () => {
    const { database } = api.dependencies;
    const endpoint = await createEndpoint();
    const [id = ''] = await createDeliveries(endpoint, 1);
    const disabling = await holdLocks(
      database,
      (transaction) => transaction`
        update webhook_endpoints set status = 'disabled', disabled_reason = 'failing' where id = ${endpoint.id}`,
    );
    const replayed = call('POST', `/webhook-deliveries/${id}/replays`);
    await disabling.untilBlocked('the replay waits for the endpoint');
    await disabling.commit();
    await expectProblem(await replayed, 'webhook_delivery_not_replayable');
  });

  test('older than the retention are gone: not listed, not replayed, and a listing in progress ends', async () => {
    const { database } = api.dependencies;
    const endpoint = await createEndpoint();
    const [newest = '', kept = '', old = '', oldest = ''] = await createDeliveries(endpoint, 4);
    const list = async (query: string) =>
      (await (await call('GET', `${path(endpoint)}/deliveries?limit=2${query}`)).json()) as {
        data: { id: string }[];
        page: { hasMore: boolean; nextCursor: string | null };
      };
    const first = await list('');
    expect(first.data.map(({ id }) => id)).toEqual([newest, kept]);
    for (const id of [old, oldest]) {
      await database`
        update webhook_deliveries set event_id = ${Bun.randomUUIDv7('hex', daysAgo(40))}, updated_at = ${daysAgo(31)}
        where id = ${id}`;
    }
    await keepAsWorker(database);
    expect(await list(`&cursor=${first.page.nextCursor}`)).toEqual({
      data: [],
      page: { hasMore: false, nextCursor: null },
    });
    await expectProblem(
      await call('POST', `/webhook-deliveries/${old}/replays`),
      'webhook_delivery_not_found',
    );
    expect((await call('POST', `/webhook-deliveries/${kept}/replays`)).status).toBe(202);
  });
});
