import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from './connect.ts';
import { readConsumer } from './streams.ts';
import { type ConsumerDefinition, consumers } from './topology.ts';

export interface ConsumerLag {
  name: string;
  /** Messages that no worker has taken yet. */
  pending: number;
  /** Messages that a worker has taken, or that wait for another try. */
  unacknowledged: number;
}

const TIMEOUT_MS = 1_500;

/** Reads the lag of each durable consumer. Rejects when one does not exist or the broker does not respond. */
export async function readConsumerLag(connection: NatsConnection): Promise<ConsumerLag[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: TIMEOUT_MS });
  const definitions: readonly ConsumerDefinition[] = Object.values(consumers);
  return Promise.all(
    definitions.map(async (definition) => {
      const info = await readConsumer(manager, definition);
      return { name: definition.name, pending: info.num_pending, unacknowledged: info.num_ack_pending };
    }),
  );
}
