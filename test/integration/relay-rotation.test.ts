import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { verifyAsync } from '@noble/ed25519';
import { Webhook } from 'standardwebhooks';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestClock } from '../support/run/clock.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

// Receivers take signatures of the last 5 minutes by the real time: everything here stays within 2.
const OVERLAP_SECONDS = 60;
const clock = createTestClock();
let world: RelayWorld;
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_SHARED_KEY_UNTIL: '2026-01-01T00:00:00Z' });
  api = await startTestApi({
    environment: world.environment,
    adjust: (dependencies) => {
      dependencies.clock = clock;
    },
  });
  key = await createTestKey(world.sql);
  // It signs by the clock of the test.
  await world.startRelay({}, { clock });
});

// Only events younger than an endpoint reach it, and they are dated by the real time.
beforeEach(() => clock.set(new Date()));

async function fetchPublicKey(endpointId: string): Promise<Uint8Array> {
  const response = await fetch(`${api.origin}/.well-known/webhook-public-keys/${endpointId}`);
  const [text = ''] = (await response.text()).match(/whpk_[A-Za-z0-9+/=]+/) ?? [];
  return Buffer.from(text.slice('whpk_'.length), 'base64');
}

async function call<Body>(path: string, body: object, version?: number): Promise<Body> {
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Body;
}

interface Subscriber {
  receiver: Receiver;
  endpointId: string;
  oldSecret: string;
}

async function subscribe(): Promise<Subscriber> {
  const receiver = await startReceiver();
  const { id, secret } = await call<{ id: string; secret: string }>('/webhook-endpoints', {
    url: receiver.origin,
  });
  return { receiver, endpointId: id, oldSecret: secret };
}

function rotate({ endpointId }: Subscriber, version: number, previousSecretTtlSeconds: number) {
  return call<{
    secret: string;
    previousSecretExpiresAt: string | null;
    endedSecretExpiresAt: string | null;
  }>(`/webhook-endpoints/${endpointId}/secret-rotations`, { previousSecretTtlSeconds }, version);
}

/** The next delivery, after the Ed25519 signature for its endpoint was checked. */
async function deliver({ receiver, endpointId }: Subscriber): Promise<ReceivedRequest> {
  const id = await world.publish({ accountId: key.accountId });
  const [request] = await receiver.received(1, ({ headers }) => headers['webhook-id'] === id);
  if (request === undefined) throw new Error('no request');
  const { 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = request.headers;
  const asymmetric = signatures.split(' ').filter((part) => part.startsWith('v1a,'));
  expect(asymmetric).toHaveLength(1);
  const publicKey = await fetchPublicKey(endpointId);
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request.body]);
  const signature = Buffer.from(asymmetric[0]?.slice('v1a,'.length) ?? '', 'base64');
  expect(await verifyAsync(signature, content, publicKey, { zip215: false })).toBe(true);
  expect(Number(timestamp)).toBe(Math.floor(clock.now().getTime() / 1000));
  return request;
}

/** Does a receiver that knows only this secret accept the request? */
function accepts(secret: string, request: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(request.body, request.headers);
    return true;
  } catch {
    return false;
  }
}

function symmetricSignatures(request: ReceivedRequest): number {
  return (request.headers['webhook-signature'] ?? '').split(' ').filter((part) => part.startsWith('v1,'))
    .length;
}

describe('a rotation over HTTP', () => {
  test('old secret: accepted until previousSecretExpiresAt and not a moment longer; new secret: from the first delivery on', async () => {
    const subscriber = await subscribe();
    const before = await deliver(subscriber);
    expect(accepts(subscriber.oldSecret, before)).toBe(true);
    const { secret: newSecret, previousSecretExpiresAt } = await rotate(subscriber, 1, OVERLAP_SECONDS);
    expect(accepts(newSecret, before)).toBe(false);
    const expiresAt = new Date(previousSecretExpiresAt ?? '');
    expect(expiresAt.getTime()).toBe(clock.now().getTime() + OVERLAP_SECONDS * 1000);

    const first = await deliver(subscriber);
    clock.set(new Date(expiresAt.getTime() - 1));
    const last = await deliver(subscriber);
    for (const during of [first, last]) {
      expect(accepts(subscriber.oldSecret, during)).toBe(true);
      expect(accepts(newSecret, during)).toBe(true);
      expect(symmetricSignatures(during)).toBe(2);
    }

    clock.set(expiresAt);
    const after = await deliver(subscriber);
    expect(accepts(subscriber.oldSecret, after)).toBe(false);
    expect(accepts(newSecret, after)).toBe(true);
    expect(symmetricSignatures(after)).toBe(1);
  });

  test('reports itself: the event is signed with the old secret too, and has neither', async () => {
    const subscriber = await subscribe();
    const watcher = await subscribe();
    const { secret: newSecret } = await rotate(subscriber, 1, OVERLAP_SECONDS);
    for (const { receiver, oldSecret } of [subscriber, watcher]) {
      const [request] = await receiver.received(1, ({ body }) => {
        const { type, subject } = JSON.parse(Buffer.from(body).toString());
        return (
          type === 'build.service.webhook_endpoint.secret_rotated.v1' && subject === subscriber.endpointId
        );
      });
      if (request === undefined) throw new Error('no request');
      expect(accepts(oldSecret, request)).toBe(true);
      const text = Buffer.from(request.body).toString();
      expect(JSON.parse(text).data).toMatchObject({ id: subscriber.endpointId, byKeyId: key.keyId });
      for (const secret of [newSecret, oldSecret]) expect(text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test('with ttl 0 the old secret ends immediately', async () => {
    const subscriber = await subscribe();
    const { secret: newSecret, previousSecretExpiresAt } = await rotate(subscriber, 1, 0);
    expect(previousSecretExpiresAt).toBeNull();
    const request = await deliver(subscriber);
    expect(accepts(subscriber.oldSecret, request)).toBe(false);
    expect(accepts(newSecret, request)).toBe(true);
    expect(symmetricSignatures(request)).toBe(1);
  });

  test('twice within an overlap: the oldest secret ends, as the response says, and the previous one goes on; ttl 0 ends both', async () => {
    const subscriber = await subscribe();
    const { secret: second, previousSecretExpiresAt } = await rotate(subscriber, 1, OVERLAP_SECONDS);
    const { secret: third, endedSecretExpiresAt } = await rotate(subscriber, 2, OVERLAP_SECONDS);
    expect(endedSecretExpiresAt).toBe(previousSecretExpiresAt);
    const request = await deliver(subscriber);
    expect([subscriber.oldSecret, second, third].map((secret) => accepts(secret, request))).toEqual([
      false,
      true,
      true,
    ]);
    const { secret: fourth } = await rotate(subscriber, 3, 0);
    const final = await deliver(subscriber);
    expect([second, third, fourth].map((secret) => accepts(secret, final))).toEqual([false, false, true]);
  });
});
