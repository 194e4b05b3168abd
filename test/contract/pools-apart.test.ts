import { expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { apiConnections } from '../../src/db/connections.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { sampleRequest } from '../support/api/sample-requests.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { eventually } from '../support/run/eventually.ts';

const newAddress = () => Keypair.generate().publicKey.toBase58();

/** Ids of the anonymous operations that the api serves. */
async function servedBy(api: TestApi, operations: readonly RouteDefinition[]): Promise<string[]> {
  const served: string[] = [];
  for (const operation of operations) {
    const { path, init } = sampleRequest(operation);
    const response = await fetch(`${api.baseUrl}${path}`, init);
    await response.body?.cancel();
    if (response.status !== 503) served.push(operation.id);
  }
  return served;
}

test('no anonymous read uses a connection of requests with a key', async () => {
  let operations: RouteDefinition[] = [];
  const [api, withoutPools] = await Promise.all([
    startTestApi(),
    startTestApi({
      adjust({ database, lookUps }) {
        for (const pool of [database, lookUps]) pool.end({ timeout: 0 });
      },
      adjustRoutes(routes) {
        operations = routes.map(({ definition }) => definition);
        return routes;
      },
    }),
  ]);
  const anonymous = operations.filter(({ auth, isStream }) => auth === 'anonymous' && isStream !== true);
  const served = await servedBy(api, anonymous);
  // The others need a node.
  expect(served.length).toBeGreaterThan(15);
  expect(await servedBy(withoutPools, anonymous)).toEqual(served);
});

test('anonymous loads that hang delay no request with a key', async () => {
  const api = await startTestApi();
  const { database, publicDatabase } = api.dependencies;
  const wallet = Keypair.generate();
  const key = await createTestKey(database, { walletAddress: wallet.publicKey.toBase58() });
  const intent = await createPreparedIntent(database, { accountId: key.accountId, wallet });
  const held = await holdLocks(database, (transaction) => transaction`lock table tokens`);
  const ended: number[] = [];
  const read = async () => {
    const response = await fetch(`${api.baseUrl}/tokens/${newAddress()}`);
    ended.push(response.status);
  };
  // One client takes at most half of the places of a gate: the loads of others hang beside its own.
  // On a slow machine a lock may be waited for too long.
  const load = async () => void (await publicDatabase`select from tokens limit 1`.catch(() => null));
  const hanging = Array.from({ length: 60 }, (_, at) => (at < apiConnections.public ? load() : read()));
  await eventually('every connection of theirs hangs', async () => {
    const missing = apiConnections.public - (await held.blocked()).length;
    // Those that have waited too long are gone: others take their places.
    for (let count = 0; count < missing; count += 1) hanging.push(load());
    return missing <= 0;
  });

  const asked = (path: string) => fetch(`${api.baseUrl}${path}`, { headers: key.header });
  const signed = signWith(intent.unsigned, wallet);
  const [submitted, found, missing, list] = await Promise.all([
    submitIntent(api.baseUrl, intent.id, { key, signed }),
    asked(`/transaction-intents/${intent.id}`),
    asked(`/operations/${crypto.randomUUID()}`),
    asked('/transaction-intents'),
  ]);
  expect([submitted.status, found.status, missing.status, list.status]).toEqual([202, 200, 404, 200]);
  expect(ended.filter((status) => status !== 503)).toEqual([]);
  await held.commit();
  await Promise.all(hanging);
});
