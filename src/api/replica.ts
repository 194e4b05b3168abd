import type { ConfigOf } from '../config/load.ts';
import type { Database } from '../db/client.ts';
import { connectReplica, MeasuredReplica } from '../db/replica.ts';
import { type CacheReplica, type ReadSource, readSources } from '../http/caches/replica-loads.ts';
import type { Logger } from '../shared/log.ts';
import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';

/** The replica of the api with its own background work. */
export interface ApiReplica {
  reads: CacheReplica;
  measured: MeasuredReplica;
  /** Loads by where they went. */
  counts: ReadonlyMap<ReadSource, number>;
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Connects to DATABASE_REPLICA_URL; undefined if it is unset. */
export function createApiReplica(
  config: ConfigOf<'api'>,
  primary: Database,
  log: Logger,
): ApiReplica | undefined {
  if (config.databaseReplicaUrl === undefined) return undefined;
  const database = connectReplica(config, config.databaseReplicaUrl);
  const measured = new MeasuredReplica({ primary, replica: database, log });
  const counts = new Map<ReadSource, number>(readSources.map((source) => [source, 0]));
  return {
    reads: {
      database,
      freshThroughMs: () => measured.freshThroughMs(),
      noteFailure: () => measured.noteFailure(),
      noteRead: (source) => void counts.set(source, (counts.get(source) ?? 0) + 1),
    },
    measured,
    counts,
    run: (signal) => measured.run(signal),
    close: () => database.end({ timeout: 5 }),
  };
}

/** The metrics of the replica; if there is none, their values are missing. */
export function observeReplica(metrics: ProcessMetrics, replica: ApiReplica | undefined): void {
  metrics.liveGauge(
    'launchwire_replica_usable',
    'Whether the replica serves reads that allow its age: 0 while it cannot be reached, follows another primary, or is not measured',
    () => (replica === undefined ? null : replica.measured.fault === null ? 1 : 0),
  );
  metrics.liveGauge('launchwire_replica_lag_seconds', 'Age of what the replica shows', () =>
    replica === undefined || replica.measured.fault !== null ? null : replica.measured.lagMs / 1_000,
  );
  metrics.liveGauge(
    'launchwire_replica_lag_bytes',
    'Write-ahead log that the replica had to replay when it was measured last',
    () => (replica === undefined ? null : Number(replica.measured.behindBytes)),
  );
  metrics.tallies(
    'launchwire_replica_reads_total',
    'Loads that the replica may serve by where they went: the replica, or the primary because of its lag, of a change that it may lack, or of its failure',
    ['source'],
    function* () {
      for (const [source, count] of replica?.counts ?? []) yield { labels: { source }, count };
    },
  );
}
