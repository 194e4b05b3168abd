import { expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { createClient } from 'launchwire';
import { expireIntents } from '../../src/intents/end/expire-intents.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { startFaultyProxy } from '../support/client/faulty-proxy.ts';
import { createPreparedIntent } from '../support/intents/intents.ts';
import { intentContext, openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';

const LANES = 16;

test('16 lanes that use up a budget wait in one line, without a refusal for each', async () => {
  // Ten at once, then one every 100 ms.
  const RATE_LIMITS = '{"api-key-read":{"limit":10,"windowSeconds":1}}';
  const api = await startTestApi({ environment: { RATE_LIMITS } });
  const proxy = await startFaultyProxy(api.origin);
  const key = await createTestKey(api.dependencies.database);
  const client = createClient({ baseUrl: proxy.origin, apiKey: key.text, baseDelayMs: 1 });
  const lanes = Array.from({ length: LANES }, async () => {
    for (let request = 0; request < 3; request += 1) await client.getApiIdentity();
  });
  await Promise.all(lanes);
  const answered = proxy.requests.map((request) => request.answered);
  expect(answered.filter((status) => status === 200)).toHaveLength(3 * LANES);
  // Each lane is refused at most once at the beginning, and hardly ever after that.
  expect(answered.filter((status) => status === 429).length).toBeLessThan(2 * LANES);
});

test('calls and waits outlast a restart of the api', async () => {
  const db = await openDatabase();
  const wallet = Keypair.generate();
  const key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
  const { id } = await createPreparedIntent(db, { accountId: key.accountId, wallet });
  const first = await startApiProcess(urlOf(db));
  const { origin, port } = new URL(first.baseUrl);
  const client = createClient({ baseUrl: origin, apiKey: key.text });
  let calls = 0;
  let isOver = false;
  const lanes = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await client.getApiIdentity();
      calls += 1;
    }
  });
  const waited = client.waitForIntent(id);
  await eventually('calls', async () => calls > 20);
  await first.child.stop();
  const { context } = intentContext(db, [], { now: () => new Date(Date.now() + 3_600_000) });
  expect(await expireIntents(context, null, 10)).toBe(1);
  await startApiProcess(urlOf(db), { PORT: port });
  const before = calls;
  await eventually('calls to the new process', async () => calls > before + 20);
  isOver = true;
  await Promise.all(lanes);
  expect(await waited).toMatchObject({ id, status: 'expired' });
});
