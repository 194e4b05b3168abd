import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { filtersOf, matches } from '../../relay/fan-out/endpoint-matching.ts';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import { repairMissingDeliveries } from '../../relay/maintenance/reconcile-deliveries.ts';
import type { Database } from '../../src/db/client.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { effortOf, recordingDatabase, type SentStatement } from '../support/database/query-plans.ts';
import { insertEndpoints } from '../support/rows/insert-endpoint.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const OTHERS = 5_000;
const TYPE = eventType('launch.created');
const LAUNCH = 'build.service.launch';
const FITTING = ['*', 'build.*', 'build.service.*', `${LAUNCH}.*`, `${LAUNCH}.created.*`, TYPE];
const UNFIT = [`${TYPE}.*`, `${LAUNCH}.created`, eventType('launch.failed')];

let world: RelayWorld;
let db: Database;
let sent: SentStatement[];

beforeAll(async () => {
  world = await createRelayWorld();
  ({ db, sent } = recordingDatabase(world.environment.DATABASE_URL ?? ''));
  const accountId = await world.createAccount();
  const createdAt = new Date(Date.now() - 3_600_000);
  await insertEndpoints(db, OTHERS, { accountId, eventTypes: [eventType('launch.graduated')], createdAt });
  for (const filter of [...FITTING, ...UNFIT])
    await world.createEndpoint('https://example.com/', { eventTypes: [filter] });
  await db`analyze`;
});

const filtersOfDeliveries = async (eventId: string) =>
  (
    await db<{ eventTypes: string[] }[]>`
      select event_types from webhook_deliveries as delivery
      join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id where event_id = ${eventId}`
  )
    .flatMap(({ eventTypes }) => eventTypes)
    .sort();

async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await work();
  const efforts = [];
  for (const statement of [...sent]) efforts.push(await effortOf(db, statement));
  return Math.max(...efforts.map(({ rowsMax }) => rowsMax));
}

test('an event that 6 of 5,000 endpoints asked for reads those 6', async () => {
  const eventId = await world.append({ name: 'launch.created' });
  expect(await rowsRead(() => fanOutEvents(db, [eventId], () => {}))).toBeLessThan(100);
  expect(await filtersOfDeliveries(eventId)).toEqual([...FITTING].sort());
});

test('the comparison with the deliveries that must exist reads no more, and makes those that are missing', async () => {
  const eventId = await world.append({ name: 'launch.created' });
  await fanOutEvents(db, [eventId], () => {});
  await db`delete from webhook_deliveries where event_id = ${eventId}`;
  // Endpoints that changed after the event are left out.
  await db`update webhook_endpoints set updated_at = created_at - interval '1 hour', created_at = created_at - interval '1 hour'`;
  const compare = () => repairMissingDeliveries(db, null, { windowMs: 60_000, ageMs: 0 });
  expect(await rowsRead(compare)).toBeLessThan(100);
  expect(await filtersOfDeliveries(eventId)).toEqual([...FITTING].sort());
});

test('the filters of a type are those that match it', async () => {
  const part = fc.constantFrom('a', 'b', 'ab', 'a_b');
  const types = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  const filters = fc.oneof(
    fc.constant('*'),
    types,
    types.map((prefix) => `${prefix}.*`),
  );
  const pairs = fc.sample(fc.record({ type: types, filter: filters }), { numRuns: 2_000, seed: 1 });
  const judged = await db<{ type: string; filter: string; isMatch: boolean }[]>`
    select pair.type, pair.filter, ${matches(db)} as is_match
    from jsonb_to_recordset(${db.json(pairs)}) as pair(type text, filter text)
    cross join lateral (
      select null::uuid as id, null::uuid as account_id, now() as created_at, array[pair.filter] as event_types,
        null::text[] as event_scopes
    ) as endpoint
    cross join lateral (
      select pair.type, null::uuid as account_id, now() as created_at, null::uuid as only_endpoint_id
    ) as event`;
  expect(judged.length).toBe(pairs.length);
  expect(judged.some(({ isMatch }) => isMatch)).toBe(true);
  for (const { type, filter, isMatch } of judged) expect(filtersOf(type).includes(filter)).toBe(isMatch);
});
