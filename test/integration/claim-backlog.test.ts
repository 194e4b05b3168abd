import { expect, test } from 'bun:test';
import { readDue } from '../../relay/endpoints/endpoint-backlogs.ts';
import type { Claim } from '../../relay/model/claim.ts';
import { claimDue } from '../../relay/retry/claim-deliveries.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { insertDeliveries } from '../support/rows/insert-delivery.ts';
import { insertEndpoints } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';

const ENDPOINTS = 50;
const EVENTS = 1_000;

test.each([
  ['with statistics', true],
  ['by plans that were made while there was nothing', false],
])(
  'a claim reads only the rows that it claims, however many wait for every endpoint: %s',
  async (_name, analyzed) => {
    const { url } = await createTestDatabase();
    const db = connectDatabase(url, { applicationName: 'test', connections: 1, indexesOnly: true });
    atEnd(() => db.end());
    const accountId = await createEndpoints(db);
    // Postgres keeps the plan of the sixth time.
    for (let times = 0; times < 10; times += 1) {
      expect((await claim(db)).length).toBe(0);
      await readDue(db, 100);
    }
    await fillBacklog(db, accountId);
    if (analyzed) await db`analyze`;
    for (let times = 0; times < 3; times += 1) {
      const before = await rowsRead(db);
      const claims = await claim(db);
      const { found } = await readDue(db, 100);
      expect(claims.length).toBeGreaterThan(100);
      expect(found.length).toBe(ENDPOINTS);
      expect((await rowsRead(db)) - before).toBeLessThan(20 * claims.length);
    }
  },
);

async function claim(db: Database): Promise<Claim[]> {
  const { claims } = await claimDue(db, null, {
    batch: 250,
    leaseMs: 1_000,
    fullEndpointIds: [],
    room: () => 100,
  });
  return claims;
}

/** Enabled endpoints of one account, each with a delivery that is done; the account. */
async function createEndpoints(db: Database): Promise<string> {
  const accountId = crypto.randomUUID();
  await db`insert into accounts (id, created_at) values (${accountId}, now())`;
  const endpointIds = await insertEndpoints(db, ENDPOINTS, { accountId });
  const deliveredAt = new Date();
  const deliveries = endpointIds.map((endpointId) => ({
    endpointId,
    eventId: Bun.randomUUIDv7(),
    deliveredAt,
  }));
  await insertDeliveries(db, deliveries);
  await db`analyze`;
  return accountId;
}

/** Every event is due for every endpoint, the oldest for all of them first: 50,000 rows, which Postgres makes itself. */
async function fillBacklog(db: Database, accountId: string): Promise<void> {
  await db`
    insert into events (id, type, subject, account_id, body, created_at)
    select gen_random_uuid(), 't', 's', ${accountId}, '{}', now() from generate_series(1, ${EVENTS}::int)`;
  await db`truncate events_to_publish, events_to_fan_out`;
  await db`
    insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
    select gen_random_uuid(), endpoint.id, event.id, 't', 'pending',
      now() - interval '1 hour' + event.ordinal * interval '1 millisecond', now(), now()
    from (select id, row_number() over () as ordinal from events) as event cross join webhook_endpoints as endpoint
    order by event.ordinal`;
}

/** Deliveries and entries of their indexes that were read so far. */
async function rowsRead(db: Database): Promise<number> {
  await db`select pg_stat_force_next_flush()`;
  const [row] = await db<{ read: number }[]>`
    select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::float8 as read
    from pg_stat_user_tables as t where relname = 'webhook_deliveries'`;
  return row?.read ?? Number.NaN;
}
