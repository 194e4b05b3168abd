import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';

export interface BenchServer {
  port: number;
  pid: number;
}

export interface BenchEnvironment {
  database: Database;
  /** Starts the product's api process. */
  startApi(): Promise<BenchServer>;
  /** Starts a bench server (`bench/servers/<file>`) with PORT and extra variables. */
  startServer(file: string, environment?: Record<string, string>): Promise<BenchServer>;
  close(): Promise<void>;
}

/** Everything under `limit` so that the limiter works but never refuses. */
const GENEROUS_LIMITS = JSON.stringify(
  Object.fromEntries(
    [
      'public-read-cheap',
      'public-read-expensive',
      'api-key-read',
      'operation-read',
      'transaction-submit',
    ].map((name) => [name, { limit: 100_000_000, windowSeconds: 60 }]),
  ),
);

/** Fresh, durable (fsync on) Postgres and NATS in a temporary folder, and servers as processes of their own. */
export async function createBenchEnvironment(): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-bench-'));
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir });
  const nats = await startNats({ storeDir: join(folder, 'nats') });
  await migrate(postgres.url);
  const database = connectDatabase(postgres.url, { applicationName: 'bench', connections: 4 });
  const stops: (() => Promise<unknown>)[] = [];
  const start = async (script: string, environment: Record<string, string>): Promise<BenchServer> => {
    const port = await freePort();
    const child = await startChild({
      name: script,
      command: process.execPath,
      args: [script],
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: postgres.url,
        NATS_URL: nats.url,
        SOLANA_RPC_URL: 'http://127.0.0.1:9',
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        RATE_LIMITS: GENEROUS_LIMITS,
        LOG_LEVEL: 'silent',
        NODE_ENV: 'production',
        ...environment,
      },
      ready: () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
    });
    stops.push(() => child.stop());
    return { port, pid: child.pid };
  };
  return {
    database,
    startApi: () => start('src/server.ts', {}),
    startServer: (file, environment = {}) => start(`bench/servers/${file}`, environment),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await database.end();
      await nats.stop();
      await postgres.stop();
      await removePostgresData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
