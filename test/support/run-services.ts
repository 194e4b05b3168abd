import { join } from 'node:path';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { startRedis } from '../../sandbox/services/redis.ts';

export interface RunServices {
  /** Variables that tell the tests where the servers are. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the servers that a whole test run shares, each in its folder under `folder`, except those that the
 * environment names already. When one fails, those that did start are stopped again. */
export async function startRunServices(folder: string, log: (line: string) => void): Promise<RunServices> {
  const postgresDir = join(folder, 'postgres');
  const parts = [
    service('DATABASE_URL', async () => {
      const server = await startPostgres({ dataDir: postgresDir, durable: false, log });
      const stop = async () => {
        await server.stop();
        await removePostgresData(postgresDir);
      };
      return { url: server.url, stop };
    }),
    service('NATS_URL', () => startNats({ storeDir: join(folder, 'nats'), durable: false, log })),
    service('REDIS_URL', () => startRedis({ dir: join(folder, 'redis'), log })),
  ];
  const results = await Promise.allSettled(parts);
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async () => void (await Promise.all(started.map((part) => part.stop())));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  const environment = Object.fromEntries(started.map((part) => [`TEST_${part.variable}`, part.url]));
  const rpcUrl = process.env.SOLANA_RPC_URL;
  return { environment: rpcUrl ? { ...environment, TEST_SOLANA_RPC_URL: rpcUrl } : environment, stop };
}

async function service(variable: string, start: () => Promise<Started>) {
  const given = process.env[variable];
  const part = given ? { url: given, stop: async () => {} } : await start();
  return { variable, url: part.url, stop: () => part.stop() };
}
