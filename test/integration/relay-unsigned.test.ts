import { beforeAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { eventually } from '../support/run/eventually.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;

beforeAll(async () => {
  // A delivery that uses up the schedule is dead after the second attempt.
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.05' });
  await world.startRelay();
});

test('a delivery that cannot be signed is neither sent, lost nor counted against the endpoint, and is sent once it can be', async () => {
  const receiver = await startReceiver();
  const endpoint = await world.createEndpoint(receiver.origin);
  const seal = (key: Uint8Array) => sealWebhookSecret(createSecretBox(key), endpoint.id, endpoint.secret);
  const set = (sealed: Uint8Array) =>
    world.sql`update webhook_endpoints set sealed_secret = ${sealed} where id = ${endpoint.id}`;
  await set(seal(randomBytes(32)));
  const eventId = await world.publish({ accountId: endpoint.accountId });
  const waiting = await world.deliveryOf(
    endpoint.id,
    eventId,
    ({ attemptCount, status }) => attemptCount === 2 && status !== 'processing',
  );
  expect(waiting).toMatchObject({
    status: 'retrying',
    lastErrorCode: 'signing_failed',
    responseStatus: null,
  });
  const attempts = await world.sql`
    select attempt_number, succeeded, error_code, error_reason, hop_origin from webhook_attempts
    where delivery_id = ${waiting.id} order by attempt_number`;
  const unsigned = { succeeded: false, errorCode: 'signing_failed', errorReason: null, hopOrigin: null };
  expect([...attempts]).toEqual([
    { attemptNumber: 1, ...unsigned },
    { attemptNumber: 2, ...unsigned },
  ]);
  const [state] = await world.sql`
    select failing_since, schedule_index from webhook_endpoints endpoint
    join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id where delivery.id = ${waiting.id}`;
  expect(state).toEqual({ failingSince: null, scheduleIndex: 0 });
  expect(receiver.requests).toHaveLength(0);

  await set(seal(world.config.secretKey));
  await world.sql`update webhook_deliveries set next_attempt_at = now() where id = ${waiting.id}`;
  await world.deliveryOf(endpoint.id, eventId, ({ status }) => status === 'succeeded');
  await eventually('the request', async () => receiver.requests.length === 1);
});
