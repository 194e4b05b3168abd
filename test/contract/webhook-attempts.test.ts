import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { AttemptSchema } from '../../src/features/webhooks/deliveries/schema.ts';
import { type EventName, eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';

const api = await startTestApi({ environment: localWebhooks });
const key = await createTestKey(api.dependencies.database);

function call(method: string, path: string, { owner = key, body, ifMatch }: CallOptions = {}) {
  return fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...owner.header,
      ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() as string }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

interface CallOptions {
  owner?: TestKey;
  body?: object;
  ifMatch?: string;
}

const create = (eventTypes?: string[], owner = key) =>
  call('POST', '/webhook-endpoints', {
    owner,
    body: { url: 'http://127.0.0.1:8080/hook', ...(eventTypes && { eventTypes }) },
  });

async function newEndpoint(owner = key): Promise<string> {
  return ((await (await create(undefined, owner)).json()) as { id: string }).id;
}

async function newDelivery(): Promise<{ endpointId: string; deliveryId: string }> {
  const { database } = api.dependencies;
  const endpointId = await insertEndpoint(database, { accountId: key.accountId });
  const deliveryId = await insertDelivery(database, { endpointId, eventId: await insertEvent(database) });
  return { endpointId, deliveryId };
}

interface Page {
  data: Record<string, unknown>[];
  page: { nextCursor: string | null };
}

describe('attempts of a delivery', () => {
  test('are listed newest first with the readable response of the endpoint', async () => {
    const { deliveryId } = await newDelivery();
    const { database } = api.dependencies;
    const at = new Date('2026-11-20T10:00:00Z');
    const failed = {
      succeeded: false,
      errorCode: 'http_500',
      errorDetail: 'for operators',
      hopOrigin: 'https://hook.example.com',
    };
    // A BOM, a NUL, a lone byte, and a character that the 1 KiB cut in two.
    const responseBody = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x00, 0xff, 0x62, 0xe2, 0x82]);
    const phases = { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 4, totalMs: 9 };
    await insertAttempt(database, {
      deliveryId,
      startedAt: at,
      ...failed,
      responseStatus: 500,
      responseBody,
      ...phases,
    });
    await insertAttempt(database, {
      deliveryId,
      attemptNumber: 2,
      startedAt: at,
      finishedAt: null,
      succeeded: null,
    });
    await insertAttempt(database, {
      deliveryId,
      attemptNumber: 3,
      startedAt: at,
      responseStatus: 204,
      redirectCount: 1,
    });
    const path = `/webhook-deliveries/${deliveryId}/attempts`;
    const { data } = (await (await call('GET', path)).json()) as Page;
    for (const attempt of data) expect([...Value.Errors(AttemptSchema, attempt)]).toEqual([]);
    expect(data.map(({ attemptNumber, outcome }) => [attemptNumber, outcome])).toEqual([
      [3, 'succeeded'],
      [2, 'unknown'],
      [1, 'failed'],
    ]);
    expect(data[2]).toEqual({
      attemptNumber: 1,
      startedAt: at.toISOString(),
      finishedAt: at.toISOString(),
      outcome: 'failed',
      errorCode: 'http_500',
      reason: null,
      failedHop: { redirect: 0, origin: 'https://hook.example.com' },
      responseStatus: 500,
      redirectCount: null,
      phases,
      responseStart: '\uFEFFa\0\uFFFDb',
    });
    const first = (await (await call('GET', `${path}?limit=2`)).json()) as Page;
    const second = (await (
      await call('GET', `${path}?limit=2&cursor=${first.page.nextCursor}`)
    ).json()) as Page;
    expect(second.data.map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
    const other = `/webhook-deliveries/${(await newDelivery()).deliveryId}/attempts`;
    await expectProblem(await call('GET', `${other}?cursor=${first.page.nextCursor}`), 'cursor_invalid');
  });

  test('show the response of the receiver only to keys that may read the event', async () => {
    const { database } = api.dependencies;
    const { accountId } = key;
    const endpointId = await insertEndpoint(database, { accountId });
    const shownTo = async (name: EventName, scopes: string[]) => {
      const type = eventType(name);
      const eventId = await insertEvent(database, { type, accountId });
      const deliveryId = await insertDelivery(database, { endpointId, eventId, eventType: type });
      await insertAttempt(database, { deliveryId, responseStatus: 500, responseBody: Buffer.from('echo') });
      const owner = await createTestKey(database, { accountId, scopes });
      const { data } = (await (
        await call('GET', `/webhook-deliveries/${deliveryId}/attempts`, { owner })
      ).json()) as Page;
      return data.map(({ responseStatus, responseStart }) => [responseStatus, responseStart]);
    };
    const hidden = [[500, null]];
    const shown = [[500, 'echo']];
    expect(await shownTo('transaction_intent.confirmed', ['webhooks:read'])).toEqual(hidden);
    expect(await shownTo('prediction.submitted', ['webhooks:read', 'operations:read'])).toEqual(hidden);
    expect(await shownTo('prediction.submitted', ['webhooks:read', 'predictions:read'])).toEqual(shown);
    expect(await shownTo('operation.failed', ['webhooks:read', 'operations:read'])).toEqual(shown);
    expect(await shownTo('webhook.ping', ['webhooks:read'])).toEqual(shown);
    expect(await shownTo('launch.created', ['webhooks:read'])).toEqual(shown);
  });

  test('have the reason and the hop of a failure', async () => {
    const { deliveryId } = await newDelivery();
    const { database } = api.dependencies;
    const at = new Date('2026-11-20T10:00:00Z');
    await insertAttempt(database, {
      deliveryId,
      startedAt: at,
      finishedAt: new Date(at.getTime() + 5),
      succeeded: false,
      errorCode: 'url_disallowed',
      errorReason: 'address_not_public',
      errorDetail: '10.0.0.1 is not a public address (private)',
      hopOrigin: 'https://moved.example.com',
      redirectCount: 2,
      dnsMs: 10,
      connectMs: 20,
      tlsMs: 31,
      firstByteMs: 42,
      totalMs: 93,
    });
    await insertAttempt(database, {
      deliveryId,
      attemptNumber: 2,
      startedAt: at,
      succeeded: false,
      errorCode: 'tls_error',
      errorReason: 'handshake_failed',
      hopOrigin: 'https://hook.example.com',
      redirectCount: 1,
      tlsMs: 32,
      totalMs: 94,
    });
    const response = await call('GET', `/webhook-deliveries/${deliveryId}/attempts`);
    const text = await response.text();
    expect(text).not.toContain('10.0.0.1');
    const [later, attempt] = (JSON.parse(text) as Page).data;
    expect(later).toMatchObject({
      reason: 'handshake_failed',
      failedHop: { redirect: 1, origin: 'https://hook.example.com' },
      phases: { dnsMs: null, tlsMs: 32, totalMs: 94 },
    });
    expect([...Value.Errors(AttemptSchema, attempt)]).toEqual([]);
    expect(attempt).toMatchObject({
      startedAt: '2026-11-20T10:00:00.000Z',
      finishedAt: '2026-11-20T10:00:00.005Z',
      errorCode: 'url_disallowed',
      reason: 'address_not_public',
      failedHop: { redirect: 2, origin: 'https://moved.example.com' },
      phases: { dnsMs: 10, connectMs: 20, tlsMs: 31, firstByteMs: 42, totalMs: 93 },
    });
  });

  test('are shown to the account of the endpoint alone, also when it has deleted the endpoint', async () => {
    const { deliveryId, endpointId } = await newDelivery();
    const path = `/webhook-deliveries/${deliveryId}/attempts`;
    const stranger = await createTestKey(api.dependencies.database);
    await expectProblem(await call('GET', path, { owner: stranger }), 'webhook_delivery_not_found');
    expect((await call('GET', path)).status).toBe(200);
    await api.dependencies.database`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`;
    expect((await call('GET', path)).status).toBe(200);
    await expectProblem(await call('GET', path, { owner: stranger }), 'webhook_delivery_not_found');
  });
});

