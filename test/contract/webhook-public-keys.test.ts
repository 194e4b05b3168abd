import { beforeAll, describe, expect, test } from 'bun:test';
import { createHash, createPublicKey } from 'node:crypto';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { createTestClock } from '../support/run/clock.ts';

const UNTIL = '2027-06-01T00:00:00.000Z';
const clock = createTestClock(new Date('2027-01-01T00:00:00Z'));
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({
    environment: {
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_SHARED_KEY_UNTIL: UNTIL,
      SECRET_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
    },
    adjust: ({ operational }) => {
      operational.clock = clock;
    },
  });
});

interface PublishedKey {
  algorithm: string;
  key: string;
  kid: string;
}
type JsonWebKey = Record<'kty' | 'crv' | 'x' | 'use' | 'alg' | 'kid', string>;

const get = (path: string) => fetch(`${api.origin}/.well-known/${path}`);
const listed = async (path: string) => ((await (await get(path)).json()) as { keys: PublishedKey[] }).keys;
const keySet = async (path: string) => ((await (await get(path)).json()) as { keys: JsonWebKey[] }).keys;

async function createEndpoint(): Promise<{ id: string; signingKeyIds: string[] }> {
  const key = await createTestKey(api.dependencies.database);
  const response = await fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ url: 'http://127.0.0.1:8080/hook' }),
  });
  expect(response.status).toBe(201);
  const created = (await response.json()) as { id: string; signingKeyIds: string[] };
  const read = await fetch(`${api.baseUrl}/webhook-endpoints/${created.id}`, { headers: key.header });
  expect(await read.json()).toMatchObject({ signingKeyIds: created.signingKeyIds });
  return created;
}

describe('the keys of an endpoint', () => {
  test('are published under its id, newest first, each with the kid that its record has', async () => {
    const { id, signingKeyIds } = await createEndpoint();
    const keys = await listed(`webhook-public-keys/${id}`);
    expect(keys.map(({ kid }) => kid)).toEqual(signingKeyIds);
    expect(signingKeyIds).toHaveLength(2);
    for (const { algorithm, key } of keys) {
      expect(algorithm).toBe('ed25519');
      expect(Buffer.from(key.replace('whpk_', ''), 'base64').byteLength).toBe(32);
    }
  });

  test('are published as a JSON Web Key Set too, with thumbprints as their ids', async () => {
    const { id } = await createEndpoint();
    const response = await get(`webhook-public-keys/${id}/jwks.json`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    });
    const keys = await keySet(`webhook-public-keys/${id}/jwks.json`);
    const raw = ({ x }: JsonWebKey) => `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
    expect(keys.map((key) => ({ algorithm: 'ed25519', key: raw(key), kid: key.kid }))).toEqual(
      await listed(`webhook-public-keys/${id}`),
    );
    for (const { kid, use, alg, ...key } of keys) {
      expect({ use, alg }).toEqual({ use: 'sig', alg: 'EdDSA' });
      expect(createPublicKey({ key, format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
      const required = `{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`;
      expect(kid).toBe(createHash('sha256').update(required).digest('base64url'));
    }
  });

  test('are those of no other endpoint and not the shared ones; the case of the id makes no difference', async () => {
    const [one, other] = [await createEndpoint(), await createEndpoint()];
    const ids = [one.id, other.id].map((id) => `webhook-public-keys/${id}`);
    const lists = await Promise.all([...ids, 'webhook-public-keys'].map(listed));
    expect(new Set(lists.flat().map(({ key }) => key)).size).toBe(6);
    expect(await listed(`webhook-public-keys/${one.id.toUpperCase()}`)).toEqual(lists[0] ?? []);
  });

  test('do not reveal which endpoints exist: any id has keys, and an invalid id has none', async () => {
    expect(await listed(`webhook-public-keys/${crypto.randomUUID()}`)).toHaveLength(2);
    for (const id of ['1', '..%2f', `${crypto.randomUUID()}1`, 'g'.repeat(36)]) {
      await expectProblem(await get(`webhook-public-keys/${id}`), 'not_found');
      await expectProblem(await get(`webhook-public-keys/${id}/jwks.json`), 'not_found');
    }
  });
});

test('the shared keys are listed with their end, until that time', async () => {
  const response = await get('webhook-public-keys');
  expect(response.headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
  expect(response.headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect((await get('jwks.json')).headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
  const kids = (keys: { kid: string }[]) => keys.map(({ kid }) => kid);
  clock.set(new Date(Date.parse(UNTIL) - 1));
  expect(await listed('webhook-public-keys')).toHaveLength(2);
  expect(kids(await keySet('jwks.json'))).toEqual(kids(await listed('webhook-public-keys')));
  clock.set(new Date(UNTIL));
  expect(await listed('webhook-public-keys')).toEqual([]);
  expect(await keySet('jwks.json')).toEqual([]);
});
