import { beforeAll, expect, test } from 'bun:test';
import { recordResults } from '../../relay/results/record-attempts.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { attemptResult } from '../support/attempt-result.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhook-relay.ts';

let world: RelayWorld;
let endpointId: string;

beforeAll(async () => {
  world = await createRelayWorld();
  ({ id: endpointId } = await world.createEndpoint('https://example.com/'));
});

/** A delivery whose first attempt is under way. */
async function claimedDelivery(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const eventId = await world.append({});
  await world.sql`
    insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempt_count, lease_expires_at,
      created_at, updated_at)
    values (${id}, ${endpointId}, ${eventId}, 't', 'processing', 1, now() + interval '20 seconds', now(), now())`;
  return id;
}

// A claim that a crash of the database took back is made again under the same number, while the first one is sent.
test.each([
  ['success, then failure', [204, 500]],
  ['failure, then success', [500, 204]],
  ['success twice', [204, 204]],
])('of two results of one attempt a success is kept: %s', async (_name, statuses) => {
  const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test/docs' }, systemClock);
  const deliveryId = await claimedDelivery();
  const claim = { deliveryId, endpointId, attemptNumber: 1 };
  for (const status of statuses) await recordResults(world.sql, outbox, [attemptResult(claim, status)]);
  const [row] = await world.sql`
    select delivery.status, attempt.succeeded, attempt.response_status, attempt.error_code,
      (select count(*)::int from webhook_attempts where delivery_id = delivery.id) as attempts
    from webhook_deliveries as delivery join webhook_attempts as attempt on attempt.delivery_id = delivery.id
    where delivery.id = ${deliveryId}`;
  expect(row).toEqual({
    status: 'succeeded',
    succeeded: true,
    responseStatus: 204,
    errorCode: null,
    attempts: 1,
  });
});
