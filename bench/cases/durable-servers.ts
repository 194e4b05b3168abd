import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { type NatsServer, startNats } from '../../sandbox/services/nats.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { finishAll } from '../measurement/finish-all.ts';
import { type BenchPostgres, startBenchPostgres } from './bench-postgres.ts';
import { scrapeMetrics, withDrainedLog } from './observation.ts';
import type { Resources } from './resources.ts';

export interface DurableServers {
  /** Temporary, removed at the end. */
  readonly folder: string;
  readonly postgres: BenchPostgres;
  readonly nats: NatsServer;
}

/**
 * Starts a migrated Postgres and a NATS server with fsync on, on new data in a temporary folder; or on a given
 * Postgres.
 */
export async function startDurableServers(resources: Resources): Promise<DurableServers> {
  const { folder, dataDir } = await createDataFolder(resources);
  const startBroker = () => startNats({ storeDir: join(folder, 'nats') });
  const [postgres, nats] = await finishAll([
    startBenchPostgres(resources, dataDir),
    resources.start(startBroker, (server) => server.stop()),
  ]);
  return { folder, postgres, nats };
}

/** A temporary folder, and the place of Postgres' data in it. */
export async function createDataFolder(resources: Resources): Promise<{ folder: string; dataDir: string }> {
  const folder = await resources.start(
    () => mkdtemp(join(tmpdir(), 'launchwire-bench-')),
    async (path) => {
      await removePostgresData(join(path, 'postgres'));
      await rm(path, { recursive: true, force: true });
    },
  );
  // Under root, Postgres runs as another account, which must pass through this folder.
  await chmod(folder, 0o711);
  return { folder, dataDir: join(folder, 'postgres') };
}

export interface BenchProcess {
  script: string;
  /** Variables of the product, beside the addresses of the servers. */
  environment: Readonly<Record<string, string>>;
  /** The runtime; Bun by default. */
  command?: string;
  /** The variable with the port on which it serves `/healthz`. If unset, it counts as ready immediately. */
  healthPort?: 'PORT' | 'METRICS_PORT';
  /** Its log goes to a reader of its own. */
  hasDrainedLog?: boolean;
  /** A process of the product: its log goes to a reader of its own, and its metrics are scraped, as in production. */
  isObserved?: boolean;
}

/** Starts a process on the servers and waits until it is healthy. */
export async function startProcess(
  resources: Resources,
  { postgres, nats, folder }: DurableServers,
  {
    script,
    environment,
    command = process.execPath,
    healthPort,
    isObserved = false,
    hasDrainedLog = isObserved,
  }: BenchProcess,
): Promise<RunningChild & { port: number; metricsPort: number }> {
  const port = await freePort();
  const metricsPort = healthPort === 'METRICS_PORT' ? port : await freePort();
  const drained = hasDrainedLog ? withDrainedLog(folder, [command, script]) : undefined;
  const [program, ...args] = drained?.command ?? [command, script];
  const start = () =>
    startChild({
      name: script,
      command: program,
      args,
      env: {
        ...process.env,
        ...(isObserved ? { METRICS_PORT: String(metricsPort) } : {}),
        ...(healthPort === undefined ? {} : { [healthPort]: String(port) }),
        DATABASE_URL: postgres.url,
        NATS_URL: nats.url,
        NODE_ENV: 'production',
        ...environment,
      },
      ...(healthPort !== undefined ? { ready: () => isHealthy(port) } : {}),
    }).catch((error: unknown) => {
      throw new Error(`${script} did not start; its log ends with\n${drained?.newestLines() ?? ''}`, {
        cause: error,
      });
    });
  const child = await resources.start(start, (started) => started.stop());
  if (isObserved && healthPort !== undefined) await scrapeMetrics(resources, metricsPort);
  return { ...child, port, metricsPort };
}

function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
