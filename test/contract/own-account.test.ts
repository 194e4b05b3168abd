import { beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { ApiKeySchema } from '../../src/features/identity/schema.ts';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { CancelledOperation } from '../../src/features/operations/schema.ts';
import { generateApiKey } from '../../src/shared/api-key.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { EventName } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey, type TestKeyOptions } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { recordEvent } from '../support/contract-coverage/messages.ts';
import { eventually } from '../support/run/eventually.ts';
import { openEventStream } from '../support/streams/event-stream.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    environment: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; each test checks what it reads
type Body = any;

const newKey = (options: TestKeyOptions = {}) => createTestKey(api.dependencies.database, options);
const get = (path: string, key: TestKey) => fetch(`${api.baseUrl}${path}`, { headers: key.header });
const post = (path: string, key: TestKey, body?: object, more: Record<string, string> = {}) =>
  fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...key.header,
      'idempotency-key': crypto.randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const revoke = (keyId: string, by: TestKey) => post(`/keys/${keyId}/revocations`, by);
const keysShown = async (key: TestKey, query = ''): Promise<Body> => (await get(`/keys${query}`, key)).json();

/** The events of an account with this name, oldest first. */
async function eventsOf({ accountId }: TestKey, name: EventName): Promise<Body[]> {
  const rows = await api.dependencies.database<{ body: string }[]>`
    select body from events where account_id = ${accountId} and type = ${`build.service.${name}.v1`} order by id`;
  return rows.map(({ body }) => {
    const event: Body = JSON.parse(body);
    expect([...Value.Errors(documentedEvents[name].schema, event.data)]).toEqual([]);
    recordEvent(event);
    return event;
  });
}

describe('the keys of an account', () => {
  test('are listed newest first, page by page, without secrets, revoked and expired ones too', async () => {
    const first = await newKey({ scopes: ['keys:write', 'fees:read'] });
    const { accountId } = first;
    const expiresAt = new Date(Date.now() + 3_600_000);
    const ending: Body = await (await get('/me', await newKey({ expiresAt }))).json();
    expect(ending.expiresAt).toBe(expiresAt.toISOString());
    const others = [await newKey({ accountId }), await newKey({ accountId, expiresAt: new Date(0) })];
    await newKey();
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const response = await get(`/keys?limit=1${cursor}`, first);
      const text = await response.text();
      const { data, page }: Body = JSON.parse(text);
      expect(Value.Check(ApiKeySchema, data[0])).toBe(true);
      expect(text).not.toContain('ecret');
      ids.push(data[0].id);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(ids.toSorted()).toEqual([first, ...others].map(({ keyId }) => keyId).toSorted());
    const { data } = await keysShown(first);
    expect(data.map(({ id }: Body) => id)).toEqual(ids);
    expect(data.at(-1)).toMatchObject({
      id: first.keyId,
      scopes: ['keys:write', 'fees:read'],
      revokedAt: null,
    });
  });

  test('made within one millisecond, or at the same microsecond, are on one page each', async () => {
    const first = await newKey();
    const { accountId } = first;
    const keys = [
      first,
      await newKey({ accountId }),
      await newKey({ accountId }),
      await newKey({ accountId }),
    ];
    await api.dependencies.database`
      update api_keys k set created_at = timestamptz '2026-11-01 00:00:00.123+00' + n / 2 * interval '333 microseconds'
      from unnest(${keys.map(({ keyId }) => keyId)}::text[]) with ordinality as made (id, n) where k.id = made.id`;
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = await keysShown(first, `?limit=1${cursor}`);
      ids.push(data[0].id);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    const made = keys.map(({ keyId }) => keyId);
    expect(ids).toEqual([...made.slice(3), ...made.slice(1, 3).sort().reverse(), ...made.slice(0, 1)]);
  });

  test('show a key without keys:write only itself', async () => {
    const key = await newKey({ scopes: ['fees:read'] });
    await newKey({ accountId: key.accountId });
    const { data, page } = await keysShown(key);
    expect(data.map(({ id }: Body) => id)).toEqual([key.keyId]);
    expect(page.hasMore).toBe(false);
  });

  test('a cursor of one view is none of the other', async () => {
    const all = await newKey();
    await newKey({ accountId: all.accountId });
    const narrow = await newKey({ accountId: all.accountId, scopes: [] });
    const { page } = await keysShown(all, '?limit=1');
    await expectProblem(await get(`/keys?cursor=${page.nextCursor}`, narrow), 'cursor_invalid');
  });

  test('show their last use once it is recorded, and a wrong secret is no use', async () => {
    const key = await newKey();
    const unused = await newKey({ accountId: key.accountId });
    const wrong = `Bearer ${unused.text.slice(0, -1)}${unused.text.endsWith('A') ? 'B' : 'A'}`;
    await fetch(`${api.baseUrl}/me`, { headers: { authorization: wrong } });
    // Keys of one millisecond come in any order.
    const shown = async ({ keyId }: TestKey) =>
      ((await keysShown(key)).data as Body[]).find(({ id }) => id === keyId);
    expect((await shown(key))?.lastUsedAt).toBeNull();
    await api.dependencies.keyUses.record();
    expect(await shown(unused)).toMatchObject({ id: unused.keyId, lastUsedAt: null });
    const first = await shown(key);
    expect(first).toMatchObject({ id: key.keyId, lastUsedAt: expect.any(String) });
    // Once more within the half minute changes no row.
    await api.dependencies.keyUses.record();
    expect(await shown(key)).toEqual(first);
  });

  test('an open stream uses its key', async () => {
    const key = await newKey();
    const stream = await openEventStream(`${api.baseUrl}/stream?topics=operations`, { ...key.header });
    await stream.find(({ event }) => event === 'heartbeat');
    await api.dependencies.keyUses.record();
    await api.dependencies.database`delete from api_key_uses where key_id = ${key.keyId}`;
    await eventually('its look-up notes it', async () => {
      await api.dependencies.keyUses.record();
      const [use] = await api.dependencies.database`select from api_key_uses where key_id = ${key.keyId}`;
      return use !== undefined;
    });
    stream.close();
  });
});

describe('a revocation', () => {
  test('of a key by itself needs no scope, ends its streams, and leaves its endpoints', async () => {
    const key = await newKey({ scopes: ['webhooks:write', 'operations:read'] });
    const { keyId } = key;
    expect((await post('/webhook-endpoints', key, { url: 'http://127.0.0.1:8080/a' })).status).toBe(201);
    const stream = await openEventStream(`${api.baseUrl}/stream?topics=operations`, { ...key.header });
    const response = await revoke(keyId, key);
    expect(response.status).toBe(200);
    const revoked: Body = await response.json();
    expect(Value.Check(ApiKeySchema, revoked)).toBe(true);
    expect(revoked).toMatchObject({ id: keyId, revokedAt: expect.any(String) });
    expect(await stream.find(({ event }) => event === 'end')).toMatchObject({ reason: 'key_revoked' });
    await eventually('the process refuses it', async () => (await get('/me', key)).status === 401);
    const [endpoint] = await api.dependencies.database`
      select status from webhook_endpoints where account_id = ${key.accountId} and deleted_at is null`;
    expect(endpoint).toMatchObject({ status: 'enabled' });
    const [event, ...more] = await eventsOf(key, 'api_key.revoked');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      subject: keyId,
      data: { keyId, name: 'test', revokedAt: revoked.revokedAt, revokedByKeyId: keyId },
    });
    expect(JSON.stringify(event)).not.toContain(key.text.split('_')[3] ?? key.text);
  });

  test('of another key needs keys:write, whether or not there is such a key', async () => {
    const key = await newKey({ scopes: ['webhooks:write'] });
    const other = await newKey({ accountId: key.accountId });
    for (const keyId of [other.keyId, generateApiKey('test').keyId])
      await expectProblem(await revoke(keyId, key), 'insufficient_scope');
    expect((await get('/me', other)).status).toBe(200);
  });

  test('is replayed to the key that asked for it alone', async () => {
    const key = await newKey();
    const [other, sibling] = [
      await newKey({ accountId: key.accountId }),
      await newKey({ accountId: key.accountId }),
    ];
    const same = { 'idempotency-key': 'revocation-1' };
    const ask = (by: TestKey) => post(`/keys/${other.keyId}/revocations`, by, undefined, same);
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).headers.get('idempotent-replayed')).toBe('true');
    const weak = await newKey({ accountId: key.accountId, scopes: ['operations:read'] });
    for (const by of [weak, sibling]) await expectProblem(await ask(by), 'idempotency_key_reused');
  });

  test('treats a key of another account as an unknown one', async () => {
    const [key, foreign] = [await newKey(), await newKey()];
    for (const keyId of [foreign.keyId, generateApiKey('test').keyId])
      await expectProblem(await revoke(keyId, key), 'api_key_not_found');
    await expectProblem(await revoke('short', key), 'validation_failed');
    expect(await eventsOf(foreign, 'api_key.revoked')).toEqual([]);
    const [row] = await api.dependencies
      .database`select revoked_at from api_keys where id = ${foreign.keyId}`;
    expect(row).toEqual({ revokedAt: null });
  });

  test('again changes nothing, however many ask at once, and is one event', async () => {
    const key = await newKey();
    const other = await newKey({ accountId: key.accountId });
    const responses = await Promise.all(Array.from({ length: 5 }, () => revoke(other.keyId, key)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const times = await Promise.all(responses.map(async (one) => ((await one.json()) as Body).revokedAt));
    expect(new Set(times).size).toBe(1);
    expect(await eventsOf(key, 'api_key.revoked')).toHaveLength(1);
  });
});

