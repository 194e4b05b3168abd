import { jetstreamManager } from '@nats-io/jetstream';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { NatsConnection } from './connect.ts';
import { readConsumer } from './durable-consumers.ts';
import { type ConsumerDefinition, consumers } from './topology.ts';

const TIMEOUT_MS = 1_500;

interface ConsumerLag {
  name: string;
  /** Messages that no worker has taken yet. */
  pending: number;
  /** Messages that a worker has taken, or that wait for another try. */
  unacknowledged: number;
}

/**
 * Gauges of the lag of each durable consumer.
 * @param connection null before the first connection
 */
export function observeConsumers(metrics: ProcessMetrics, connection: () => NatsConnection | null): void {
  const pending = metrics.gauge(
    'launchwire_jetstream_pending',
    'Messages that no worker has taken yet, by consumer',
    ['consumer'],
  );
  const unacknowledged = metrics.gauge(
    'launchwire_jetstream_unacknowledged',
    'Messages that are being processed or wait for another try, by consumer',
    ['consumer'],
  );
  metrics.addSource({
    name: 'jetstream',
    gauges: [pending, unacknowledged],
    async load() {
      const current = connection();
      if (current === null) throw new Error('not connected yet');
      const lags = await readConsumerLag(current);
      return () => {
        for (const lag of lags) {
          pending.set(lag.pending, { consumer: lag.name });
          unacknowledged.set(lag.unacknowledged, { consumer: lag.name });
        }
      };
    },
  });
}

/** Reads the lag of each durable consumer. Rejects when one does not exist or the broker does not respond. */
async function readConsumerLag(connection: NatsConnection): Promise<ConsumerLag[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: TIMEOUT_MS });
  const definitions: readonly ConsumerDefinition[] = Object.values(consumers);
  return Promise.all(
    definitions.map(async (definition) => {
      const info = await readConsumer(manager, definition);
      return { name: definition.name, pending: info.num_pending, unacknowledged: info.num_ack_pending };
    }),
  );
}
