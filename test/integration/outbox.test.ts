import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { outboxPublisher } from '../../src/outbox/outbox-publisher.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { NotStored } from '../../src/shared/bus/publish.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import {
  accountEventsAdded,
  EVENT_STREAM,
  eventSubject,
  hints,
  type SentHint,
} from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { openDatabase, silentLog, startDueWork } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats, type TestNats } from '../support/servers/nats.ts';

const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };
const outbox = createOutbox(origin, systemClock);
let nats: TestNats;
let connection: NatsConnection;
let db: Database;
let accountId: string;

beforeAll(async () => {
  nats = await createTestNats();
  connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  db = await openDatabase();
  accountId = await insertAccount(db);
});
beforeEach(async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  await ensureStreams(connection);
  await (await jetstreamManager(connection)).streams.purge(EVENT_STREAM);
});

async function addEvents(count: number): Promise<string[]> {
  return db.begin(async (transaction) => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const event =
        at % 2 === 0
          ? ({ name: 'launch.created', accountId: null } as const)
          : ({ name: 'operation.succeeded', accountId } as const);
      ids.push(await outbox.append(transaction, { ...event, subject: `subject-${at}`, data: { at } }));
    }
    return ids;
  });
}

async function streamed() {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(EVENT_STREAM);
  const messages = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(EVENT_STREAM, { seq });
    if (message !== null) messages.push(message);
  }
  return messages;
}

async function unpublished(): Promise<number> {
  const [row] = await db`select count(*)::int as count from events_to_publish`;
  return row?.count;
}

/** Runs publishers in the background until `work` is done. */
async function withPublishers(count: number, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const dueWork = startDueWork(db, stop.signal);
  const options = { db, connection, log: silentLog };
  const publishers = Array.from({ length: count }, () =>
    runTestJob(outboxPublisher(options), { connection, dueWork, signal: stop.signal }),
  );
  try {
    await work();
  } finally {
    stop.abort();
    await Promise.all(publishers);
  }
}

test('every committed event is in the stream once: its stored bytes, its id, its audience’s subject', async () => {
  const ids = await addEvents(20);
  const { published, failure } = await publishBatch(db, connection, 100);
  expect({ published, failure }).toEqual({ published: 20, failure: null });
  const messages = await streamed();
  expect(messages.map((message) => message.header.get('Nats-Msg-Id')).sort()).toEqual(ids.sort());
  for (const message of messages) {
    const id = message.header.get('Nats-Msg-Id');
    const [row] = await db`select body, account_id from events where id = ${id}`;
    expect(message.string()).toBe(row?.body);
    expect(message.subject).toBe(eventSubject(row?.accountId));
  }
});

test('an event of a transaction that did not commit is never sent', async () => {
  const rollback = db.begin(async (transaction) => {
    await outbox.append(transaction, { name: 'launch.created', accountId: null, subject: 's', data: {} });
    throw new Error('rolled back');
  });
  await expect(rollback).rejects.toThrow('rolled back');
  expect((await publishBatch(db, connection, 100)).published).toBe(0);
});

test('oldest first, in batches', async () => {
  const ids = await addEvents(10);
  await publishBatch(db, connection, 4);
  const sent = (await streamed()).map((message) => message.header.get('Nats-Msg-Id'));
  expect(sent.sort()).toEqual(ids.slice(0, 4).sort());
});

test('rows whose event was deleted are dropped, and keep no batch from the events behind them', async () => {
  const deleted = await addEvents(5);
  await db`delete from events where id = any(${deleted}::uuid[])`;
  const [left = ''] = await addEvents(1);
  expect(await publishBatch(db, connection, 5)).toMatchObject({ published: 0, isFull: true, failure: null });
  expect(await unpublished()).toBe(1);
  expect(await publishBatch(db, connection, 5)).toMatchObject({ published: 1, isFull: false });
  expect((await streamed()).map((message) => message.header.get('Nats-Msg-Id'))).toEqual([left]);
});

test('a publisher that finds only rows without an event publishes what is behind them at once', async () => {
  const deleted = await addEvents(300);
  await db`delete from events where id = any(${deleted}::uuid[])`;
  await addEvents(1);
  await withPublishers(1, () =>
    eventually('drained', async () => (await unpublished()) === 0).then(() => {}),
  );
  expect(await streamed()).toHaveLength(1);
});

