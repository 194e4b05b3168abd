import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { removeFeeAccount, setFeeAccount } from '../../src/features/trading/fee-account-rows.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database, { scopes: ['fees:read'] });
});

const read = (query = '', owner = key) =>
  fetch(`${api.baseUrl}/platform-fee-account${query}`, { headers: owner.header });
const bodyOf = async (owner = key) => {
  const response = await read('', owner);
  expect(response.status).toBe(200);
  return response.json();
};
const maxPlatformFeeBps = unpublishedLimits.platformFeeBps;

test('shows what the operator registered for the account of the key, whatever the scopes, and after a change', async () => {
  const { database } = api.dependencies;
  const none = { address: null, updatedAt: null, maxPlatformFeeBps };
  expect(await bodyOf()).toEqual(none);
  for (const now of [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')]) {
    const address = Keypair.generate().publicKey.toBase58();
    await setFeeAccount(database, { accountId: key.accountId, address, now });
    expect(await bodyOf()).toEqual({ address, updatedAt: now.toISOString(), maxPlatformFeeBps });
  }
  expect(await bodyOf(await createTestKey(database))).toEqual(none);
  await removeFeeAccount(database, key.accountId);
  expect(await bodyOf()).toEqual(none);
});

test('takes no query, and needs a key', async () => {
  const { errors } = await expectProblem(await read('?account=other'), 'validation_failed');
  expect(errors).toEqual([expect.objectContaining({ path: '/query/account', code: 'unknown_field' })]);
  await expectProblem(await fetch(`${api.baseUrl}/platform-fee-account`), 'invalid_api_key');
});
