import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './child-process.ts';
import { runCommand } from './command.ts';
import { findExecutable } from './executable.ts';
import { freePort } from './free-port.ts';
import { elapsed, type Log, silent } from './log.ts';
import { stopOrphan } from './orphan-process.ts';
import { postgresAccount } from './postgres-account.ts';
import { unpackDebianPackages } from './unpacked-packages.ts';

export interface PgBouncerOptions {
  /** The program; the one of this machine when left out. */
  readonly command?: string;
  /** Not shared with another server; created when missing, and readable by the account that runs the server. */
  readonly dir: string;
  /** A free one when left out. */
  readonly port?: number;
  /** Databases that clients name, with the connection string of each (`host=… port=… dbname=…`). */
  readonly databases: Readonly<Record<string, string>>;
  /** Passwords by user; the same as in Postgres. */
  readonly users: Readonly<Record<string, string>>;
  /** Settings that replace those of `ops/pgbouncer/pgbouncer.ini`. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** All output is appended here; to a file in `dir` when left out. */
  readonly logFile?: string;
  readonly log?: Log;
}

export interface PgBouncerServer {
  readonly port: number;
  readonly pid: number;
  /** Whether this release keeps prepared statements in transaction mode (1.21 or newer). */
  readonly canKeepStatements: boolean;
  /** The value of DATABASE_POOLER for it. */
  readonly databasePooler: 'transaction' | 'transaction-unprepared';
  /** Address of a database for one of the users; `pgbouncer` is the console. */
  urlOf(user: string, database: string): string;
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

const CONFIGURATION = join(import.meta.dir, '..', '..', 'ops', 'pgbouncer', 'pgbouncer.ini');

/**
 * pgbouncer from PATH, else Debian's package, unpacked below `.sandbox`: an installation would bring a service and
 * the packages of a Postgres server.
 */
async function findPgBouncer(log: Log): Promise<string> {
  const path = findExecutable('pgbouncer') ?? (await unpackDebianPackages(['pgbouncer'], 'pgbouncer', log));
  if (path !== undefined) return path;
  throw new Error(
    'pgbouncer is missing and could not be downloaded: install it (Debian: apt-get install pgbouncer)',
  );
}

/** Whether this release keeps prepared statements in transaction mode: 1.21 and newer do. */
export async function keepsStatements(command: string): Promise<boolean> {
  const { output } = await runCommand(command, ['--version']);
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/i.exec(output) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts a real PgBouncer on loopback with `ops/pgbouncer/pgbouncer.ini`. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncerServer> {
  const log = options.log ?? silent;
  const command = options.command ?? (await findPgBouncer(log));
  const startedAt = performance.now();
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true });
  const { pidFile, configurationFile } = filesOf(dir);
  await stopLeftPgBouncer(dir);
  const port = options.port ?? (await freePort());
  const canKeepStatements = await keepsStatements(command);
  const account = postgresAccount();
  const userFile = join(dir, 'userlist.txt');
  writeFileSync(
    userFile,
    lines(Object.entries(options.users).map(([user, password]) => `"${user}" "${password}"`)),
  );
  chmodSync(userFile, 0o600);
  if (account !== undefined) chownSync(userFile, account.uid, account.gid);
  const settings = {
    listen_port: port,
    auth_file: userFile,
    ...(canKeepStatements ? { max_prepared_statements: 500 } : {}),
    ...options.settings,
  };
  writeFileSync(configurationFile, configurationWith(options.databases, settings));
  const child = await startChild({
    name: 'pgbouncer',
    command,
    args: [...(account === undefined ? [] : ['--user', account.name]), configurationFile],
    ownSession: true,
    logFile: options.logFile ?? join(dir, 'pgbouncer.log'),
    pidFile,
    ready: /process up/,
    // Ends sessions at once; from 1.23 on it waits for the clients, and the time limit ends the wait.
    stopSignal: 'SIGTERM',
  });
  log(`pgbouncer on port ${port} (${elapsed(startedAt)})`);
  return {
    port,
    pid: child.pid,
    canKeepStatements,
    databasePooler: canKeepStatements ? 'transaction' : 'transaction-unprepared',
    urlOf: (user, database) =>
      `postgres://${user}:${options.users[user] ?? ''}@127.0.0.1:${port}/${database}`,
    stop: async () => void (await child.stop()),
    kill: async () => void (await child.kill()),
  };
}

/** Stops the server that a killed program left running in the folder. Returns its pid. */
export function stopLeftPgBouncer(dir: string): Promise<number | undefined> {
  const { pidFile, configurationFile } = filesOf(resolve(dir));
  return stopOrphan(pidFile, configurationFile);
}

function filesOf(dir: string) {
  return { pidFile: join(dir, 'pgbouncer-child.pid'), configurationFile: join(dir, 'pgbouncer.ini') };
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

/** The configuration for operators with other databases and settings: PgBouncer reads each section once. */
function configurationWith(
  databases: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string | number>>,
): string {
  const [, head = '', common = ''] =
    /^([\s\S]*?)\[databases\][\s\S]*?\[pgbouncer\]\n([\s\S]*)$/.exec(readFileSync(CONFIGURATION, 'utf8')) ??
    [];
  const kept = common.split('\n').filter((line) => !((/^(\w+) =/.exec(line)?.[1] ?? '') in settings));
  const assignments = (values: Readonly<Record<string, string | number>>) =>
    Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return lines([
    head,
    '[databases]',
    ...assignments(databases),
    '[pgbouncer]',
    ...kept,
    ...assignments(settings),
  ]);
}
