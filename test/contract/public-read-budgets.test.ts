import { beforeAll, describe, expect, test } from 'bun:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { eventually } from '../support/run/eventually.ts';

/** A budget that does not grow during a test. */
const CHEAP = 40;
let api: TestApi;
/** Requests with `X-Forwarded-For` come from addresses of their own. */
let nextAddress = 1;

beforeAll(async () => {
  api = await startTestApi({
    environment: {
      TRUSTED_PROXY_HOPS: '1',
      RATE_LIMITS: JSON.stringify({
        'public-read-cheap': { limit: CHEAP, windowSeconds: 86_400 },
        'api-key-read': { limit: 1_000, windowSeconds: 1 },
      }),
    },
  });
});

const newAddress = () => {
  nextAddress += 1;
  return `198.51.100.${nextAddress}`;
};

function read(address: string, authorization?: string, path = '/presales'): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, {
    headers: { 'x-forwarded-for': address, ...(authorization !== undefined && { authorization }) },
  });
}

const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));
const newKey = () => createTestKey(api.dependencies.database);
/** A key that the process knows: an anonymous read waits only 250 ms for the look-up of another. */
async function knownKey(): Promise<TestKey> {
  const key = await newKey();
  expect((await fetch(`${api.baseUrl}/me`, { headers: key.header })).status).toBe(200);
  return key;
}
/** The key with another last character of its secret. */
const wrongSecret = ({ text }: TestKey) => `Bearer ${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;

describe('a public read with a valid key', () => {
  test('takes from the budget of the key, whichever address it comes from, and nothing from the address', async () => {
    const [one, other] = [newAddress(), newAddress()];
    const key = await knownKey();
    const { authorization } = key.header;
    const left = [
      remaining(await read(one, authorization)),
      remaining(await read(other, authorization)),
      remaining(await read(one, authorization)),
    ];
    expect(left).toEqual([CHEAP - 1, CHEAP - 2, CHEAP - 3]);
    expect(remaining(await read(one))).toBe(CHEAP - 1);
  });

  test('is the same response, may be shared by caches, and is confirmed by its ETag', async () => {
    const address = newAddress();
    const key = await knownKey();
    const [anonymous, keyed] = [await read(address), await read(address, key.header.authorization)];
    expect(await keyed.text()).toBe(await anonymous.text());
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin'])
      expect(keyed.headers.get(name)).toBe(anonymous.headers.get(name));
    expect(keyed.headers.get('x-ratelimit-policy')).toBe('public-read-cheap');
    const confirmed = await fetch(`${api.baseUrl}/presales`, {
      headers: { ...key.header, 'if-none-match': keyed.headers.get('etag') ?? '' },
    });
    expect(confirmed.status).toBe(304);
    expect(remaining(confirmed)).toBe(CHEAP - 2);
  });

  test('is refused by its own budget while its address has one, and the other way round', async () => {
    const address = newAddress();
    const [busy, quiet] = [await knownKey(), await knownKey()];
    for (let count = 0; count < CHEAP; count += 1) await read(address, busy.header.authorization);
    const refused = await read(newAddress(), busy.header.authorization);
    await expectProblem(refused, 'rate_limit_exceeded', 'GET');
    expect((await read(address)).status).toBe(200);
    for (let count = 1; count < CHEAP; count += 1) await read(address);
    await expectProblem(await read(address), 'rate_limit_exceeded', 'GET');
    expect((await read(address, quiet.header.authorization)).status).toBe(200);
  });
});

describe('a public read with a key that is not valid', () => {
  test('is served, and takes from the budget of its address', async () => {
    const address = newAddress();
    const revoked = await newKey();
    await api.dependencies.database`update api_keys set revoked_at = now() where id = ${revoked.keyId}`;
    const expired = await createTestKey(api.dependencies.database, { expiresAt: new Date(0) });
    const headers = [
      'Bearer nonsense',
      'Basic dXNlcjpwYXNz',
      '',
      `Bearer lw_live_${'a'.repeat(16)}_${'b'.repeat(43)}`,
      `Bearer lw_test_${'a'.repeat(16)}_${'b'.repeat(43)}`,
      revoked.header.authorization,
      expired.header.authorization,
      wrongSecret(await newKey()),
    ];
    for (const [at, authorization] of headers.entries()) {
      const response = await read(address, authorization);
      expect({ authorization, status: response.status, left: remaining(response) }).toEqual({
        authorization,
        status: 200,
        left: CHEAP - 1 - at,
      });
    }
  });

  test('is a guess: after 120 of them an address learns of no further key, and known keys go on', async () => {
    const address = newAddress();
    const known = await knownKey();
    // Each takes a guess; the anonymous budget of this address ends long before. Two come back every second, so a slow
    // machine has to take them again.
    const refused = async (request: () => Promise<Response>) =>
      await eventually('no guess is left', async () => {
        await Promise.all(Array.from({ length: 120 }, () => read(address, wrongSecret(known))));
        const response = await request();
        return response.status === 429 && response;
      });
    const me = () =>
      fetch(`${api.baseUrl}/me`, { headers: { 'x-forwarded-for': address, authorization: 'Bearer x' } });
    await expectProblem(await refused(me), 'rate_limit_exceeded', 'GET');
    let unknown = await newKey();
    const withUnknown = async () => {
      unknown = await newKey();
      return await read(address, unknown.header.authorization);
    };
    await expectProblem(await refused(withUnknown), 'rate_limit_exceeded', 'GET');
    expect((await read(address, known.header.authorization)).status).toBe(200);
    expect((await read(newAddress(), unknown.header.authorization)).status).toBe(200);
  });

  test('a key that is revoked meanwhile counts as none soon', async () => {
    const key = await knownKey();
    const address = newAddress();
    expect(remaining(await read(address, key.header.authorization))).toBe(CHEAP - 1);
    await api.dependencies.database`update api_keys set revoked_at = now() where id = ${key.keyId}`;
    await eventually('its address is counted', async () => {
      const other = newAddress();
      return (
        remaining(await read(other, key.header.authorization)) === CHEAP - 1 &&
        remaining(await read(other)) === CHEAP - 2
      );
    });
  });
});

test('the last use of a key counts public reads', async () => {
  const key = await newKey();
  const use = await eventually('its use is recorded', async () => {
    await read(newAddress(), key.header.authorization);
    await api.dependencies.keyUses.record();
    const [row] = await api.dependencies
      .database`select last_used_at from api_key_uses where key_id = ${key.keyId}`;
    return row;
  });
  expect(use.lastUsedAt).toBeInstanceOf(Date);
});
