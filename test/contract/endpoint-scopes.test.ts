import { beforeAll, describe, expect, test } from 'bun:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';

const HOUR_MS = 3_600_000;
const writes = ['webhooks:read', 'webhooks:write'];

let api: TestApi;
let owner: TestKey;
/** Keys of the account of `owner`: without read scopes of events, and with one of them. */
let bare: TestKey;
let partly: TestKey;

beforeAll(async () => {
  api = await startTestApi({
    environment: localWebhooks,
  });
  const { database } = api.dependencies;
  owner = await createTestKey(database);
  const { accountId } = owner;
  bare = await createTestKey(database, { accountId, scopes: writes });
  partly = await createTestKey(database, { accountId, scopes: [...writes, 'operations:read'] });
});

async function call(
  key: TestKey,
  method: string,
  path: string,
  body?: object,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...key.header,
      'idempotency-key': idempotencyKey,
      ...((method !== 'POST' || path.endsWith('rotations')) && { 'if-match': '"1"' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

interface Target {
  endpointId: string;
  deadId: string;
  retryingId: string;
}

/** An endpoint of the account, with a delivery that has ended and one that waits. */
async function createTarget(eventScopes: string[] | null): Promise<Target> {
  const { database } = api.dependencies;
  const endpointId = await insertEndpoint(database, {
    accountId: owner.accountId,
    createdAt: new Date(Date.now() - HOUR_MS),
    eventScopes,
  });
  const [dead, retrying] = [await insertEvent(database), await insertEvent(database)];
  return {
    endpointId,
    deadId: await insertDelivery(database, { endpointId, eventId: dead, status: 'dead_letter' }),
    retryingId: await insertDelivery(database, { endpointId, eventId: retrying, status: 'retrying' }),
  };
}

const since = () => ({ since: new Date(Date.now() - HOUR_MS / 2).toISOString() });

/** Every request whose sender could receive events of an endpoint through it. */
const requests: [string, (key: TestKey, target: Target) => Promise<Response>][] = [
  ['another URL', (key, { endpointId }) => change(key, endpointId, { url: 'http://127.0.0.1:8081/mine' })],
  ['other filters', (key, { endpointId }) => change(key, endpointId, { eventTypes: ['*'] })],
  ['enabling', (key, { endpointId }) => change(key, endpointId, { status: 'enabled' })],
  ['disabling', (key, { endpointId }) => change(key, endpointId, { status: 'disabled' })],
  [
    'a rotation',
    (key, { endpointId }) => call(key, 'POST', `/webhook-endpoints/${endpointId}/secret-rotations`),
  ],
  [
    'a recovery',
    (key, { endpointId }) => call(key, 'POST', `/webhook-endpoints/${endpointId}/recoveries`, since()),
  ],
  ['a replay', (key, { deadId }) => call(key, 'POST', `/webhook-deliveries/${deadId}/replays`)],
  ['a retry', (key, { retryingId }) => call(key, 'POST', `/webhook-deliveries/${retryingId}/retries`)],
];

const change = (key: TestKey, endpointId: string, body: object) =>
  call(key, 'PATCH', `/webhook-endpoints/${endpointId}`, body);

/** The rows that such a request could change. */
async function stateOf({ endpointId }: Target): Promise<unknown> {
  const { database } = api.dependencies;
  const endpoint = await database`select * from webhook_endpoints where id = ${endpointId}`;
  const deliveries =
    await database`select * from webhook_deliveries where endpoint_id = ${endpointId} order by id`;
  const recoveries = await database`
    select from operations where kind = 'delivery_recovery' and input ->> 'endpointId' = ${endpointId}`;
  return { endpoint: [...endpoint], deliveries: [...deliveries], recoveries: recoveries.count };
}

describe('a key reads no events through an endpoint that its own scopes do not open', () => {
  test.each(requests)(
    '%s is refused without the scopes of the endpoint, and changes nothing',
    async (_name, send) => {
      const target = await createTarget(['operations:read', 'predictions:read']);
      const before = await stateOf(target);
      const requiredScopes = ['operations:read', 'predictions:read'];
      const { context } = await expectProblem(await send(bare, target), 'insufficient_scope');
      expect(context).toEqual({ requiredScopes, missingScopes: requiredScopes });
      const refused = await expectProblem(await send(partly, target), 'insufficient_scope');
      expect(refused.context).toEqual({ requiredScopes, missingScopes: ['predictions:read'] });
      expect(await stateOf(target)).toEqual(before);
      expect((await send(owner, target)).ok).toBe(true);
    },
  );

  test.each(requests)(
    '%s needs all event scopes where the endpoint is older than these scopes',
    async (_name, send) => {
      const target = await createTarget(null);
      const { context } = await expectProblem(await send(partly, target), 'insufficient_scope');
      expect(context).toMatchObject({ missingScopes: ['predictions:read'] });
      expect((await send(owner, target)).ok).toBe(true);
    },
  );

  test.each(requests)('%s needs no scope that the endpoint lacks', async (_name, send) => {
    expect((await send(bare, await createTarget([]))).ok).toBe(true);
    expect((await send(partly, await createTarget(['operations:read']))).ok).toBe(true);
  });

  test.each(requests)('%s shows no scopes to another account', async (_name, send) => {
    const target = await createTarget(['operations:read']);
    const stranger = await createTestKey(api.dependencies.database, { scopes: writes });
    expect((await send(stranger, target)).status).toBe(404);
  });

  test('a key without the scopes gets no stored response of a key that has them', async () => {
    const { endpointId } = await createTarget(['operations:read']);
    const path = `/webhook-endpoints/${endpointId}/secret-rotations`;
    const idempotencyKey = crypto.randomUUID();
    const rotated = await call(owner, 'POST', path, undefined, idempotencyKey);
    expect(await rotated.json()).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    const repeated = await call(bare, 'POST', path, undefined, idempotencyKey);
    await expectProblem(repeated, 'idempotency_key_reused');
  });

  test('a key without the scopes does not learn the version of the endpoint from a wrong If-Match', async () => {
    const { endpointId } = await createTarget(['operations:read']);
    await api.dependencies.database`update webhook_endpoints set version = 7 where id = ${endpointId}`;
    await expectProblem(await change(bare, endpointId, { description: 'x' }), 'insufficient_scope');
  });
});

test('a ping and a deletion show no event, so they need no scope of the endpoint', async () => {
  const { endpointId } = await createTarget(null);
  expect((await call(bare, 'POST', `/webhook-endpoints/${endpointId}/pings`)).status).toBe(202);
  expect((await call(bare, 'DELETE', `/webhook-endpoints/${endpointId}`)).status).toBe(200);
});