describe('a change of an endpoint is an event of its account', () => {
  const url = 'http://127.0.0.1:8080/hook';

  test('that names the key, at creation, change and rotation', async () => {
    const key = await newKey();
    const created: Body = await (await post('/webhook-endpoints', key, { url })).json();
    const [creation] = await eventsOf(key, 'webhook_endpoint.created');
    expect(creation).toMatchObject({
      subject: created.id,
      data: { id: created.id, url, byKeyId: key.keyId },
    });
    const change = (body: object, version: number) =>
      fetch(`${api.baseUrl}/webhook-endpoints/${created.id}`, {
        method: 'PATCH',
        headers: {
          ...key.header,
          'idempotency-key': crypto.randomUUID(),
          'content-type': 'application/json',
          'if-match': `"${version}"`,
        },
        body: JSON.stringify(body),
      });
    const moved = 'http://127.0.0.1:8080/moved';
    expect((await change({ url: moved, description: 'bot', eventTypes: ['*'] }, 1)).status).toBe(200);
    expect((await change({ description: 'bot' }, 2)).status).toBe(200);
    expect((await change({ status: 'disabled' }, 3)).status).toBe(200);
    expect((await change({ status: 'enabled' }, 4)).status).toBe(200);
    const changes = await eventsOf(key, 'webhook_endpoint.changed');
    expect(changes.map(({ data }) => data.changes)).toEqual([['url', 'description'], ['status']]);
    expect(changes[0]).toMatchObject({ data: { url: moved, byKeyId: key.keyId, version: 2 } });
    const rotation = await post(`/webhook-endpoints/${created.id}/secret-rotations`, key, undefined, {
      'if-match': '"5"',
    });
    const { secret, previousSecretExpiresAt }: Body = await rotation.json();
    const [rotated] = await eventsOf(key, 'webhook_endpoint.secret_rotated');
    expect(rotated).toMatchObject({ data: { id: created.id, previousSecretExpiresAt, byKeyId: key.keyId } });
    const stored = await api.dependencies.database<{ body: string }[]>`
      select body from events where account_id = ${key.accountId}`;
    for (const { body } of stored)
      for (const hidden of [secret, created.secret, key.text.split('_')[3]])
        expect(body).not.toContain(hidden);
  });

  test('of the others: the new endpoint itself gets its ping alone', async () => {
    const key = await newKey();
    const endpoint: Body = await (await post('/webhook-endpoints', key, { url })).json();
    const [row] = await api.dependencies.database`
      select e.created_at > v.created_at as is_later from webhook_endpoints e
      join events v on v.subject = e.id::text and v.type = 'build.service.webhook_endpoint.created.v1'
      where e.id = ${endpoint.id}`;
    expect(row).toEqual({ isLater: true });
  });

  test('that a key with webhooks:read lists, and a stream of it sends', async () => {
    const key = await newKey({ scopes: ['webhooks:read', 'webhooks:write'] });
    const stream = await openEventStream(`${api.baseUrl}/stream?topics=events`, { ...key.header });
    await stream.find(({ event }) => event === 'heartbeat');
    await post('/webhook-endpoints', key, { url });
    const sent = await stream.find(({ data }) => data?.type === 'build.service.webhook_endpoint.created.v1');
    stream.close();
    const listed = await eventually('the list shows it', async () => {
      const path = '/events?type=build.service.webhook_endpoint.created.v1';
      const { data }: Body = await (await get(path, key)).json();
      return data[0];
    });
    expect(listed.body).toEqual(sent.data);
  });
});

