import { expect, test } from 'bun:test';
import type { Claim } from '../../relay/dispatch/claim.ts';
import { claimDue } from '../../relay/dispatch/claim-deliveries.ts';
import type { Capacity } from '../../relay/dispatch/endpoint-limits.ts';
import { nextDue } from '../../relay/dispatch/open-deliveries.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { atEnd } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';

const ENDPOINTS = 50;
const EVENTS = 1_000;

test.each([
  ['with statistics', true],
  ['by plans that were made while there was nothing', false],
])('a claim reads what it takes, however much waits for every endpoint: %s', async (_name, analyzed) => {
  const { url } = await createTestDatabase();
  const db = connectDatabase(url, { applicationName: 'test', connections: 1, indexesOnly: true });
  atEnd(() => db.end());
  const accountId = await createEndpoints(db);
  // Postgres keeps the plan of the sixth time.
  for (let times = 0; times < 10; times += 1) {
    expect((await claim(db)).length).toBe(0);
    await nextDue(db);
  }
  await fillBacklog(db, accountId);
  if (analyzed) await db`analyze`;
  for (let times = 0; times < 3; times += 1) {
    const before = await rowsRead(db);
    const claims = await claim(db);
    const found = await nextDue(db);
    expect(claims.length).toBeGreaterThan(100);
    expect(found.someBlocked).toBe(true);
    expect((await rowsRead(db)) - before).toBeLessThan(20 * claims.length);
  }
});

async function claim(db: Database): Promise<Claim[]> {
  const capacity = { full: new Set<string>(), grant: (_id: string, wanted: number) => wanted };
  const { claims } = await claimDue(db, null, {
    perEndpoint: 100,
    batch: 250,
    leaseMs: 1_000,
    capacity: capacity as unknown as Capacity,
  });
  return claims;
}

/** Enabled endpoints of one account, each with a delivery that is done; the account. */
async function createEndpoints(db: Database): Promise<string> {
  const accountId = crypto.randomUUID();
  await db`insert into accounts (id, created_at) values (${accountId}, now())`;
  await db`
    insert into webhook_endpoints (id, account_id, url, event_types, status, sealed_secret, secret_rotated_at, version,
      created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'https://x.test', '{*}', 'enabled', '', now(), 1, now(), now()
    from generate_series(1, ${ENDPOINTS}::int)`;
  await db`
    insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, delivered_at, created_at, updated_at)
    select gen_random_uuid(), id, gen_random_uuid(), 't', 'succeeded', now(), now(), now() from webhook_endpoints`;
  await db`analyze`;
  return accountId;
}

/** Every event is due for every endpoint, the oldest for all of them first. */
async function fillBacklog(db: Database, accountId: string): Promise<void> {
  await db`
    insert into events (id, type, subject, account_id, body, created_at, published_at, fanned_out_at)
    select gen_random_uuid(), 't', 's', ${accountId}, '{}', now(), now(), now() from generate_series(1, ${EVENTS}::int)`;
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
