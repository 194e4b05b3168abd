import { beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../src/db/client.ts';
import { requireSecretKeys } from '../../src/db/secret-keys.ts';
import { enterWorkerKeys } from '../../src/db/worker-keys.ts';
import { openOrderTransaction } from '../../src/features/orders/sealed-transaction.ts';
import { createSecretBox, deriveKey, ORDER_KEY_PURPOSE } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertTriggeredOrder } from '../support/orders/insert-triggered-order.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';

const keys = Array.from({ length: 5 }, () => randomBytes(32));
const [OLD = Buffer.of(), NEW = Buffer.of(), ORDERS = Buffer.of(), NEXT = Buffer.of(), LINKS = Buffer.of()] =
  keys;
const text = (...listed: Buffer[]) => listed.map((key) => key.toString('base64')).join();
const derivedFrom = (key: Buffer) => deriveKey(key, ORDER_KEY_PURPOSE);
/** As in step 3 of a rotation of SECRET_KEY. */
const rotating = { SECRET_KEY: text(NEW), SECRET_KEY_PREVIOUS: text(OLD) };

let db: Database;
let accountId: string;

beforeEach(async () => {
  db = await openDatabase();
  ({ accountId } = await createTestKey(db));
  const id = Bun.randomUUIDv7();
  const sealedSecret = sealWebhookSecret(createSecretBox(OLD), id, generateWebhookSecret());
  await insertEndpoint(db, { id, accountId, sealedSecret });
  await requireSecretKeys(db, { secretKey: OLD, secretKeyPrevious: [NEW] }, 'open');
});

const workersHave = (...orderKeys: Uint8Array[]) =>
  enterWorkerKeys(db, { orderKeys, resultLinkKeys: [LINKS] });
const insert = (key: Uint8Array) =>
  insertTriggeredOrder(db, { accountId, box: createSecretBox(key), status: 'open' });

const sealed = async () => ({
  orders: [
    ...(await db<{ id: string; sealedTransaction: Buffer }[]>`
    select id, sealed_transaction from order_transactions order by id`),
  ],
  endpoints: [...(await db`select id, sealed_secret from webhook_endpoints order by id`)],
  keys: [...(await db`select * from secret_keys order by key_check`)],
});

async function reEncrypt(environment: Record<string, string>) {
  const { code, output } = await runAdmin(['secret', 're-encrypt', '--json'], {
    DATABASE_URL: urlOf(db),
    ...environment,
  });
  return { code, output };
}

/** Refused, and everything is sealed as before. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const before = await sealed();
  const { code, output } = await reEncrypt(environment);
  expect(code).toBe(1);
  expect(output).toContain('nothing was changed');
  expect(await sealed()).toEqual(before);
  return output;
}

async function expectSealedUnder(key: Uint8Array): Promise<void> {
  const box = createSecretBox(key);
  for (const { id, sealedTransaction } of (await sealed()).orders)
    expect(openOrderTransaction(box, id, sealedTransaction).byteLength).toBeGreaterThan(0);
}

test('orders under the derived key are not sealed under one that no worker derives', async () => {
  await insert(derivedFrom(OLD));
  await workersHave(ORDERS);
  expect(await refusal(rotating)).toContain(
    'ORDER_KEYS is not set, and 1 signed orders would be under a key that no worker is known to have',
  );
  const { code } = await reEncrypt({ ...rotating, ORDER_KEYS: text(ORDERS) });
  expect(code).toBe(0);
  await expectSealedUnder(ORDERS);
});

test('without ORDER_KEYS, nothing is changed while orders are under such keys', async () => {
  await insert(ORDERS);
  await workersHave(ORDERS);
  expect(await refusal(rotating)).toContain(
    'ORDER_KEYS is not set, and 1 signed orders are under a key that is not derived from SECRET_KEY',
  );
  expect((await reEncrypt({ ...rotating, ORDER_KEYS: text(ORDERS) })).code).toBe(0);
});

test('orders are sealed under the next key only once a worker has it', async () => {
  await insert(ORDERS);
  await workersHave(ORDERS);
  const next = { ...rotating, ORDER_KEYS: text(NEXT, ORDERS) };
  expect(await refusal(next)).toContain(
    'no running worker has the first of ORDER_KEYS, and 1 signed orders would be',
  );
  await workersHave(ORDERS, NEXT);
  await db`update worker_keys set seen_at = now() - interval '6 minutes'`;
  expect(await refusal(next)).toContain(
    'no worker has run within the last 90 seconds, and 1 signed orders would be',
  );
  await workersHave(ORDERS, NEXT);
  expect((await reEncrypt(next)).code).toBe(0);
  await expectSealedUnder(NEXT);
});

test('a worker that derives its key lets orders follow SECRET_KEY', async () => {
  await insert(derivedFrom(OLD));
  await workersHave(derivedFrom(NEW), derivedFrom(OLD));
  expect((await reEncrypt(rotating)).code).toBe(0);
  await expectSealedUnder(derivedFrom(NEW));
});

test('no worker is needed where no order would change', async () => {
  expect((await reEncrypt(rotating)).code).toBe(0);
  await insert(ORDERS);
  expect((await reEncrypt({ SECRET_KEY: text(NEW), ORDER_KEYS: text(ORDERS) })).code).toBe(0);
});
