import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { consumers } from '../../shared/bus/topology.ts';

/** Up to which sequence of the ingest stream every message is acknowledged, whichever worker had it. */
export async function acknowledgedThrough(connection: NatsConnection): Promise<number> {
  const { stream, name } = consumers.ingest;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  return (await manager.consumers.info(stream, name)).ack_floor.stream_seq;
}
