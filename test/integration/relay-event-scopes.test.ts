import { beforeAll, expect, test } from 'bun:test';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import { repairMissingDeliveries } from '../../relay/maintenance/reconcile-deliveries.ts';
import type { EventName } from '../../src/shared/events/catalogue.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const HOUR_MS = 3_600_000;
let world: RelayWorld;
let accountId: string;
const names = new Map<string, string>();

beforeAll(async () => {
  world = await createRelayWorld();
  accountId = await world.createAccount();
  const createdAt = new Date(Date.now() - HOUR_MS);
  for (const [name, eventScopes] of [
    ['old', null],
    ['none', []],
    ['operations', ['operations:read']],
    ['predictions', ['predictions:read']],
    ['both', ['operations:read', 'predictions:read']],
  ] as const) {
    const scopes = eventScopes === null ? null : [...eventScopes];
    names.set(await insertEndpoint(world.sql, { accountId, createdAt, eventScopes: scopes }), name);
  }
});

async function receivers(eventId: string): Promise<string[]> {
  const rows = await world.sql<{ endpointId: string }[]>`
    select endpoint_id from webhook_deliveries where event_id = ${eventId}`;
  return rows.map(({ endpointId }) => names.get(endpointId) ?? endpointId).sort();
}

const all = ['both', 'none', 'old', 'operations', 'predictions'];
const cases: [EventName, boolean, string[]][] = [
  ['operation.succeeded', true, ['both', 'old', 'operations']],
  ['transaction_intent.confirmed', true, ['both', 'old', 'operations']],
  ['prediction.submitted', true, ['both', 'old', 'predictions']],
  ['webhook_endpoint.disabled', true, all],
  ['launch.created', false, all],
  ['prediction_round.opened', false, all],
];

test.each(cases)('%s reaches the endpoints whose key could read it', async (name, isOwn, expected) => {
  const eventId = await world.append({ name, ...(isOwn && { accountId }) });
  await fanOutEvents(world.sql, [eventId], () => {});
  expect(await receivers(eventId)).toEqual(expected);
  await world.sql`delete from webhook_deliveries where event_id = ${eventId}`;
  await repairMissingDeliveries(world.sql, null, { windowMs: 60_000, ageMs: 0, now: new Date() });
  expect(await receivers(eventId)).toEqual(expected);
});

test('a ping reaches its endpoint whatever the key could read', async () => {
  const [none = ''] = [...names].flatMap(([id, name]) => (name === 'none' ? [id] : []));
  const eventId = await world.append({ name: 'webhook.ping', accountId, onlyEndpointId: none });
  await fanOutEvents(world.sql, [eventId], () => {});
  expect(await receivers(eventId)).toEqual(['none']);
});
