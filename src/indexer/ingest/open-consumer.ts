import type { Consumer, ConsumerInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../db/client.ts';
import { consumerOf, ensureConsumer, findConsumer } from '../../shared/bus/durable-consumers.ts';
import { lookUps } from '../../shared/bus/managers.ts';
import { ensureStreams } from '../../shared/bus/streams.ts';
import { consumers, INGEST_STREAM } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import {
  type IngestPosition,
  type PositionOwner,
  readIngestPosition,
  recordIngestPosition,
  renewIngestEpoch,
} from '../store/ingest-position.ts';

/** The stream keeps a message for this time. The position of a consumer unused for longer does not matter. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * A position is recorded every second while messages are acknowledged. The rest covers the difference between
 * the clocks of broker and database.
 */
const RECORDED_WITHIN_MS = 10_000;

export interface OpenedConsumer {
  consumer: Consumer;
  name: string;
  owner: PositionOwner;
  /** When the position was last recorded. */
  recordedAt: Date | null;
}

/** The consumer that this process had a moment ago. */
export interface ConsumerBefore {
  epoch: string;
  /** The process has found that the database is an earlier state of itself. */
  wentBack: boolean;
}

export interface OpenConsumerDependencies {
  connection: NatsConnection;
  db: Database;
  log: Logger;
}

/**
 * The consumer of this database. It is created when the broker does not have it. It belongs to one history of
 * the database and begins after the position in that database, so that messages which a database has lost are
 * read again (decisions/0048).
 *
 * @param before null in a process that has just started.
 */
export async function openConsumer(
  dependencies: OpenConsumerDependencies,
  before: ConsumerBefore | null,
): Promise<OpenedConsumer> {
  const { connection, db, log } = dependencies;
  await ensureStreams(connection, { only: [INGEST_STREAM] });
  const manager = await lookUps(connection);
  for (;;) {
    const position = await readIngestPosition(db);
    const { epoch, generation } = position;
    const { created: stream, state } = await manager.streams.info(INGEST_STREAM);
    const definition = { ...consumers.ingest, name: `${consumers.ingest.name}-${epoch}` };
    const owner = { epoch, generation, stream };
    const known = await findConsumer(manager, definition);
    if (known === null) {
      const through = endOfPosition(position, { stream, last: BigInt(state.last_seq) });
      const startSequence = Number(through) + 1;
      const consumer = await ensureConsumer(connection, definition, { startSequence, unusedMs: UNUSED_MS });
      const recordedAt = await recordIngestPosition(db, owner, { through, since: position.recordedAt });
      log.info({ epoch, startSequence }, 'ingest.consumer_made');
      return { consumer, name: definition.name, owner, recordedAt };
    }
    const wentBack = before?.epoch === epoch ? before.wentBack : isAhead(known, position, stream);
    if (!wentBack) {
      const consumer = consumerOf(connection, known);
      return { consumer, name: known.name, owner, recordedAt: position.recordedAt };
    }
    log.warn({ epoch, through: position.through.toString() }, 'ingest.database_went_back');
    await renewIngestEpoch(db, generation);
  }
}

/** The sequence number after which a new consumer begins. 0 before the first message. */
function endOfPosition(position: IngestPosition, now: { stream: string; last: bigint }): bigint {
  return position.stream === now.stream && position.through <= now.last ? position.through : 0n;
}

/**
 * Whether the consumer has settled messages that the database does not record as settled. The database is
 * then an earlier state of itself with the same history name, for example a restored disk image. A position
 * that is only some seconds old proves nothing: its worker was killed, or another worker is about to record
 * it.
 */
function isAhead({ ack_floor: floor }: ConsumerInfo, position: IngestPosition, stream: string): boolean {
  const through = position.stream === stream ? position.through : 0n;
  if (BigInt(floor.stream_seq) <= through) return false;
  // The server sends a text, although the client's types say number. It is missing after a restart of the
  // server.
  const settledAtMs = Date.parse(String(floor.last_active ?? ''));
  const recordedAtMs = position.recordedAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return Number.isNaN(settledAtMs) || settledAtMs > recordedAtMs + RECORDED_WITHIN_MS;
}
