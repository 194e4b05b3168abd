import { beforeAll, expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import {
  type ComposedEvent,
  carriedColumns,
  carriedValues,
  insertCarriedEvents,
  insertEvent,
  insertEvents,
} from '../../src/outbox/event-rows.ts';
import { restoreEvent } from '../../src/outbox/restore-events.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { timedId } from '../../src/shared/timed-id.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { atEnd } from '../support/run/cleanup.ts';

let db: Database;
const accountId = crypto.randomUUID();

beforeAll(async () => {
  const { url } = await createTestDatabase();
  db = connectDatabase(url, { applicationName: 'event rows', connections: 1 });
  atEnd(() => db.end());
  await db`insert into accounts (id, created_at) values (${accountId}, now())`;
});

/** An event that fills every column, with texts that a list must quote. */
function fullEvent(): ComposedEvent {
  const now = new Date();
  return {
    id: timedId(now),
    type: 'build.service.webhook.ping.v1',
    subject: 'a "subject", with {braces}, a \\ and ünïcode',
    accountId,
    onlyEndpointId: crypto.randomUUID(),
    body: '{"text":"NULL, \\"quoted\\"","list":[1,{}]}',
    createdAt: new Date(now.getTime() - 5_000),
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
}

function bareEvent(): ComposedEvent {
  return { ...fullEvent(), accountId: null, onlyEndpointId: null, traceparent: null };
}

const stored = (events: readonly ComposedEvent[]) => db<ComposedEvent[]>`
  select id, type, subject, account_id, only_endpoint_id, body, created_at, traceparent
  from events join events_to_publish p on p.event_id = id join events_to_fan_out f on f.event_id = id
  where id = any(${events.map(({ id }) => id)}::uuid[]) order by array_position(${events.map(({ id }) => id)}::uuid[], id)`;

test('an event has the same row, whether it is inserted alone, with others, or by a statement that carries it', async () => {
  const events = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? fullEvent() : bareEvent()));
  const [first, second, third, fourth, ...carried] = events as [
    ComposedEvent,
    ComposedEvent,
    ComposedEvent,
    ComposedEvent,
  ];
  await insertEvent(db, first);
  await insertEvent(db, second);
  await insertEvents(db, [third, fourth]);
  const rows = carried.map(
    (_, row) =>
      `(${carriedColumns.map(({ type }, at) => `$${row * carriedColumns.length + at + 1}::${type}`).join(', ')})`,
  );
  await db.unsafe(
    `with given (${carriedColumns.map(({ name }) => name).join(', ')}) as (values ${rows.join(', ')})
      ${insertCarriedEvents('given')}`,
    carried.flatMap(carriedValues),
  );
  expect([...(await stored(events))]).toEqual(events);
});

test('only the events that a statement names are inserted', async () => {
  const events = [fullEvent(), bareEvent()];
  const [wanted] = events as [ComposedEvent];
  await insertEvents(db, events, db`where e.id = ${wanted.id}`);
  await insertEvents(db, []);
  await insertEvent(db, bareEvent(), db`where false`);
  expect([...(await stored(events))]).toEqual([wanted]);
});

test('an event of the broker is stored as published, once', async () => {
  const { id, type, subject, body } = fullEvent();
  const event = { id, type, subject, body, accountId, publishedAt: new Date(Date.now() - 1_000) };
  expect(await restoreEvent(db, event)).toBe(true);
  expect(await restoreEvent(db, event)).toBe(false);
  const [row] = await db`
    select id, type, subject, body, account_id, created_at as published_at from events where id = ${id}`;
  expect(row).toEqual(event);
  expect((await db`select from events_to_publish where event_id = ${id}`).count).toBe(0);
  expect((await db`select from events_to_fan_out where event_id = ${id}`).count).toBe(1);
});

test('an event that was deleted, and not its marks, is stored as published, and its deliveries are made again', async () => {
  const { id, type, subject, body } = fullEvent();
  const event = { id, type, subject, body, accountId, publishedAt: new Date(Date.now() - 1_000) };
  await db`insert into events_to_publish values (${id})`;
  await db`insert into events_to_fan_out values (${id})`;
  expect(await restoreEvent(db, event)).toBe(true);
  expect((await db`select from events where id = ${id}`).count).toBe(1);
  expect((await db`select from events_to_publish where event_id = ${id}`).count).toBe(0);
  expect((await db`select from events_to_fan_out where event_id = ${id}`).count).toBe(1);
});

test('an event that is stored already keeps its marks', async () => {
  const event = { ...fullEvent(), accountId };
  await insertEvent(db, event);
  expect(await restoreEvent(db, { ...event, publishedAt: new Date() })).toBe(false);
  expect((await db`select from events_to_publish where event_id = ${event.id}`).count).toBe(1);
  expect((await db`select from events_to_fan_out where event_id = ${event.id}`).count).toBe(1);
});

test('a composed event names the endpoint that it is for, as an appended one does', async () => {
  const outbox = createOutbox(
    { source: 'https://x.test/api/v2', docsUrl: 'https://x.test/docs' },
    systemClock,
  );
  const ping = {
    name: 'webhook.ping',
    subject: 'endpoint',
    accountId,
    data: {},
    onlyEndpointId: crypto.randomUUID(),
  } as const;
  const composed = outbox.compose(ping);
  await insertEvent(db, composed);
  const id = await db.begin((transaction) => outbox.append(transaction, ping));
  const rows = await stored([composed, { ...composed, id }]);
  expect(rows.map(({ onlyEndpointId }) => onlyEndpointId)).toEqual([
    ping.onlyEndpointId,
    ping.onlyEndpointId,
  ]);
});
