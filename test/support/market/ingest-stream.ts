import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Keypair } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import { toDistribution } from '../../../src/features/fees/record.ts';
import { createOrderMoves } from '../../../src/features/orders/move-orders.ts';
import { recordMovements } from '../../../src/features/presales/record-movements.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { FollowedSubjects } from '../../../src/indexer/followed/followed-subjects.ts';
import type { IngestDependencies } from '../../../src/indexer/ingest/dependencies.ts';
import { runIngest } from '../../../src/indexer/ingest/run-ingest.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { connectBus } from '../../../src/shared/bus/connect.ts';
import { readConsumer } from '../../../src/shared/bus/durable-consumers.ts';
import { ensureStreams } from '../../../src/shared/bus/streams.ts';
import {
  consumers,
  INGEST_REJECTED_STREAM,
  INGEST_STREAM,
  type IngestKind,
  ingestSubject,
} from '../../../src/shared/bus/topology.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { emptyTables } from '../database/empty-tables.ts';
import { asWorker, openDatabase, silentLog } from '../processes/worker-context.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { createTestNats, type TestNats } from '../servers/nats.ts';
import { signatureOf } from './market-arbitraries.ts';

/** Ends a hang. */
const PUBLISH_TIMEOUT_MS = 30_000;
/** A stopping broker never acknowledges a message, so the publish is repeated soon. */
const TRY_TIMEOUT_MS = 500;

const SHORT_PAUSES_MS = [50, 100];

/** A rejected message with its headers. */
export interface Rejection {
  reason: string | undefined;
  detail: string | undefined;
  subject: string | undefined;
  payload: string;
}

/** The ingest stream of a test file, with its own broker and database, and workers on demand. */
export interface IngestStream {
  nats: TestNats;
  connection: NatsConnection;
  db: Database;
  context: IngestDependencies;
  /** Mints whose caches got a hint to drop, in order. */
  changed: string[];
  /** Empties stream, rejections and tables. */
  reset(): Promise<void>;
  feed(kind: IngestKind, message: unknown): Promise<void>;
  /** Publishes at least once, and repeats until the broker is back. */
  feedPersistently(kind: IngestKind, message: unknown): Promise<void>;
  /** Runs `count` workers until `work` is done. Impatient ones soon reject messages that wait for another
   * one. */
  withWorkers(count: number, work: () => Promise<unknown>, patience?: 'impatient'): Promise<void>;
  /** Runs workers until every message is acknowledged. */
  settle(workers?: number, patience?: 'impatient'): Promise<void>;
  /** Whether every message is acknowledged; false while no worker has created the consumer, or the broker is away. */
  isSettled(): Promise<boolean>;
  rejections(): Promise<Rejection[]>;
}

export async function openIngestStream(): Promise<IngestStream> {
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  const db = await openDatabase();
  const changed: string[] = [];
  const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };
  const outbox = createOutbox(origin, systemClock);
  const context: IngestDependencies = {
    db: asWorker(db),
    clock: systemClock,
    outbox,
    upsertToken,
    findReportedPool: () => Promise.resolve(null),
    describeFeeDistribution: toDistribution,
    recordMovements,
    onTokensChanged: (mints) => changed.push(...mints),
    followed: new FollowedSubjects(),
    onTradesQueued: () => {},
    orders: createOrderMoves({ outbox, clock: systemClock }),
    onOrdersTriggered: () => {},
    onStakingChanged: (mints) => changed.push(...mints),
    onPresalesChanged: (ids) => changed.push(...ids),
  };
  const publish = async (kind: IngestKind, message: unknown, timeout: number) => {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    await jetstream(connection).publish(ingestSubject(kind), payload, { timeout });
  };
  const stream: IngestStream = {
    nats,
    connection,
    db,
    context,
    changed,
    async reset() {
      changed.length = 0;
      await emptyTables(db, 'tokens', 'events', 'reverted_trades');
      await ensureStreams(connection);
      const { streams } = await jetstreamManager(connection);
      await Promise.all([INGEST_STREAM, INGEST_REJECTED_STREAM].map((stream) => streams.purge(stream)));
    },
    feed: (kind, message) => publish(kind, message, PUBLISH_TIMEOUT_MS),
    async feedPersistently(kind, message) {
      await eventually('the broker takes it', () =>
        publish(kind, message, TRY_TIMEOUT_MS).then(
          () => true,
          () => false,
        ),
      );
    },
    async withWorkers(count, work, patience) {
      const stop = new AbortController();
      const workers = Array.from({ length: count }, () =>
        runIngest({
          connection,
          dependencies: context,
          log: silentLog,
          signal: stop.signal,
          ...(patience === 'impatient' ? { retryDelaysMs: SHORT_PAUSES_MS } : {}),
        }),
      );
      try {
        await work();
      } finally {
        stop.abort();
        await Promise.all(workers);
      }
    },
    settle: (workers = 1, patience) =>
      stream.withWorkers(workers, () => eventually('settled', () => stream.isSettled()), patience),
    async isSettled() {
      const manager = await jetstreamManager(connection);
      const [stored, info] = await Promise.all([
        manager.streams.info(INGEST_STREAM).catch(() => null),
        readConsumer(manager, consumers.ingest).catch(() => null),
      ]);
      if (stored === null || info === null || info.num_pending > 0 || info.num_ack_pending > 0) return false;
      // A consumer may hear of a message after its publisher.
      return info.delivered.stream_seq >= stored.state.last_seq;
    },
    rejections: () => readRejections(connection),
  };
  return stream;
}

async function readRejections(connection: NatsConnection): Promise<Rejection[]> {
  const { streams } = await jetstreamManager(connection);
  const { state } = await streams.info(INGEST_REJECTED_STREAM);
  const found: Rejection[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(INGEST_REJECTED_STREAM, { seq });
    if (message === null) continue;
    const { header } = message;
    found.push({
      reason: header.get('Launchwire-Reason'),
      detail: header.get('Launchwire-Detail'),
      subject: header.get('Launchwire-Subject'),
      payload: message.string(),
    });
  }
  return found;
}

/** A fresh base58 address. */
export const newAddress = () => Keypair.generate().publicKey.toBase58();

/** `ingest.token`. */
export function tokenMessage(mintAddress: string, changes: Record<string, unknown> = {}) {
  const creatorWallet = mintAddress;
  return {
    mintAddress,
    creatorWallet,
    name: 'Wire',
    symbol: 'WIRE',
    decimals: 6,
    totalSupply: '1000',
    launchType: 'dbc',
    status: 'bonding',
    ...changes,
  };
}

/** `ingest.trade`: 1.5 SOL for 3 tokens in slot 100 + number, one second a number. */
export function tradeMessage(mintAddress: string, number: number, changes: Record<string, unknown> = {}) {
  return {
    mintAddress,
    type: 'buy',
    traderWallet: mintAddress,
    solAmount: '1.5',
    tokenAmount: '3',
    slot: String(100 + number),
    outerIndex: 0,
    innerIndex: 0,
    blockTime: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
    transactionSignature: signatureOf(number),
    ...changes,
  };
}
