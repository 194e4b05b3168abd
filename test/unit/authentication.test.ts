import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import type { ApiKey } from '../../src/db/schema/accounts.ts';
import { authenticate, type KeyStore } from '../../src/http/access/authentication.ts';
import { createMemoryRateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { generateApiKey, parseApiKey } from '../../src/shared/api-key.ts';

const LIMIT = { limit: 5, windowSeconds: 3_600 };
const RECORD: Omit<ApiKey, 'id' | 'secretHash'> = {
  accountId: 'account',
  environment: 'test',
  name: 'key',
  walletAddress: 'wallet',
  scopes: [],
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
};
const clock = { now: () => new Date(0) };

/** A store whose look-ups all end together, and a limit on guesses over it. */
function createGuessing(known: ReturnType<typeof generateApiKey>[] = []) {
  const limiter = createMemoryRateLimiter(1, () => 1_000);
  const lookedUp: string[] = [];
  const answered = Promise.withResolvers<void>();
  const keys: KeyStore = {
    cached: () => undefined,
    isExpected: () => false,
    recent: () => undefined,
    async find(keyId) {
      lookedUp.push(keyId);
      await answered.promise;
      const key = known.find((one) => one.keyId === keyId);
      if (key === undefined) return null;
      const secretHash = createHash('sha256').update(key.secret).digest();
      return { ...RECORD, id: keyId, secretHash };
    },
  };
  const guesses = {
    take: () => limiter.take('guesses', 'client', LIMIT),
    giveBack: () => limiter.giveBack('guesses', 'client', LIMIT),
  };
  const attempt = async (text: string) => {
    const dependencies = { parseKey: parseApiKey, keys, environment: 'test', clock } as const;
    try {
      await authenticate(`Bearer ${text}`, guesses, dependencies);
      return 'admitted';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { attempt, lookedUp, answer: () => answered.resolve() };
}

describe('guesses at keys', () => {
  test('are not counted for a burst of requests with one valid key that is not cached yet', async () => {
    const key = generateApiKey('test');
    const { attempt, lookedUp, answer } = createGuessing([key]);
    const attempts = Array.from({ length: 200 }, () => attempt(key.text));
    answer();
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['admitted']));
    expect(lookedUp).toEqual([key.keyId]);
  });

  test('never exceed the limit, however many come at once', async () => {
    const { attempt, lookedUp, answer } = createGuessing();
    const attempts = Array.from({ length: 200 }, () => attempt(generateApiKey('test').text));
    answer();
    const codes = await Promise.all(attempts);
    expect(lookedUp).toHaveLength(LIMIT.limit);
    expect(codes.filter((code) => code === 'invalid_api_key')).toHaveLength(LIMIT.limit);
    expect(codes.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(200 - LIMIT.limit);
  });

  test('that were right cost nothing', async () => {
    const key = generateApiKey('test');
    const { attempt, answer } = createGuessing([key]);
    answer();
    for (let request = 0; request < 3 * LIMIT.limit; request += 1)
      expect(await attempt(key.text)).toBe('admitted');
  });
});
