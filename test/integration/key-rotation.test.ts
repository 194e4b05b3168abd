import { beforeAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { verifyAsync } from '@noble/ed25519';
import { Webhook } from 'standardwebhooks';
import { connectDatabase } from '../../src/db/client.ts';
import { requireSecretKeys } from '../../src/db/secret-keys.ts';
import { enterWorkerKeys } from '../../src/db/worker-keys.ts';
import { openOrderTransaction } from '../../src/features/orders/sealed-transaction.ts';
import { createSecretBox, deriveKey, ORDER_KEY_PURPOSE } from '../../src/shared/secret-box.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertTriggeredOrder } from '../support/orders/insert-triggered-order.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const fresh = () => randomBytes(32).toString('base64');
const OLD = fresh();
const NEW = fresh();
const orderKeyOf = (key: string) => deriveKey(Buffer.from(key, 'base64'), ORDER_KEY_PURPOSE);
const rotating = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
const rotated = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: '' };
let world: RelayWorld;
let key: TestKey;
let receiver: Receiver;

beforeAll(async () => {
  world = await createRelayWorld({ SECRET_KEY: OLD });
  key = await createTestKey(world.sql);
  receiver = await startReceiver();
});

const startApi = (keys: Record<string, string>) =>
  startTestApi({ environment: { ...world.environment, ...keys } });

async function withApi<Value>(
  keys: Record<string, string>,
  use: (api: TestApi) => Promise<Value>,
): Promise<Value> {
  const api = await startApi(keys);
  try {
    return await use(api);
  } finally {
    await api.stop();
  }
}

function createEndpoint(api: TestApi, idempotencyKey: string): Promise<Response> {
  return fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ url: receiver.origin, eventTypes: ['*'] }),
  });
}

/** The public keys of an endpoint, or those that all endpoints share. */
async function publicKeys(api: TestApi, endpointId = ''): Promise<string[]> {
  const path = endpointId === '' ? '' : `/${endpointId}`;
  const response = await fetch(`${api.origin}/.well-known/webhook-public-keys${path}`);
  return ((await response.json()) as { keys: { key: string }[] }).keys.map((one) => one.key);
}

function reEncrypt(keys: Record<string, string>) {
  return secret(['re-encrypt'], { DATABASE_URL: world.config.databaseUrl, ...keys });
}

function secret(args: string[], environment: Record<string, string>) {
  return runAdmin(['secret', ...args, '--json'], environment);
}

/** Publishes an event while a relay with these keys runs. Returns the request that the receiver got. */
async function deliveredBy(keys: Record<string, string>, endpointId: string) {
  const relay = await world.spawnRelay(keys);
  const eventId = await world.publish({ accountId: key.accountId });
  await world.deliveryOf(endpointId, eventId, ({ status }) => status === 'succeeded');
  relay.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
  const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === eventId);
  if (request === undefined) throw new Error('the receiver did not get the event');
  return request;
}

type Delivered = Awaited<ReturnType<typeof deliveredBy>>;

