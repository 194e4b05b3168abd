import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { matches } from '../../relay/fan-out/endpoint-matching.ts';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import { repairMissingDeliveries } from '../../relay/maintenance/reconcile-deliveries.ts';
import type { Database } from '../../src/db/client.ts';
import { eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import { receivesEvent } from '../../src/shared/webhooks/receives-event.ts';
import { effortOf, recordingDatabase, type SentStatement } from '../support/database/query-plans.ts';
import { insertEndpoints } from '../support/rows/insert-endpoint.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const OTHERS = 5_000;
const TYPE = eventType('launch.created');
const MINT = 'So11111111111111111111111111111111111111112';
const OTHER_MINT = '11111111111111111111111111111111';
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

test('the comparison with the required deliveries reads no more rows, and makes the missing ones', async () => {
  const eventId = await world.append({ name: 'launch.created' });
  await fanOutEvents(db, [eventId], () => {});
  await db`delete from webhook_deliveries where event_id = ${eventId}`;
  // Endpoints that changed after the event are left out.
  await db`update webhook_endpoints set updated_at = created_at - interval '1 hour', created_at = created_at - interval '1 hour'`;
  const compare = () => repairMissingDeliveries(db, null, { windowMs: 60_000, ageMs: 0, now: new Date() });
  expect(await rowsRead(compare)).toBeLessThan(100);
  expect(await filtersOfDeliveries(eventId)).toEqual([...FITTING].sort());
});

test('an event of a subject that 7 of 5,000 endpoints want reads those, and the others with its type are not read', async () => {
  const createdAt = new Date(Date.now() - 3_600_000);
  const accountId = await world.createAccount();
  const everything = { accountId, eventTypes: ['*'], createdAt };
  await insertEndpoints(db, OTHERS, { ...everything, subjects: [OTHER_MINT] });
  const wanting = await insertEndpoints(db, 7, { ...everything, subjects: [OTHER_MINT, MINT] });
  await db`analyze webhook_endpoints`;
  const eventId = await world.append({ name: 'launch.failed', subject: MINT });
  expect(await rowsRead(() => fanOutEvents(db, [eventId], () => {}))).toBeLessThan(100);
  const receivers = async () => {
    const rows = await db<{ endpointId: string; subjects: string[] | null }[]>`
      select endpoint_id, subjects from webhook_deliveries as delivery
      join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id where event_id = ${eventId}`;
    return rows.filter(({ subjects }) => subjects !== null).map(({ endpointId }) => endpointId);
  };
  expect((await receivers()).sort()).toEqual([...wanting].sort());
  await db`delete from webhook_deliveries where event_id = ${eventId}`;
  const compare = () => repairMissingDeliveries(db, null, { windowMs: 60_000, ageMs: 0, now: new Date() });
  expect(await rowsRead(compare)).toBeLessThan(150);
  expect((await receivers()).sort()).toEqual([...wanting].sort());
});

test('a ping reaches its endpoint, whichever subjects the endpoint is limited to', async () => {
  const accountId = await world.createAccount();
  const [id = ''] = await insertEndpoints(db, 1, { accountId, subjects: [MINT] });
  const eventId = await world.append({ name: 'webhook.ping', accountId, subject: id, onlyEndpointId: id });
  await fanOutEvents(db, [eventId], () => {});
  expect(await filtersOfDeliveries(eventId)).toEqual(['*']);
});

/** As columns are named, for `jsonb_to_record`. */
const asColumns = (facts: object) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

test('the SQL and the rule in code decide alike, whatever the event and the endpoint', async () => {
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  const id = fc.constantFrom(...ids);
  const part = fc.constantFrom('a', 'b', 'ab', 'a_b');
  const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join('.'));
  const types = fc.oneof(parts, fc.constantFrom(...eventNames.map(eventType)));
  const filters = fc.oneof(
    fc.constant('*'),
    types,
    types.map((prefix) => `${prefix}.*`),
    fc.constant('build.service.*'),
  );
  const subject = fc.constantFrom(MINT, OTHER_MINT, '*');
  const instant = fc.constantFrom(1, 2).map((second) => new Date(second * 1_000));
  const pairs = fc.sample(
    fc.record({
      event: fc.record({
        type: types,
        subject,
        accountId: fc.option(id),
        onlyEndpointId: fc.option(id, { freq: 5 }),
        createdAt: instant,
      }),
      endpoint: fc.record({
        id,
        accountId: id,
        eventTypes: fc.array(filters, { minLength: 1, maxLength: 3 }),
        subjects: fc.option(fc.array(subject, { minLength: 1, maxLength: 2 })),
        eventScopes: fc.option(fc.subarray(['operations:read', 'predictions:read'])),
        createdAt: instant,
      }),
    }),
    { numRuns: 4_000 },
  );
  const judged = await db<{ isMatch: boolean }[]>`
    select ${matches(db)} as is_match
    from jsonb_array_elements(${db.json(pairs.map(({ event, endpoint }) => ({ event: asColumns(event), endpoint: asColumns(endpoint) })))}) with ordinality as pair(facts, place)
    cross join lateral jsonb_to_record(pair.facts -> 'event') as event(type text, subject text, account_id uuid,
      only_endpoint_id uuid, created_at timestamptz)
    cross join lateral jsonb_to_record(pair.facts -> 'endpoint') as endpoint(id uuid, account_id uuid, event_types text[],
      subjects text[], event_scopes text[], created_at timestamptz)
    order by place`;
  expect(judged.length).toBe(pairs.length);
  const matched = judged.filter(({ isMatch }) => isMatch).length;
  expect(matched).toBeGreaterThan(200);
  for (const [at, pair] of pairs.entries())
    expect({ ...pair, isMatch: judged[at]?.isMatch }).toEqual({
      ...pair,
      isMatch: receivesEvent(pair.endpoint, pair.event),
    });
});
