import { beforeEach, expect, test } from 'bun:test';
import { findings, inconsistentExamples, openWork } from '../../bench/soak/findings.ts';
import { addEndpoints } from '../../bench/soak/publish.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { atEnd } from '../support/run/cleanup.ts';

/** A soak says "nothing lost" only if it would have seen the loss: each test does one kind of damage. */
const NOTHING = {
  missingEvents: 0,
  unpublishedEvents: 0,
  unfannedEvents: 0,
  missingDeliveries: 0,
  notSucceeded: 0,
  unfinishedAttempts: 0,
  inconsistentDeliveries: 0,
};
let sql: Database;

beforeEach(async () => {
  const { url } = await createTestDatabase();
  const database = connectDatabase(url, { applicationName: 'soak-test', connections: 2 });
  atEnd(() => database.end({ timeout: 1 }));
  sql = database;
  const secretKey = Buffer.alloc(32, 1).toString('base64');
  await addEndpoints(sql, ['http://127.0.0.1:1/0', 'http://127.0.0.1:1/1'], secretKey);
  const endpoints = await sql<{ id: string }[]>`select id from webhook_endpoints`;
  for (let count = 0; count < 2; count += 1) await insertDeliveredEvent(endpoints);
});

/** A public event that every endpoint got at the first attempt. */
async function insertDeliveredEvent(endpoints: readonly { id: string }[]): Promise<void> {
  const now = new Date();
  const type = eventType('launch.created');
  const eventId = await insertEvent(sql, { type, publishedAt: now, fannedOutAt: now });
  for (const { id: endpointId } of endpoints) {
    const delivery = { endpointId, eventId, eventType: type, attemptCount: 1, deliveredAt: now };
    await insertAttempt(sql, { deliveryId: await insertDelivery(sql, delivery) });
  }
}

/** Name, what is found, open work, the damage. */
const DAMAGE: [string, Partial<typeof NOTHING>, number, string][] = [
  ['nothing', {}, 0, 'select 1'],
  [
    'an event that never left the outbox',
    { unpublishedEvents: 2 },
    2,
    'update events set published_at = null',
  ],
  ['a fan-out without an end', { unfannedEvents: 2 }, 2, 'update events set fanned_out_at = null'],
  [
    'a delivery that is not there',
    { missingDeliveries: 1 },
    0,
    `create temporary table lost as select id from webhook_deliveries order by id limit 1;
     delete from webhook_attempts where delivery_id in (select id from lost);
     delete from webhook_deliveries where id in (select id from lost)`,
  ],
  [
    'a delivery that is stuck, with an attempt that never ended',
    { notSucceeded: 4, unfinishedAttempts: 4 },
    4,
    `update webhook_attempts set finished_at = null, succeeded = null;
     update webhook_deliveries set status = 'processing', delivered_at = null, lease_expires_at = now()`,
  ],
  [
    'a success without a successful attempt',
    { inconsistentDeliveries: 4 },
    0,
    'update webhook_attempts set succeeded = false',
  ],
  [
    'an attempt that was not counted',
    { inconsistentDeliveries: 4 },
    0,
    'update webhook_deliveries set attempt_count = 2',
  ],
];

test.each(DAMAGE)('the soak finds %s', async (_name, found, open, damage) => {
  await sql.unsafe(damage);
  expect(await findings(sql, 2, 2)).toEqual({ ...NOTHING, ...found });
  expect(await openWork(sql)).toBe(open);
  expect((await inconsistentExamples(sql)).length).toBe(found.inconsistentDeliveries ?? 0);
});

test('the soak finds an event that was never committed', async () => {
  expect(await findings(sql, 3, 2)).toEqual({ ...NOTHING, missingEvents: 1, missingDeliveries: 2 });
});
