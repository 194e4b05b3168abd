import type { StreamInfo } from '@nats-io/jetstream';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { NatsConnection } from './connect.ts';
import { lookUps } from './managers.ts';
import { findStream, streamNames } from './streams.ts';

/**
 * Gauges of the replicas of each stream.
 * @param connection null before the first connection
 */
export function observeStreams(metrics: ProcessMetrics, connection: () => NatsConnection | null): void {
  const configured = metrics.gauge(
    'launchwire_jetstream_replicas',
    'Replicas of each stream, as the broker has it configured; 0 for a stream without a leader, or none',
    ['stream'],
  );
  const current = metrics.gauge(
    'launchwire_jetstream_replicas_current',
    'Replicas of each stream that are there and up to date, its leader included',
    ['stream'],
  );
  metrics.addSource({
    name: 'jetstream-streams',
    gauges: [configured, current],
    async load() {
      const now = connection();
      if (now === null) throw new Error('not connected yet');
      const manager = await lookUps(now);
      const found = await Promise.all(
        streamNames.map(async (stream) => ({
          stream,
          info: await findStream(manager, stream).catch(() => null),
        })),
      );
      return () => {
        for (const { stream, info } of found) {
          configured.set(info?.config.num_replicas ?? 0, { stream });
          current.set(info === null ? 0 : currentReplicas(info), { stream });
        }
      };
    },
  });
}

/** The leader answers, so it is there; a single server names no replicas. */
function currentReplicas({ cluster }: StreamInfo): number {
  const others = cluster?.replicas ?? [];
  return 1 + others.filter(({ current, offline }) => current && offline !== true).length;
}
