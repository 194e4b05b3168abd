import { join } from 'node:path';
import { type NatsCluster, startNatsCluster } from '../../../sandbox/services/nats-cluster.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';

/** Starts three nats-servers that form one JetStream cluster, for one test file. */
export async function createTestCluster(): Promise<NatsCluster> {
  const cluster = await startNatsCluster({ dir: join(createTempDir('cluster'), 'nodes'), durable: false });
  atEnd(() => cluster.stop());
  return cluster;
}
