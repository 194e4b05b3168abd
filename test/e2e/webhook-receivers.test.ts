import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { Signer } from '../../relay/attempt/sign.ts';
import { publicSigningKey, WebhookSigningKeys } from '../../src/shared/webhooks/signing-keys.ts';
import { receiverCommands, startExampleReceiver } from '../support/client/example-receiver.ts';
import { eventually } from '../support/run/eventually.ts';

const START_TIMEOUT_MS = 300_000;
const TYPE = 'build.service.launch.created.v1';
const body = Buffer.from(
  JSON.stringify({ id: 'event-1', type: TYPE, subject: 'grüße', data: { name: '🚀' } }),
);
const newSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const [young, old, foreign] = [newSecret(), newSecret(), newSecret()];
const [endpointId, otherId] = [crypto.randomUUID(), crypto.randomUUID()];
const keysOfEndpoints = new WebhookSigningKeys(
  { secretKey: crypto.getRandomValues(new Uint8Array(32)), secretKeyPrevious: [] },
  new Date(Date.now() + 3_600_000),
);
const signer = new Signer(keysOfEndpoints);
let deliveries = 0;

/** Headers of a delivery, like the relay's. */
function signed(secrets: readonly string[], options: { ageSeconds?: number; to?: string } = {}) {
  const { ageSeconds = 0, to = endpointId } = options;
  deliveries += 1;
  const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const keys = secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
  return signer.headers({ id: `event-${deliveries}`, endpointId: to, timestampSeconds, body }, keys);
}

async function post(url: string, headers: Record<string, string>, sent: Uint8Array<ArrayBuffer> = body) {
  const type = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  const { status } = await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: sent });
  return status;
}

test('every receiver of the examples is tried below', () => {
  const tried = Object.keys(receiverCommands).map((name) => name.split(' ')[0] ?? '');
  expect(
    readdirSync('examples/receivers')
      .filter((name) => name !== 'README.md')
      .sort(),
  ).toEqual(tried.sort());
});

describe.each(Object.entries(receiverCommands))('%s', (name, commandOf) => {
  test(
    'accepts deliveries signed with either secret, and refuses all others',
    async () => {
      const environment = { LAUNCHWIRE_WEBHOOK_SECRET: `${young} ${old}` };
      const { url, printed } = await startExampleReceiver(await commandOf(), environment);
      for (const secrets of [[young], [old], [foreign, old]]) {
        const headers = signed(secrets);
        expect(await post(url, headers)).toBe(204);
        await eventually('the event', async () => printed().includes(`${headers['webhook-id']} ${TYPE}`));
      }
      const genuine = signed([young]);
      const before = printed();
      const forgeries: [Record<string, string>, Uint8Array<ArrayBuffer>?][] = [
        [signed([foreign])],
        [signed([young], { ageSeconds: 400 })],
        [signed([young], { ageSeconds: -400 })],
        [genuine, Buffer.from(String(body).replace('grüße', 'gruss'))],
        [{ ...genuine, 'webhook-id': 'event-0' }],
        [{ ...genuine, 'webhook-timestamp': 'now' }],
        [{ ...genuine, 'webhook-signature': 'v1,AAAA v1, v1a,AAAA ,' }],
        [{}],
      ];
      for (const [headers, sent] of forgeries) expect(await post(url, headers, sent)).toBe(400);
      const large = Buffer.alloc(200_000, 97);
      // In Next, the server around a route limits the size of the body.
      if (!name.startsWith('next')) expect(await post(url, genuine, large).catch(() => 413)).toBe(413);
      expect(await post(url, genuine)).toBe(204);
      const line = `${genuine['webhook-id']} ${TYPE}`;
      await eventually('the genuine event', async () => printed().endsWith(`${line}\n`));
      expect(printed().slice(before.length).trim()).toBe(line);
    },
    START_TIMEOUT_MS,
  );
});

test(
  'the receiver in Go verifies with the public key of its endpoint alone',
  async () => {
    const command = await receiverCommands['receiver.go']?.();
    const publicKeys = keysOfEndpoints.ofEndpoint(endpointId).map((key) => publicSigningKey(key).key);
    const environment = { LAUNCHWIRE_WEBHOOK_PUBLIC_KEY: publicKeys.join(' ') };
    const { url } = await startExampleReceiver(command ?? [], environment);
    expect(await post(url, signed([]))).toBe(204);
    // The delivery is genuine and from the same deployment, but for another endpoint.
    expect(await post(url, signed([young], { to: otherId }))).toBe(400);
  },
  START_TIMEOUT_MS,
);
