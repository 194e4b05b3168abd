import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningChild, startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { connectSubscribers, type Subscribers } from './subscribers.ts';

/** The parts that carry events and facts, as real processes on durable stores, and their subscribers. */
export interface Rig {
  sql: Database;
  connection: NatsConnection;
  subscribers: Subscribers;
  secretKey: string;
  /** Process ids, for CPU time and memory. */
  pids: { worker?: number; relay?: number; postgres: number };
  /** Starts another product process with the rig's configuration. */
  start(entry: string, extra?: Record<string, string>): Promise<{ pid: number; port: number }>;
  close(): Promise<void>;
}

export interface RigOptions {
  worker?: boolean;
  relay?: boolean;
  /** Extra configuration of every product process. */
  environment?: Record<string, string>;
}

const BENCH_CONNECTIONS = 8;

export async function startRig({
  worker = true,
  relay = true,
  environment = {},
}: RigOptions = {}): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-bench-'));
  // Postgres passes through here under another account when we are root.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'postgres');
  const postgres = await startPostgres({ dataDir });
  const nats = await startNats({ storeDir: join(folder, 'nats') });
  await migrate(postgres.url);
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const children: RunningChild[] = [];
  const start = async (entry: string, extra: Record<string, string> = {}, isServer = false) => {
    const port = await freePort();
    const child = await startChild({
      name: entry,
      command: process.execPath,
      args: [entry],
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: postgres.url,
        NATS_URL: nats.url,
        SOLANA_RPC_URL: 'http://127.0.0.1:9',
        SECRET_KEY: secretKey,
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOW_HTTP: 'true',
        LOG_LEVEL: 'fatal',
        NODE_ENV: 'production',
        ...environment,
        ...extra,
      },
      ...(isServer ? { ready: () => answersHealth(port) } : {}),
    });
    children.push(child);
    return { pid: child.pid, port };
  };
  const connection = await connectBus(nats.url, 'bench');
  await ensureStreams(connection);
  const sql = connectDatabase(postgres.url, { applicationName: 'bench', connections: BENCH_CONNECTIONS });
  const receiver = await start('bench/pipeline/subscriber-process.ts', {}, true);
  const pids: Rig['pids'] = { postgres: postgres.pid };
  if (worker) pids.worker = (await start('src/worker.ts')).pid;
  if (relay) pids.relay = (await start('relay/main.ts')).pid;
  return {
    sql,
    connection,
    subscribers: await connectSubscribers(receiver.port),
    secretKey,
    pids,
    start: (entry, extra) => start(entry, extra, entry === 'src/server.ts'),
    async close() {
      await Promise.all(children.map((child) => child.stop()));
      await connection.close();
      await sql.end({ timeout: 1 });
      await nats.stop();
      await postgres.stop();
      await removePostgresData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answersHealth(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
