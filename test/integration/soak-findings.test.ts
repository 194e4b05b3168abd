import { beforeEach, expect, test } from 'bun:test';
import { openWork } from '../../bench/pipeline/open-work.ts';
import { storeEndpoints } from '../../bench/pipeline/store-endpoints.ts';
import { findings, inconsistentExamples } from '../../bench/soak/findings.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
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
  const endpoints = [0, 1].map((number) => ({ url: `http://127.0.0.1:1/${number}`, eventTypes: ['*'] }));
  await storeEndpoints(sql, secretKey, endpoints);
  await sql`
    insert into events (id, type, subject, body, created_at, published_at, fanned_out_at)
    select gen_random_uuid(), 'build.service.launch.created.v1', 'subject', '{}', now(), now(), now()
    from generate_series(1, 2)`;
  await sql`
    insert into webhook_deliveries
      (id, endpoint_id, event_id, event_type, status, attempt_count, delivered_at, created_at, updated_at)
    select gen_random_uuid(), endpoint.id, event.id, event.type, 'succeeded', 1, now(), now(), now()
    from webhook_endpoints as endpoint, events as event`;
  await sql`
    insert into webhook_attempts (delivery_id, attempt_number, started_at, finished_at, succeeded)
    select id, 1, now(), now(), true from webhook_deliveries`;
});

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
