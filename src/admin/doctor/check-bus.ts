import { type JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { AdminConfig } from '../../config/load.ts';
import { connectBus } from '../../shared/bus/connect.ts';
import { refusedSubject } from '../../shared/bus/failure.ts';
import { busReason } from '../../shared/bus/readiness.ts';
import { INGEST_STREAM } from '../../shared/bus/topology.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

/** nats-server's error code for a missing stream. */
const STREAM_NOT_FOUND = 10_059;

/** Checks that NATS responds, has JetStream, and has the worker's streams. */
export async function checkBus(config: AdminConfig): Promise<Finding> {
  const { natsUrl } = config;
  if (natsUrl === undefined) return skipped('nats', 'needs NATS_URL');
  try {
    const connection = await connectBus({ ...config, natsUrl }, 'launchwire-admin');
    try {
      const manager = await jetstreamManager(connection);
      const { state } = await manager.streams.info(INGEST_STREAM);
      const version = connection.info?.version ?? 'of unknown version';
      return ok(
        'nats',
        `nats-server ${version} with JetStream; ${INGEST_STREAM} holds ${state.messages} messages`,
      );
    } finally {
      await connection.close();
    }
  } catch (error) {
    if ((error as Partial<JetStreamApiError>).code === STREAM_NOT_FOUND)
      return failed('nats', `there is no stream ${INGEST_STREAM}: start a worker, which creates it`);
    const subject = refusedSubject(error);
    if (subject !== null) return failed('nats', `NATS_URL: its user may not ${subject}`);
    return failed('nats', `NATS_URL: ${busReason(error) ?? causeOf(error)}`);
  }
}
