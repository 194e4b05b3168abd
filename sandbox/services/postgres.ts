import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningChild, startChild } from './child-process.ts';
import { runCommand } from './command.ts';
import { freePort } from './free-port.ts';
import { elapsed, type Log, silent } from './log.ts';
import { stopOrphan } from './orphan-process.ts';
import { type PostgresAccount, postgresAccount } from './postgres-account.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import {
  createLocation,
  type PostgresLocation,
  readLocation,
  removePostgresData,
} from './postgres-location.ts';

export interface PostgresOptions {
  /** Not shared with another server; created when missing. The cluster may be elsewhere (see postgres-location.ts). */
  readonly dataDir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** False, for tests: faster, survives a crash of the process but not of the machine. Default true. */
  readonly durable?: boolean;
  /** Found when left out. */
  readonly binaries?: PostgresBinaries;
  /** Further settings (`name=value`), which count before all others. */
  readonly settings?: readonly string[];
  readonly log?: Log;
}

export interface PostgresServer {
  /** Connects to the database `postgres` as the superuser. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Fast shutdown: open connections are ended, everything committed is kept. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const NOT_DURABLE = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
];
const LEFTOVER_WAIT_MS = 5000;

/** Starts a real Postgres on loopback with password authentication. The first start creates the cluster
 * (0.7 s), later ones reuse it (60 ms). A server that an earlier launcher left running on it is stopped first. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const startedAt = performance.now();
  const log = options.log ?? silent;
  const dataDir = resolve(options.dataDir);
  const durable = options.durable ?? true;
  const account = postgresAccount();
  const binaries = options.binaries ?? findPostgresBinaries(account, log);
  const location = await openCluster(dataDir, binaries, account, durable);
  const orphan = await stopOrphan(join(location.clusterDir, 'postmaster.pid'), location.clusterDir, 'SIGINT');
  if (orphan !== undefined) log(`stopped the Postgres of an earlier run (pid ${orphan})`);
  const port = options.port ?? (await freePort());
  const settings = [...(durable ? [] : NOT_DURABLE), ...(options.settings ?? [])];
  const child = await launch(binaries, location, account, port, settings, join(dataDir, 'postgres.log'));
  log(`Postgres ${binaries.majorVersion} on port ${port} (${elapsed(startedAt)})`);
  return {
    url: `postgres://postgres:${location.password}@127.0.0.1:${port}/postgres`,
    port,
    pid: child.pid,
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

async function openCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  durable: boolean,
): Promise<PostgresLocation> {
  const known = readLocation(dataDir);
  const versionFile = known && join(known.clusterDir, 'PG_VERSION');
  if (known !== undefined && versionFile !== undefined && existsSync(versionFile)) {
    const version = readFileSync(versionFile, 'utf8').trim();
    if (version === String(binaries.majorVersion)) return known;
    throw new Error(
      `The data in ${dataDir} belongs to Postgres ${version}, but version ${binaries.majorVersion} is installed: ` +
        'install that version, or start without the data, with --fresh.',
    );
  }
  // An interrupted initdb leaves no PG_VERSION: start over.
  await removePostgresData(dataDir);
  const location = createLocation(dataDir, account);
  try {
    await createCluster(location, binaries, account, durable);
  } catch (error) {
    await removePostgresData(dataDir);
    throw error;
  }
  return location;
}

async function createCluster(
  location: PostgresLocation,
  binaries: PostgresBinaries,
  account: PostgresAccount | undefined,
  durable: boolean,
): Promise<void> {
  const passwordFile = `${location.clusterDir}.password`;
  writeFileSync(passwordFile, location.password, { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  // These give byte order and UTF-8 on every machine, with any locales.
  const args = [
    '--no-locale',
    '--encoding=UTF8',
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ];
  const result = await runCommand(
    binaries.initdb,
    [...args, ...(durable ? [] : ['--no-sync']), '-D', location.clusterDir],
    { ...asUser(account), cwd: '/', env: environment() },
  );
  rmSync(passwordFile, { force: true });
  if (!result.succeeded) throw new Error(`Postgres could not create its cluster: ${result.output.trim()}`);
}

/** After a kill -9 of the postmaster its backends live a moment longer and hold the shared memory, so that the new one
 * does not start: this failure alone is retried. */
async function launch(
  binaries: PostgresBinaries,
  location: PostgresLocation,
  account: PostgresAccount | undefined,
  port: number,
  furtherSettings: readonly string[],
  logFile: string,
): Promise<RunningChild> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...furtherSettings,
  ];
  const deadline = performance.now() + LEFTOVER_WAIT_MS;
  while (true) {
    try {
      return await startChild({
        name: 'Postgres',
        command: binaries.postgres,
        args: [
          '-D',
          location.clusterDir,
          '-p',
          String(port),
          ...settings.flatMap((setting) => ['-c', setting]),
        ],
        cwd: '/',
        env: environment(),
        ...asUser(account),
        ownSession: true,
        logFile,
        ready: /database system is ready to accept (read-only )?connections/,
        stopSignal: 'SIGINT',
      });
    } catch (error) {
      const isLeftover = String(error).includes('pre-existing shared memory block');
      if (!isLeftover || performance.now() > deadline) throw error;
      await delay(20);
    }
  }
}

function asUser(account: PostgresAccount | undefined) {
  return account === undefined ? {} : { user: { uid: account.uid, gid: account.gid } };
}

/** Our environment without PG* variables, which would change the server, and with the language that `ready`
 * expects. */
function environment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PG'));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}