describe('a ping on demand', () => {
  test('is one event for the endpoint alone', async () => {
    const id = await newEndpoint();
    const response = await call('POST', `/webhook-endpoints/${id}/pings`);
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`/api/v2/webhook-endpoints/${id}/deliveries`);
    const { endpointId, eventId } = (await response.json()) as Record<string, string>;
    expect(endpointId).toBe(id);
    const [event] = await api.dependencies.database`
      select type, account_id, only_endpoint_id, body::jsonb -> 'data' as data from events where id = ${eventId ?? ''}`;
    expect(event).toEqual({
      type: eventType('webhook.ping'),
      accountId: key.accountId,
      onlyEndpointId: id,
      data: { endpointId: id },
    });
  });

  test('is refused for a disabled endpoint, with its id, and for one of another account', async () => {
    const id = await newEndpoint();
    await call('PATCH', `/webhook-endpoints/${id}`, { body: { status: 'disabled' }, ifMatch: '"1"' });
    const refused = await call('POST', `/webhook-endpoints/${id}/pings`);
    const { context } = await expectProblem(refused, 'webhook_endpoint_disabled');
    expect(context).toEqual({ status: 'disabled', disabledReason: 'manual' });
    const stranger = await createTestKey(api.dependencies.database);
    const foreign = await call('POST', `/webhook-endpoints/${id}/pings`, { owner: stranger });
    await expectProblem(foreign, 'webhook_endpoint_not_found');
  });
});