test('an event that is being recorded is neither published nor taken for a deleted one', async () => {
  const recording = db.begin(async (transaction) => {
    await outbox.append(transaction, { name: 'launch.created', accountId: null, subject: 's', data: {} });
    expect(await publishBatch(db, connection, 100)).toMatchObject({ published: 0, isFull: false });
  });
  await recording;
  expect((await publishBatch(db, connection, 100)).published).toBe(1);
});

test('an acknowledgement without a sequence number, as nats-server 2.10 gives to a repetition, marks no event', async () => {
  await addEvents(1);
  await (await jetstreamManager(connection)).streams.delete(EVENT_STREAM);
  const leader = connection.subscribe('events.>', {
    callback: (_error, message) => void message.respond('{"stream":"EVENTS","seq":0,"duplicate":true}'),
  });
  const { published, failure } = await publishBatch(db, connection, 100);
  leader.unsubscribe();
  expect({ published, isRefused: failure instanceof NotStored }).toEqual({ published: 0, isRefused: true });
  await ensureStreams(connection);
  expect((await publishBatch(db, connection, 100)).published).toBe(1);
});

test('several workers at once publish and mark every event exactly once', async () => {
  await addEvents(300);
  await withPublishers(4, () =>
    eventually('drained', async () => (await unpublished()) === 0).then(() => {}),
  );
  expect(await streamed()).toHaveLength(300);
});

test('a hint makes the publisher query immediately', async () => {
  await withPublishers(1, async () => {
    await addEvents(1);
    connection.publish(hints.outbox);
    await eventually('published', async () => (await unpublished()) === 0);
  });
});

test('nothing is lost while NATS is down, and nothing is marked before its acknowledgement', async () => {
  await withPublishers(2, async () => {
    await nats.kill();
    await addEvents(50);
    expect(await unpublished()).toBe(50);
    await nats.restart();
    await eventually('drained', async () => (await unpublished()) === 0);
  });
  expect(await streamed()).toHaveLength(50);
});

test('a broker that lost its streams gets them again', async () => {
  await withPublishers(1, async () => {
    await (await jetstreamManager(connection)).streams.delete(EVENT_STREAM);
    await addEvents(5);
    await eventually('drained', async () => (await unpublished()) === 0);
  });
  expect(await streamed()).toHaveLength(5);
});

test('an event that a killed worker published but did not mark reaches the broker twice and is kept once', async () => {
  await addEvents(3);
  await publishBatch(db, connection, 100);
  await db`insert into events_to_publish select id from events`;
  await publishBatch(db, connection, 100);
  expect(await unpublished()).toBe(0);
  expect(await streamed()).toHaveLength(3);
});

test('the api learns from one hint for each batch which operations changed, before and without the broker', async () => {
  const heard: string[] = [];
  const subscription = connection.subscribe(hints.statusChanged, {
    callback: (_error, message) => {
      heard.push(message.string());
    },
  });
  await connection.flush();
  await addEvents(4);
  await (await jetstreamManager(connection)).streams.delete(EVENT_STREAM);
  await publishBatch(db, connection, 100);
  await connection.flush();
  subscription.unsubscribe();
  expect(heard).toEqual(['subject-1,subject-3']);
});

test('an event is hinted at once its transaction has committed, once for many, and never when it does not commit', async () => {
  const sent: SentHint[] = [];
  const hinting = createOutbox(origin, systemClock, { sendHint: (hint) => void sent.push(hint) });
  const launched = { name: 'launch.created', subject: 'mint', accountId: null, data: {} } as const;
  const ended = { name: 'operation.succeeded', subject: 'operation', accountId, data: {} } as const;
  await db.begin(async (transaction) => {
    await hinting.append(transaction, launched);
    await hinting.append(transaction, launched);
    expect(sent).toEqual([]);
  });
  expect(sent).toEqual([hints.outbox]);
  await db.begin('isolation level repeatable read', (transaction) => hinting.append(transaction, ended));
  expect(sent).toEqual([hints.outbox, accountEventsAdded]);
  const rolledBack = db.begin(async (transaction) => {
    await hinting.append(transaction, launched);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  const cut = db.begin(async (transaction) => {
    await hinting.append(transaction, launched);
    await db`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`;
    await transaction`select 1`;
  });
  await expect(cut).rejects.toThrow();
  expect(sent.length).toBe(2);
});
