import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../../src/db/client.ts';
import { connectBus } from '../../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../../src/shared/bus/streams.ts';
import { INGEST_STREAM } from '../../../src/shared/bus/topology.ts';
import { emptyTables } from '../database/empty-tables.ts';
import { openDatabase } from '../processes/worker-context.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTestNats } from '../servers/nats.ts';
import { type IndexerOptions, type IndexerRun, startIndexer } from './chain-indexer.ts';

/** The targets of an indexer's writes. */
export interface IndexerStage {
  db: Database;
  connection: NatsConnection;
}

/** A separate database and broker, until the end of the tests. */
export async function createIndexerStage(): Promise<IndexerStage> {
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  return { db: await openDatabase(), connection };
}

/** Deletes the writes of earlier tests. The stream is created again, because the broker would drop repeated
 * trades. */
export async function clearIndexerStage({ db, connection }: IndexerStage): Promise<void> {
  await emptyTables(db, 'tokens', 'events', 'indexer_cursors', 'reverted_trades', 'unfinal_batches');
  const { streams } = await jetstreamManager(connection);
  await streams.delete(INGEST_STREAM).catch(unlessMissing);
  await ensureStreams(connection);
}

/** The first test has no stream yet. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error;
}

/** Indexes from these nodes while `work` runs. */
export async function whileIndexing(
  stage: IndexerStage,
  urls: readonly string[],
  options: IndexerOptions,
  work: (run: IndexerRun) => Promise<void>,
): Promise<void> {
  const run = startIndexer(stage, urls, options);
  try {
    await work(run);
  } finally {
    await run.stop();
  }
}