describe('filters', () => {
  test.each([
    ['build.service.launch.craeted.v1', 'build.service.launch.created.v1'],
    ['launch.craeted', 'build.service.launch.created.v1'],
    ['build.service.operations.*', 'build.service.operation.*'],
    ['build.service.launch', 'build.service.launch.failed.v1'],
  ])('that match no type are refused: %s, with the suggestion %s', async (filter, nearestName) => {
    const refused = await expectProblem(await create(['*', filter]), 'validation_failed');
    const message = `matches no event type; the nearest is ${nearestName}`;
    const errors = [{ path: '/body/eventTypes/1', code: 'invalid_value', message }];
    expect(refused.errors as unknown).toEqual(errors);
  });

  test('are judged when they change, and only then', async () => {
    const id = await newEndpoint();
    const { database } = api.dependencies;
    await database`update webhook_endpoints set event_types = '{build.gone.*}' where id = ${id}`;
    const path = `/webhook-endpoints/${id}`;
    const kept = await call('PATCH', path, { body: { description: 'x' }, ifMatch: '"1"' });
    expect(kept.status).toBe(200);
    const changed = await call('PATCH', path, { body: { eventTypes: ['build.gone.*'] }, ifMatch: '"2"' });
    await expectProblem(changed, 'validation_failed');
    const wide = await call('PATCH', path, { body: { eventTypes: ['build.*', 'build.*'] }, ifMatch: '"2"' });
    expect(await wide.json()).toMatchObject({ eventTypes: ['build.*'] });
  });

  test.each([
    [['webhooks:write'], []],
    [['webhooks:write', 'operations:read'], ['operations:read']],
    [
      ['webhooks:write', 'predictions:read', 'operations:read', 'fees:read'],
      ['operations:read', 'predictions:read'],
    ],
  ])('a key with %p creates endpoints with the event scopes %p', async (scopes, eventScopes) => {
    const owner = await createTestKey(api.dependencies.database, { scopes });
    const id = await newEndpoint(owner);
    const [row] = await api.dependencies.database<{ eventScopes: string[] }[]>`
      select event_scopes from webhook_endpoints where id = ${id}`;
    expect(row?.eventScopes.toSorted()).toEqual(eventScopes);
  });
});
