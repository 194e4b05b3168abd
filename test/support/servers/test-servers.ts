import { join } from 'node:path';
import type { Log } from '../../../sandbox/services/log.ts';
import { startNats } from '../../../sandbox/services/nats.ts';
import { startPostgres } from '../../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../../sandbox/services/postgres-location.ts';
import { startRedis } from '../../../sandbox/services/redis.ts';
import type { ServerKind, TestServer } from './test-server.ts';

/** Starts a server that forgets everything when it stops: a container of its own with TEST_CONTAINERS=1, otherwise
 * the sandbox's server with its files in `folder`, which need not exist. */
export async function startTestServer(kind: ServerKind, folder: string, log: Log): Promise<TestServer> {
  if (process.env.TEST_CONTAINERS === '1') {
    // Loading the library takes a second, so runs without containers skip it.
    const { startContainer } = await import('./container-servers.ts');
    return startContainer(kind, log);
  }
  return localServers[kind](folder, log);
}

/** Automatic vacuum would lock tables at random times. */
const settings = ['autovacuum=off'];

const localServers: Readonly<Record<ServerKind, (folder: string, log: Log) => Promise<TestServer>>> = {
  async DATABASE(folder, log) {
    const dataDir = join(folder, 'data');
    const server = await startPostgres({ dataDir, durable: false, settings, log });
    const stop = async () => {
      await server.stop();
      await removePostgresData(dataDir);
    };
    return { url: server.url, stop };
  },
  NATS: (folder, log) => startNats({ storeDir: folder, durable: false, log }),
  REDIS: (folder, log) => startRedis({ dir: folder, log }),
};
