import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { bundleForNode } from './node-bundle.ts';
import { type StubNode, startStubNode } from './stub-node.ts';

export interface BenchServer {
  port: number;
  pid: number;
}

export interface BenchEnvironment {
  database: Database;
  databaseUrl: string;
  natsUrl: string;
  node: StubNode;
  /** Temporary, removed on close. */
  folder: string;
  /** Starts the product's api process. */
  startApi(environment?: Record<string, string>): Promise<BenchServer>;
  /** Starts a bench server (`bench/servers/<file>`) with PORT and extra variables. */
  startServer(file: string, environment?: Record<string, string>): Promise<BenchServer>;
  /** The same on Node, bundled for it. */
  startNodeServer(file: string, environment?: Record<string, string>): Promise<BenchServer>;
  /** Starts any script of the project that serves `/healthz` on PORT or METRICS_PORT, with the variables of the api. */
  start(script: string, environment?: Record<string, string>): Promise<BenchServer>;
  close(): Promise<void>;
}

/** Everything under `limit` so that the limiter works but never refuses. */
const GENEROUS_LIMITS = JSON.stringify(
  Object.fromEntries(
    Object.keys(ratePolicies).map((name) => [name, { limit: 100_000_000, windowSeconds: 60 }]),
  ),
);

/**
 * Fresh, durable (fsync on) Postgres and NATS in a temporary folder, a stub chain node in this process, and servers as
 * processes of their own. With `BENCH_PROFILE=<folder>` the product's processes write CPU profiles there.
 */
export async function createBenchEnvironment(): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-bench-'));
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir });
  const nats = await startNats({ storeDir: join(folder, 'nats') });
  await migrate(postgres.url);
  const database = connectDatabase(postgres.url, { applicationName: 'bench', connections: 4 });
  const node = startStubNode();
  const stops: (() => Promise<unknown>)[] = [];

  const launch = async (
    command: string,
    script: string,
    environment: Record<string, string>,
  ): Promise<BenchServer> => {
    const port = await freePort();
    const child = await startChild({
      name: script,
      command,
      args: [script],
      env: {
        ...process.env,
        PORT: String(port),
        METRICS_PORT: String(port),
        DATABASE_URL: postgres.url,
        NATS_URL: nats.url,
        SOLANA_RPC_URL: node.url,
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        RATE_LIMITS: GENEROUS_LIMITS,
        LOG_LEVEL: 'silent',
        NODE_ENV: 'production',
        ...environment,
      },
      ready: () => isHealthy(port),
    });
    stops.push(() => child.stop());
    return { port, pid: child.pid };
  };
  const start = (script: string, environment: Record<string, string> = {}) =>
    launch(process.execPath, script, environment);

  return {
    database,
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    node,
    folder,
    start,
    startApi: async (environment = {}) =>
      start('src/server.ts', { ...(await profilerVariables()), ...environment }),
    startServer: (file, environment) => start(`bench/servers/${file}`, environment),
    startNodeServer: async (file, environment = {}) =>
      launch('node', await bundleForNode(`bench/servers/${file}`), environment),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await database.end();
      await nats.stop();
      await postgres.stop();
      await node.close();
      await removePostgresData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function profilerVariables(): Promise<Record<string, string>> {
  const folder = process.env.BENCH_PROFILE;
  if (folder === undefined) return {};
  await mkdir(folder, { recursive: true });
  return { BUN_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}
