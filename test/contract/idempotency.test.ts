import { describe, expect, test } from 'bun:test';
import { serviceResponses } from '../../src/db/idempotency-record.ts';
import { createIdempotency } from '../../src/http/mutations/idempotency.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { expectProblem } from '../support/api/problems.ts';

const api = await startTestApi({ environment: localWebhooks });
const key = await createTestKey(api.dependencies.database);

function create(idempotencyKey: string, body: unknown, owner: TestKey = key): Promise<Response> {
  return fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: { ...owner.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

async function endpointCount(owner: TestKey): Promise<number> {
  const [row] = await api.dependencies.database<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints where account_id = ${owner.accountId}`;
  return row?.count ?? 0;
}

describe('a mutation', () => {
  test('sent twice happens once; the replay is the same answer, marked', async () => {
    const body = { url: 'http://127.0.0.1:8080/hook' };
    const first = await create('twice-0001', body);
    const second = await create('twice-0001', body);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('etag')).toBe('"1"');
    const created = (await first.json()) as { id: string; secret: string };
    expect((await second.json()) as { id: string; secret: string }).toEqual(created);
    expect(created.secret).toMatch(/^whsec_/);
    expect(await endpointCount(key)).toBe(1);
  });

  test('leaves its secret encrypted in the stored response', async () => {
    const response = await create('sealed-0001', { url: 'http://127.0.0.1:8080/sealed' });
    const { secret } = (await response.json()) as { secret: string };
    const rows = await api.dependencies.database<{ sealed: boolean; body: Buffer }[]>`
      select sealed, response_body as body from idempotency_records where key = 'sealed-0001'`;
    expect(rows[0]?.sealed).toBe(true);
    expect(rows[0]?.body.includes(secret)).toBe(false);
  });

  test('under a used key with another request is refused', async () => {
    await create('reused-0001', { url: 'http://127.0.0.1:8080/a' });
    await expectProblem(
      await create('reused-0001', { url: 'http://127.0.0.1:8080/b' }),
      'idempotency_key_reused',
    );
  });

  test('whose outcome depends on the scopes of the key is another request for a key with others', async () => {
    const { accountId } = key;
    const keyWith = (...scopes: string[]) => createTestKey(api.dependencies.database, { accountId, scopes });
    const body = { url: 'http://127.0.0.1:8080/scoped' };
    const reader = await keyWith('webhooks:write', 'operations:read');
    const first = (await (await create('scoped-0001', body, reader)).json()) as { id: string };
    const writer = await keyWith('webhooks:write');
    await expectProblem(await create('scoped-0001', body, writer), 'idempotency_key_reused');
    // Scopes that open no events change nothing.
    const rotated = await keyWith('operations:read', 'transactions:write', 'webhooks:write');
    const replay = await create('scoped-0001', body, rotated);
    expect(((await replay.json()) as { id: string }).id).toBe(first.id);
  });

  test('that was refused leaves its key free', async () => {
    await expectProblem(await create('freed-0001', { url: 'ftp://example.com' }), 'webhook_url_disallowed');
    expect((await create('freed-0001', { url: 'http://127.0.0.1:8080/c' })).status).toBe(201);
  });

  test('sent 50 times at once happens once; the others are replays or are asked to wait', async () => {
    const owner = await createTestKey(api.dependencies.database);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => create('burst-0001', { url: 'http://127.0.0.1:8080/burst' }, owner)),
    );
    const fresh = responses.filter(
      (response) => response.status === 201 && !response.headers.has('idempotent-replayed'),
    );
    expect(fresh.length).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expect(response.headers.get('retry-after')).toBe(
        String(unpublishedLimits.idempotencyInProgressRetryAfterSeconds),
      );
      await expectProblem(response, 'idempotency_request_in_progress');
    }
    expect(await endpointCount(owner)).toBe(1);
  });

  test('whose stored response has expired runs again', async () => {
    const owner = await createTestKey(api.dependencies.database);
    await create('expired-0001', { url: 'http://127.0.0.1:8080/x' }, owner);
    await api.dependencies.database`
      update idempotency_records set expires_at = now() - interval '1 second' where account_id = ${owner.accountId}`;
    const again = await create('expired-0001', { url: 'http://127.0.0.1:8080/y' }, owner);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(again.status).toBe(201);
    const replay = await create('expired-0001', { url: 'http://127.0.0.1:8080/y' }, owner);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(await endpointCount(owner)).toBe(2);
  });
});

describe('the endpoint limit', () => {
  test('holds under concurrency: 20 of 30 simultaneous creations succeed', async () => {
    const owner = await createTestKey(api.dependencies.database);
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        create(`limit-${1_000 + index}`, { url: `http://127.0.0.1:8080/${index}` }, owner),
      ),
    );
    expect(responses.filter(({ status }) => status === 201).length).toBe(20);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      await expectProblem(response, 'webhook_endpoint_limit_reached');
    }
    expect(await endpointCount(owner)).toBe(20);
  });
});

describe('a response with a secret', () => {
  const { database } = api.dependencies;
  const attempt = {
    accountId: key.accountId,
    key: 'unsealed-0001',
    sealed: true,
    fingerprint: new Uint8Array(32),
  };
  const work = async () => ({ status: 201, headers: {}, body: Buffer.from('whsec_secret') });

  test('is not stored where it could not be encrypted', async () => {
    const { secrets } = api.dependencies;
    const idempotency = createIdempotency(database, secrets, systemClock, { responses: serviceResponses });
    await expect(idempotency.run(attempt, work)).rejects.toThrow('cannot store sealed responses');
    expect(await database`select from service_responses where key = ${attempt.key}`).toHaveLength(0);
  });

  test('is neither stored nor read without the keys that encrypt it', async () => {
    const idempotency = createIdempotency(database, null, systemClock);
    await expect(idempotency.run(attempt, work)).rejects.toThrow('no secret keys');
    expect(await database`select from idempotency_records where key = ${attempt.key}`).toHaveLength(0);
    const withKeys = createIdempotency(database, api.dependencies.secrets, systemClock);
    await withKeys.run(attempt, work);
    await expect(idempotency.find(attempt)).rejects.toThrow('no secret keys');
  });
});
