import { beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import { fanOutEvents } from '../../relay/fan-out/fan-out-events.ts';
import type { Database } from '../../src/db/client.ts';
import {
  subjectsInRow,
  writeFollowedSubjects,
} from '../../src/features/webhooks/endpoints/store-subjects.ts';
import { findEvent, listEvents } from '../../src/features/webhooks/events/list-events.ts';
import { visibleTypes } from '../../src/features/webhooks/events/visible-types.ts';
import { FollowedSubjects } from '../../src/indexer/followed/followed-subjects.ts';
import { readFollowed } from '../../src/indexer/followed/read-followed.ts';
import { eventScopes, eventType, followedTypes } from '../../src/shared/events/catalogue.ts';
import { receivesEvent } from '../../src/shared/webhooks/receives-event.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import {
  LONG_AGO,
  type ReceiverEndpoint,
  type ReceiverEvent,
  type Receivers,
  receivers,
  subjects,
} from '../support/webhooks/receiver-arbitraries.ts';

const RUNS = 12;
const ALL_SCOPES = [...new Set(eventScopes.values())];
/** More events than a world has. */
const LIST_MAX = 1_000;
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

/** Replaces the endpoints and events of the database, as the api stores them. */
async function store({ accountIds, endpoints, events }: Receivers): Promise<void> {
  await emptyTables(db, 'accounts', 'events');
  for (const id of accountIds) await db`insert into accounts (id, created_at) values (${id}, now())`;
  for (const endpoint of endpoints) await storeEndpoint(endpoint);
  for (const event of events) await insertEvent(db, event);
}

async function storeEndpoint({ state, ...endpoint }: ReceiverEndpoint): Promise<void> {
  await db.begin(async (transaction) => {
    await insertEndpoint(transaction, {
      ...endpoint,
      eventTypes: [...endpoint.eventTypes],
      eventScopes: endpoint.eventScopes === null ? null : [...endpoint.eventScopes],
      subjects: subjectsInRow(endpoint),
      status: state === 'disabled' ? 'disabled' : 'enabled',
      disabledReason: state === 'disabled' ? 'manual' : null,
      deletedAt: state === 'deleted' ? new Date() : null,
    });
    await writeFollowedSubjects(transaction, endpoint.id, endpoint);
  });
}

/** The pairs of an endpoint and an event for which something is true, as texts. */
function pairsWhere(
  { endpoints, events }: Receivers,
  isWanted: (endpoint: ReceiverEndpoint, event: ReceiverEvent) => boolean,
): string[] {
  const pairs = endpoints.flatMap((endpoint) => events.map((event) => [endpoint, event] as const));
  return pairs
    .filter(([endpoint, event]) => isWanted(endpoint, event))
    .map(([{ id }, event]) => `${event.type} of ${event.subject} (${event.id}) to ${id}`)
    .sort();
}

