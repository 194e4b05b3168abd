import { join } from 'node:path';
import { probe } from '../processes/readiness.ts';
import { stages } from '../processes/supervisor.ts';
import { freePort } from '../services/free-port.ts';
import type { ClusterContext } from './context.ts';
import { startServer } from './server-child.ts';

export const ETCD = 'etcd';

/**
 * Starts the store in which Patroni records the primary. It is one node: while it is down nobody is promoted, and
 * nothing else stops.
 */
export async function startEtcd({ supervisor, folder, executables, links }: ClusterContext): Promise<void> {
  const port = await links.portOf(ETCD, 'etcd');
  const peerPort = await freePort();
  await supervisor.start(ETCD, stages.database, () =>
    startServer(folder, {
      name: ETCD,
      command: executables.etcd,
      args: etcdArguments(join(folder.root, 'etcd'), port, peerPort),
      ready: probe(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok),
    }),
  );
}

export function etcdArguments(dataDir: string, port: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    name: ETCD,
    'data-dir': dataDir,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `${ETCD}=${peer}`,
    logger: 'zap',
    'log-level': 'warn',
    'auto-compaction-mode': 'revision',
    'auto-compaction-retention': '1000',
  };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
}