function isSignedBy(publicKey: string | undefined, { headers, body }: Delivered): Promise<boolean> {
  const content = Buffer.concat([
    Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`),
    Buffer.from(body),
  ]);
  const raw = Buffer.from((publicKey ?? '').slice('whpk_'.length), 'base64');
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .filter((text) => text.startsWith('v1a,'));
  return Promise.all(
    signatures.map((text) => verifyAsync(Buffer.from(text.slice(4), 'base64'), content, raw)),
  ).then((verdicts) => verdicts.includes(true));
}

test('a rotation from the first step to the last: everything goes on working, and the old key is no longer needed', async () => {
  const before = await withApi({ SECRET_KEY: OLD }, async (api) => {
    const response = await createEndpoint(api, 'rotation-1');
    expect(response.status).toBe(201);
    const endpoint = (await response.json()) as { id: string; secret: string };
    return { endpoint, keys: await publicKeys(api, endpoint.id), shared: await publicKeys(api) };
  });
  const { endpoint } = before;
  const order = await insertTriggeredOrder(world.sql, {
    accountId: key.accountId,
    box: createSecretBox(orderKeyOf(OLD)),
    status: 'open',
  });

  const during = await withApi(rotating, async (api) => {
    // The stored response is sealed under the old key.
    expect(await (await createEndpoint(api, 'rotation-1')).json()).toEqual(endpoint);
    const shared = await publicKeys(api);
    expect([shared.length, shared[1]]).toEqual([2, before.shared[0]]);
    return publicKeys(api, endpoint.id);
  });
  expect(during).toHaveLength(2);
  expect(during[1]).toBe(before.keys[0] ?? 'missing');
  const message = await deliveredBy(rotating, endpoint.id);
  new Webhook(endpoint.secret).verify(
    Buffer.from(message.body).toString(),
    message.headers as Record<string, string>,
  );
  expect([await isSignedBy(during[0], message), await isSignedBy(during[1], message)]).toEqual([true, true]);

  // A worker that derives its key of orders, as the api does.
  await enterWorkerKeys(world.sql, {
    orderKeys: [orderKeyOf(NEW), orderKeyOf(OLD)],
    resultLinkKeys: [orderKeyOf(NEW)],
  });
  // Too early without the old key: refused with a reason, nothing touched.
  const early = await reEncrypt(rotated);
  expect(early.code).toBe(1);
  expect(early.output).toContain('neither SECRET_KEY nor in SECRET_KEY_PREVIOUS');

  const [first, second] = await Promise.all([reEncrypt(rotating), reEncrypt(rotating)]);
  expect([first.code, second.code]).toEqual([0, 0]);
  const counts = [first, second].map(({ output }) => JSON.parse(output));
  expect(counts[0].webhookSecrets.reEncrypted + counts[1].webhookSecrets.reEncrypted).toBe(1);
  expect(counts[0].storedResponses.reEncrypted + counts[1].storedResponses.reEncrypted).toBe(1);
  expect(counts[0].signedOrders.reEncrypted + counts[1].signedOrders.reEncrypted).toBe(1);
  const [sealed] = await world.sql<{ id: string; sealedTransaction: Uint8Array }[]>`
    select id, sealed_transaction from order_transactions where order_id = ${order.id}`;
  const reopened = createSecretBox(orderKeyOf(NEW));
  const signed = openOrderTransaction(
    reopened,
    sealed?.id ?? '',
    sealed?.sealedTransaction ?? new Uint8Array(),
  );
  expect(Buffer.from(signed).toString('base64')).toBe(order.wires.curve);
  expect(counts[0]).toMatchObject({
    isComplete: true,
    message: expect.stringContaining('no secret is sealed'),
  });

  await withApi(rotated, async (api) => {
    expect(await publicKeys(api, endpoint.id)).toEqual([during[0] ?? 'missing']);
    expect(await (await createEndpoint(api, 'rotation-1')).json()).toEqual(endpoint);
  });
  const after = await deliveredBy(rotated, endpoint.id);
  new Webhook(endpoint.secret).verify(
    Buffer.from(after.body).toString(),
    after.headers as Record<string, string>,
  );
  expect(await isSignedBy(before.keys[0], after)).toBe(false);
  expect(await isSignedBy(before.shared[0], after)).toBe(false);
});

test('when the old key is removed too early the relay reports it and goes on, and recovers when the key is back', async () => {
  const { id } = await world.createEndpoint(receiver.origin, { accountId: key.accountId });
  const relay = await world.spawnRelay({ ...rotated, WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1' });
  const eventId = await world.publish({ accountId: key.accountId });
  const failed = await world.deliveryOf(id, eventId, ({ lastErrorCode }) => lastErrorCode !== null);
  expect(failed).toMatchObject({ lastErrorCode: 'signing_failed' });
  expect(relay.exitCode).toBeNull();
  relay.kill('SIGTERM');
  expect(await new Response(relay.stderr).text()).toContain(
    'neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens a sealed secret',
  );
  expect(await relay.exited).toBe(0);

  const healed = await world.spawnRelay(rotating);
  await eventually('delivered', async () => {
    const [row] =
      await world.sql`select status from webhook_deliveries where endpoint_id = ${id} and event_id = ${eventId}`;
    return row?.status === 'succeeded';
  });
  healed.kill('SIGTERM');
  expect(await healed.exited).toBe(0);
});

test('no secret is re-encrypted before the relay has the key, and a lost key is replaced only on demand', async () => {
  const { url: DATABASE_URL } = await createTestDatabase();
  const pool = connectDatabase(DATABASE_URL, { applicationName: 'test', connections: 1 });
  atEnd(() => pool.end({ timeout: 1 }));
  const keysOf = (key: string) => ({ secretKey: Buffer.from(key, 'base64'), secretKeyPrevious: [] });
  await requireSecretKeys(pool, keysOf(OLD), 'open');
  const early = await secret(['re-encrypt'], { DATABASE_URL, ...rotating });
  expect(early).toMatchObject({ code: 1, output: expect.stringContaining('the relay does not have yet') });

  const asked = await secret(['replace-lost-key'], { DATABASE_URL, ...rotated });
  expect(asked).toMatchObject({ code: 1, output: expect.stringContaining('add --yes') });
  await expect(requireSecretKeys(pool, keysOf(NEW), 'seal')).rejects.toThrow('neither SECRET_KEY');
  const replaced = await secret(['replace-lost-key', '--yes'], { DATABASE_URL, ...rotated });
  expect(replaced.code).toBe(0);
  await requireSecretKeys(pool, keysOf(NEW), 'seal');
  const again = await secret(['re-encrypt'], { DATABASE_URL, ...rotated });
  expect(JSON.parse(again.output)).toMatchObject({ isComplete: true });
});
