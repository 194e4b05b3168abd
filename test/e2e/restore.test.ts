import { beforeAll, describe, expect, test } from 'bun:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Connection, PublicKey } from '@solana/web3.js';
import type { Sql } from 'postgres';
import { freePort } from '../../sandbox/services/free-port.ts';
import { consumers, INGEST_REJECTED_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { asAdmin } from '../support/database/admin-connection.ts';
import {
  fundedWallet,
  insertIntent,
  type SignedTransfer,
  signedTransfer,
} from '../support/intents/submitted-intent.ts';
import { newAddress, tokenMessage, tradeMessage } from '../support/market/ingest-stream.ts';
import {
  allHaveStatus,
  count,
  isDrained,
  missingDeliveries,
  openDeliveries,
} from '../support/mixed-load/settled-work.ts';
import {
  startChainProcess,
  startRelayProcess,
  startWorkerProcess,
} from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { scrape } from '../support/telemetry/exposition.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../support/webhooks/webhook-relay.ts';

const LAMPORTS = 1_000_000;
const WINDOW_BLOCKS = 400;

let world: RelayWorld;
let receiver: Receiver;
let endpoint: TestEndpoint;
let chainUrl: string;
let metricsPort: number;
let transfer: SignedTransfer;
let intentId: string;
const mint = newAddress();
/** Event ids, grouped by whether the backup contains them. */
const events = {
  done: '',
  inFlight: '',
  failed: '',
  unpublished: '',
  unfanned: '',
  lost: '',
  unread: [] as string[],
};

/** The order of events: work, backup, more work, loss, restore, start. */
beforeAll(async () => {
  chainUrl = await startChainProcess();
  metricsPort = await freePort();
  world = await createRelayWorld({ SOLANA_RPC_URL: chainUrl, WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1' });
  receiver = await startReceiver({ respond: (response) => response.writeHead(204).end() });
  endpoint = await world.createEndpoint(`${receiver.origin}/hook`);
  const backup = await beforeTheBackup();
  await afterTheBackup();
  await backup.restore();
  await startWorkerProcess(world.environment);
  await startRelayProcess({ ...world.environment, METRICS_PORT: String(metricsPort) });
});

/** Starts one job of every kind and leaves it unfinished. */
async function beforeTheBackup(): Promise<DatabaseBackup> {
  const { sql } = world;
  await feed('token', 'token', tokenMessage(mint));
  for (const number of [1, 2, 3]) await feedTrade(number);
  events.done = await world.append({});
  const worker = await startWorkerProcess(world.environment);
  const relay = await startRelayProcess(world.environment);
  await eventually('the trades are there', async () => (await tradeCount()) === 3);
  await eventually('the first event is there', () => isDelivered(events.done));
  const first = await receiver.received(1, isEvent(events.done));
  expect(first.length).toBe(1);

  receiver.respond = (response) => response.writeHead(503).end();
  events.failed = await world.append({});
  await receiver.received(1, isEvent(events.failed));
  receiver.respond = () => {};
  events.inFlight = await world.append({});
  await receiver.received(1, isEvent(events.inFlight));
  await relay.kill();
  await worker.kill();

  const wallet = await fundedWallet(chainUrl);
  transfer = await signedTransfer(chainUrl, wallet, LAMPORTS);
  intentId = await insertIntent(sql, endpoint.accountId, {
    transaction: transfer.bytes,
    // The worker searches for an older transaction when its window has closed, here after about 40 s.
    lastValidBlockHeight: BigInt(
      (await new Connection(chainUrl, 'confirmed').getBlockHeight()) + WINDOW_BLOCKS,
    ),
    expiresAt: new Date(Date.now() + 300_000),
    now: new Date(),
  });
  events.unpublished = await world.append({});
  events.unfanned = await world.publish();
  return backUp(world.config.databaseUrl);
}

/** Work that the backup does not contain. */
async function afterTheBackup(): Promise<void> {
  receiver.respond = (response) => response.writeHead(204).end();
  for (const number of [4, 5, 6, 7]) await feedTrade(number);
  const worker = await startWorkerProcess(world.environment);
  const relay = await startRelayProcess(world.environment);
  events.lost = await world.append({});
  await eventually('the transfer lands', async () => hasConfirmed());
  await eventually('the trades are there', async () => (await tradeCount()) === 7);
  for (const id of [events.unfanned, events.unpublished, events.lost]) {
    await eventually(`event ${id} is there`, () => isDelivered(id));
  }
  // Its event would otherwise come while both processes stop.
  await eventually('the transfer is final', async () => {
    const { count: final } = await world.sql`
      select from intent_landings where intent_id = ${intentId} and finality = 'finalized'`;
    return final === 1;
  });
  // A delivery may arrive before the relay reads its message, which the restored database would then not
  // know.
  await eventually('every message is read', areMessagesRead);
  await Promise.all([worker.stop(), relay.stop()]);
  events.unread = [await world.publish(), await world.publish({ accountId: endpoint.accountId })];
  for (const number of [8, 9, 10, 11]) await feedTrade(number);
}

/** Publishes a trade like the chain indexer. The broker drops repeats of its id for ten minutes. */
const feedTrade = (number: number) => feed('trade', `trade-${number}`, tradeMessage(mint, number));

async function feed(kind: 'token' | 'trade', msgID: string, message: object): Promise<void> {
  await jetstream(world.connection).publish(ingestSubject(kind), JSON.stringify(message), { msgID });
}

const tradeCount = () =>
  count(world.sql`select count(*)::int as count from trades where mint_address = ${mint}`);

const hasConfirmed = () => allHaveStatus(world.sql, 'transaction_intents', [intentId], 'confirmed');

async function areMessagesRead(): Promise<boolean> {
  const { sql, connection } = world;
  const unpublished = await count(sql`select count(*)::int as count from events_to_publish`);
  const drained = [consumers.relayPublic, consumers.relayAccount].map((each) => isDrained(connection, each));
  return unpublished === 0 && (await Promise.all(drained)).every(Boolean);
}

async function isDelivered(eventId: string): Promise<boolean> {
  const rows = await world.sql`
    select from webhook_deliveries where event_id = ${eventId} and status = 'succeeded'`;
  return rows.count === 1;
}

const isEvent =
  (id: string) =>
  ({ headers }: Receiver['requests'][number]) =>
    headers['webhook-id'] === id;

const requestsFor = (id: string) => receiver.requests.filter(isEvent(id)).length;

describe('a database that is older than its broker', () => {
  test('sends every delivery that it has as open; subscribers see repeats under one webhook-id', async () => {
    const known = [events.inFlight, events.failed, events.unpublished, events.unfanned];
    for (const id of [events.done, ...known]) {
      await eventually(`event ${id} is there`, () => isDelivered(id));
    }
    expect(requestsFor(events.done)).toBe(1);
    // They were delivered before the loss, so this is the second time.
    for (const id of known) expect(requestsFor(id)).toBeGreaterThanOrEqual(2);
    expect(requestsFor(events.lost)).toBe(1);
  });

  test('parks messages of the broker about unknown events, visibly, without holding up others', async () => {
    const next = await world.append({});
    await eventually('an event after the restore is there', () => isDelivered(next));
    await eventually('every message is read', areMessagesRead);
    const { samples } = await scrape(`http://127.0.0.1:${metricsPort}`);
    expect(samples.get('launchwire_relay_poison_messages_total')).toBe(events.unread.length);
    for (const id of events.unread) expect(requestsFor(id)).toBe(0);
  });

  test('reads every fact of the stream again and counts each once, also those that the broker drops as repeats', async () => {
    // The chain indexer starts at its restored position and repeats messages that the broker has seen.
    for (const number of [4, 5, 6, 7]) await feedTrade(number);
    await feedTrade(12);
    await eventually(
      'the stream is read',
      async () => (await tradeCount()) === 12 && (await isDrained(world.connection, consumers.ingest)),
    );
    const { streams } = await jetstreamManager(world.connection);
    expect((await streams.info(INGEST_REJECTED_STREAM)).state.messages).toBe(0);
    const [day] = await world.sql`
        select sum(trade_count)::int as trades from candles where mint_address = ${mint} and interval = '1d'`;
    expect(day).toEqual({ trades: 12 });
  });

  test('finds a transaction that is on chain already, and does not repeat it', async () => {
    await eventually('it is confirmed again', hasConfirmed);
    const [intent] = await world.sql`
        select transaction_signature from transaction_intents where id = ${intentId}`;
    expect(intent).toEqual({ transactionSignature: transfer.signature });
    const chain = new Connection(chainUrl, 'confirmed');
    expect(await chain.getBalance(new PublicKey(transfer.to))).toBe(LAMPORTS);
  });

  test('comes to rest: no event or delivery is unpublished, open or missing', async () => {
    const { sql } = world;
    const open = (table: 'events_to_publish' | 'events_to_fan_out') =>
      count(sql`select count(*)::int as count from ${sql(table)}`);
    await eventually(
      'everything is done',
      async () =>
        (await open('events_to_publish')) === 0 &&
        (await open('events_to_fan_out')) === 0 &&
        (await openDeliveries(sql)) === 0 &&
        (await missingDeliveries(sql)) === 0 &&
        (await count(sql`select count(*)::int as count from intent_broadcasts`)) === 0,
    );
  });
});

/** A copy of a whole database at one moment. */
interface DatabaseBackup {
  /** Replaces the database with the copy. Every connection to it ends. */
  restore(): Promise<void>;
}

/** Copies a database on its own server, like a dump. All of its connections end. */
async function backUp(databaseUrl: string): Promise<DatabaseBackup> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const copy = `${name}_backup`;
  await asAdmin(databaseUrl, (admin) => replace(admin, copy, name));
  atEnd(() => asAdmin(databaseUrl, (admin) => admin.unsafe(`drop database if exists ${copy} with (force)`)));
  return { restore: () => asAdmin(databaseUrl, (admin) => replace(admin, name, copy)) };
}

async function replace(admin: Sql, target: string, source: string): Promise<void> {
  await admin.unsafe(`drop database if exists ${target} with (force)`);
  // A template must not be in use. The pools of the test reconnect by themselves.
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${source}`;
  await admin.unsafe(`create database ${target} template ${source} strategy file_copy`);
}