async function fannedOut(world: Receivers): Promise<string[]> {
  await fanOutEvents(
    db,
    world.events.map(({ id }) => id),
    () => {},
  );
  const rows = await db<
    { endpointId: string; eventId: string }[]
  >`select endpoint_id, event_id from webhook_deliveries`;
  const stored = new Set(rows.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`));
  return pairsWhere(world, (endpoint, event) => stored.has(`${endpoint.id} ${event.id}`));
}

async function sentFromMemory(world: Receivers): Promise<string[]> {
  const cache = new EndpointCache(db);
  await cache.refresh();
  const receiving = new Map(
    world.events.map((event) => [event.id, new Set(cache.receivers(event).map(({ id }) => id))]),
  );
  return pairsWhere(world, (endpoint, event) => receiving.get(event.id)?.has(endpoint.id) === true);
}

/** What a key with the scopes of an endpoint finds in the list by the filters and subjects of the endpoint. */
async function listed({
  accountId,
  eventTypes,
  subjects,
  eventScopes: scopes,
}: ReceiverEndpoint): Promise<Set<string>> {
  const found = new Set<string>();
  for (const filter of eventTypes)
    for (const subject of subjects ?? [undefined]) {
      const types = visibleTypes(filter, scopes ?? ALL_SCOPES);
      const { items } = await listEvents(db, { accountId, types, subject, limit: LIST_MAX });
      for (const { id } of items) found.add(id);
    }
  return found;
}

/** The rule, for an endpoint of any age: lists have what was recorded before it, too. */
const everReceives = (endpoint: ReceiverEndpoint, event: ReceiverEvent) =>
  receivesEvent({ ...endpoint, createdAt: LONG_AGO }, event);

const isEnabled = ({ state }: ReceiverEndpoint) => state === 'enabled';

async function checkDeliveries(world: Receivers): Promise<void> {
  const expected = pairsWhere(world, (one, event) => isEnabled(one) && receivesEvent(one, event));
  expect(await fannedOut(world)).toEqual(expected);
  expect(await sentFromMemory(world)).toEqual(expected);
}

async function checkLists(world: Receivers): Promise<void> {
  const lists = new Map<string, Set<string>>();
  for (const one of world.endpoints) lists.set(one.id, await listed(one));
  expect(pairsWhere(world, (one, { id }) => lists.get(one.id)?.has(id) === true)).toEqual(
    pairsWhere(world, everReceives),
  );
}

/** An account finds what an endpoint for everything would get, and the trades that one of its endpoints gets. */
async function checkSingleEvents({ accountIds, endpoints, events }: Receivers): Promise<void> {
  const types = { ...visibleTypes('*', ALL_SCOPES), ofFollowers: [...followedTypes] };
  for (const accountId of accountIds) {
    const all = { accountId, eventTypes: ['*'], subjects: null, eventScopes: null };
    const readers = [
      { ...all, id: 'reader', createdAt: LONG_AGO, state: 'enabled' } as const,
      ...endpoints.filter((one) => one.accountId === accountId),
    ];
    for (const event of events) {
      const isFound = (await findEvent(db, event.id, { accountId, types })) !== null;
      expect({ event, isFound }).toEqual({ event, isFound: readers.some((one) => everReceives(one, event)) });
    }
  }
}

async function checkQueuedTrades({ endpoints }: Receivers): Promise<void> {
  const followed = new FollowedSubjects();
  await db.begin((transaction) => readFollowed(transaction, followed));
  const isReceived = (name: 'wallet.traded' | 'token.traded', subject: string) => {
    const event = { type: eventType(name), subject, accountId: null, onlyEndpointId: null };
    return endpoints.some((one) => isEnabled(one) && receivesEvent(one, { ...event, createdAt: new Date() }));
  };
  for (const traderWallet of subjects)
    for (const mintAddress of subjects) {
      const ofWallet = isReceived('wallet.traded', traderWallet);
      const ofToken = isReceived('token.traded', mintAddress);
      expect(followed.match({ traderWallet, mintAddress })).toEqual(
        ofWallet || ofToken ? { ofWallet, ofToken } : null,
      );
    }
}

test('who receives an event is decided alike by the rule, the relay, its memory, the lists and the queue of trades', async () => {
  let received = 0;
  await fc.assert(
    fc.asyncProperty(receivers, async (world) => {
      await store(world);
      received += pairsWhere(world, receivesEvent).length;
      await checkDeliveries(world);
      // Lists show the pings of all endpoints of an account, and nothing of what a deleted endpoint followed.
      const endpoints = world.endpoints.filter(({ state }) => state !== 'deleted');
      const listable = {
        ...world,
        endpoints,
        events: world.events.filter((one) => one.onlyEndpointId === null),
      };
      await checkLists(listable);
      await checkSingleEvents(listable);
      await checkQueuedTrades(world);
    }),
    { numRuns: RUNS },
  );
  expect(received).toBeGreaterThan(RUNS);
});
