import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { NatsConnection } from './connect.ts';
import { readConsumerLag } from './consumer-lag.ts';

/** Gauges of the lag of each durable consumer. @param connection null until the first connection */
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
