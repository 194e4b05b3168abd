import { beforeAll, expect, test } from 'bun:test';
import { recordResults } from '../../relay/results/record-attempts.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { attemptResult } from '../support/webhooks/attempt-result.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
let endpointId: string;

beforeAll(async () => {
  world = await createRelayWorld();
  ({ id: endpointId } = await world.createEndpoint('https://example.com/'));
});

/** A delivery whose first attempt is under way. */
async function claimedDelivery(): Promise<string> {
  const eventId = await world.append({});
  return insertDelivery(world.sql, { endpointId, eventId, status: 'processing', attemptCount: 1 });
}

// A claim that was lost in a crash of the database is made again under the same number, while the first one is sent.
test.each([
  ['success, then failure', [204, 500]],
  ['failure, then success', [500, 204]],
  ['success twice', [204, 204]],
])('a success is kept of two results of one attempt: %s', async (_name, statuses) => {
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

test('an endpoint with a success and a failure in one batch does not fail, whichever came first', async () => {
  const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test/docs' }, systemClock);
  const record = async (statuses: readonly number[]) => {
    const results = [];
    for (const status of statuses)
      results.push(
        attemptResult({ deliveryId: await claimedDelivery(), endpointId, attemptNumber: 1 }, status),
      );
    await recordResults(world.sql, outbox, results);
    const [row] = await world.sql`
      select failing_since is not null as is_failing from webhook_endpoints where id = ${endpointId}`;
    return row?.isFailing;
  };
  for (const statuses of [
    [204, 500],
    [500, 204],
  ])
    expect(await record(statuses)).toBe(false);
  expect(await record([500, 500])).toBe(true);
  expect(await record([500, 204])).toBe(false);
});