describe('a cancellation', () => {
  const create = (key: TestKey, kind: string, input: object) =>
    api.dependencies.database.begin((transaction) =>
      createOperation(transaction, systemClock, { accountId: key.accountId, kind, input }),
    );
  const exportOf = (key: TestKey) =>
    create(key, 'audience_export', { mintAddress: 'So11111111111111111111111111111111111111112' });
  const cancel = (id: string, key: TestKey) => post(`/operations/${id}/cancellations`, key);
  const set = (id: string, status: string) => api.dependencies.database`
    update operations set status = ${status}, started_at = now(),
      completed_at = case when ${status} = 'running' then null else now() end,
      due_at = case when ${status} = 'running' then now() + interval '1 minute' end,
      lease_token = case when ${status} = 'running' then gen_random_uuid() end,
      error_code = case when ${status} = 'failed' then 'internal_error' end,
      error_request_id = case when ${status} = 'failed' then 'req_1' end
    where id = ${id}`;

  test('ends a queued operation in its response, with its event, once', async () => {
    const key = await newKey();
    const { id } = await exportOf(key);
    const response = await cancel(id, key);
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`/api/v2/operations/${id}`);
    expect(response.headers.get('retry-after')).toBeNull();
    const body: Body = await response.json();
    expect([...Value.Errors(CancelledOperation, body)]).toEqual([]);
    expect(body).toMatchObject({ status: 'cancelled', cancelRequested: false, startedAt: null });
    const again: Body = await (await cancel(id, key)).json();
    expect(again).toEqual(body);
    const [event, ...more] = await eventsOf(key, 'operation.cancelled');
    expect(more).toEqual([]);
    const { cancelRequested: _, ...operation } = body;
    expect(event).toMatchObject({ subject: id, data: operation });
    const [row] = await api.dependencies
      .database`select due_at, lease_token from operations where id = ${id}`;
    expect(row).toEqual({ dueAt: null, leaseToken: null });
  });

  test('is not replayed to a key that could not ask for it', async () => {
    const key = await newKey();
    const { id } = await exportOf(key);
    const ask = (by: TestKey) =>
      post(`/operations/${id}/cancellations`, by, undefined, { 'idempotency-key': 'cancellation-1' });
    expect((await ask(key)).status).toBe(202);
    const reader = await newKey({ accountId: key.accountId, scopes: ['operations:read'] });
    await expectProblem(await ask(reader), 'idempotency_key_reused');
    const equal = await newKey({ accountId: key.accountId });
    expect((await ask(equal)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('asks a running operation to stop, and keeps the first time', async () => {
    const key = await newKey();
    const { id } = await exportOf(key);
    await set(id, 'running');
    const response = await cancel(id, key);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ status: 'running', cancelRequested: true });
    const requestedAt = async () =>
      (await api.dependencies.database`select cancel_requested_at from operations where id = ${id}`)[0];
    const first = await requestedAt();
    expect((await cancel(id, key)).status).toBe(202);
    expect(await requestedAt()).toEqual(first);
    expect(await eventsOf(key, 'operation.cancelled')).toEqual([]);
  });

  test.each(['succeeded', 'failed'])('of an operation that has %s is refused', async (status) => {
    const key = await newKey();
    const { id } = await exportOf(key);
    await set(id, status);
    const problem = await expectProblem(await cancel(id, key), 'operation_not_cancellable');
    expect(problem).toMatchObject({ context: { kind: 'audience_export', status } });
  });

  test('needs the scope that starts the kind, and refuses kinds of the operator', async () => {
    const key = await newKey({ scopes: ['operations:read', 'webhooks:write'] });
    const { id } = await exportOf(key);
    const refused = await expectProblem(await cancel(id, key), 'insufficient_scope');
    expect(refused).toMatchObject({ context: { missingScopes: ['audience:write'] } });
    const platform = await create(key, 'platform_work', {});
    const problem = await expectProblem(await cancel(platform.id, key), 'operation_not_cancellable');
    expect(problem).toMatchObject({ context: { kind: 'platform_work', status: 'queued' } });
    const [row] = await api.dependencies.database`
      select count(*)::int as queued from operations where account_id = ${key.accountId} and status = 'queued'`;
    expect(row).toEqual({ queued: 2 });
  });

  test('of many at once makes one event', async () => {
    const key = await newKey();
    const { id } = await exportOf(key);
    const responses = await Promise.all(Array.from({ length: 6 }, () => cancel(id, key)));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    expect(await eventsOf(key, 'operation.cancelled')).toHaveLength(1);
  });

  test('treats an operation of another account as an unknown one', async () => {
    const [key, foreign] = [await newKey(), await newKey()];
    const { id } = await exportOf(foreign);
    for (const unknown of [id, Bun.randomUUIDv7()])
      await expectProblem(await cancel(unknown, key), 'operation_not_found');
  });
});
