import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Environment } from '../processes/environment.ts';
import { probe } from '../processes/readiness.ts';
import { stages } from '../processes/supervisor.ts';
import { stopOrphan } from '../services/orphan-process.ts';
import { responds } from '../services/tcp-probe.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { accountFolder } from './account-folder.ts';
import type { ClusterContext } from './context.ts';
import { API_ROLE, DATABASE } from './database.ts';
import { HAPROXY } from './haproxy.ts';
import type { ClusterSecrets } from './secrets.ts';
import { startServer } from './server-child.ts';

export const PGBOUNCER = 'pgbouncer';
const PREPARED_STATEMENTS = 500;
/** The first message of a client that names a user: the pooler asks for a password, or refuses. */
const STARTUP = '\0\0\0\x18\0\x03\0\0user\0pgbouncer\0\0';

/** Starts the pooler. It reaches the primary through HAProxy, which knows who that is. */
export async function startPgbouncer(context: ClusterContext): Promise<void> {
  const { supervisor, folder, executables, links, secrets } = context;
  const home = accountFolder(join(folder.root, PGBOUNCER));
  const port = await links.portOf(PGBOUNCER, 'pooler');
  const primaryPort = await links.portFor(PGBOUNCER, HAPROXY, 'primary');
  const users = home.write('users.txt', usersFile(secrets));
  const preparedStatements = keepsStatements(executables.pgbouncer) ? PREPARED_STATEMENTS : undefined;
  const config = home.write(
    'pgbouncer.ini',
    pgbouncerConfig({ port, primaryPort, users, preparedStatements }),
  );
  await supervisor.start(PGBOUNCER, stages.servers, () =>
    startServer(folder, {
      name: PGBOUNCER,
      command: executables.pgbouncer,
      args: [config],
      cwd: home.path,
      ...(home.user === undefined ? {} : { user: home.user }),
      pidFile: pidFile(folder),
      ready: probe(() => responds(port, STARTUP, /^[RE]/)),
      // It waits for its clients at SIGINT, and for nobody at SIGTERM.
      stopSignal: 'SIGTERM',
    }),
  );
}

/** Stops the pooler that a killed launcher left running. */
export async function stopLeftPgbouncer(folder: SandboxFolder): Promise<string[]> {
  const { path } = accountFolder(join(folder.root, PGBOUNCER));
  return (await stopOrphan(pidFile(folder), path)) === undefined ? [] : [PGBOUNCER];
}

/** Not among the pid files of the folder: its configuration may be in another one. */
function pidFile(folder: SandboxFolder): string {
  return join(folder.root, PGBOUNCER, 'pgbouncer.pid');
}

export function pgbouncerConfig(options: {
  readonly port: number;
  readonly primaryPort: number;
  readonly users: string;
  /** Kept for each session; undefined for a PgBouncer that keeps none. */
  readonly preparedStatements?: number | undefined;
}): string {
  return `${[
    '[databases]',
    `${DATABASE} = host=127.0.0.1 port=${options.primaryPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${options.port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${options.users}`,
    'pool_mode = transaction',
    ...(options.preparedStatements === undefined
      ? []
      : [`max_prepared_statements = ${options.preparedStatements}`]),
    'max_client_conn = 400',
    'default_pool_size = 20',
    'server_connect_timeout = 2',
    'server_login_retry = 1',
    'query_wait_timeout = 5',
    'log_connections = 0',
    'log_disconnections = 0',
    'log_stats = 0',
  ].join('\n')}\n`;
}

function usersFile({ api }: ClusterSecrets): string {
  return `"${API_ROLE}" "${api}"\n`;
}

/** What an api needs to work through the pooler. */
export async function poolerEnvironmentFor(
  { links, secrets, executables }: ClusterContext,
  from: string,
): Promise<Environment> {
  const port = await links.portFor(from, PGBOUNCER, 'pooler');
  return {
    DATABASE_URL: `postgres://${API_ROLE}:${secrets.api}@127.0.0.1:${port}/${DATABASE}`,
    DATABASE_POOLER: keepsStatements(executables.pgbouncer) ? 'transaction' : 'transaction-unprepared',
  };
}

/** PgBouncer 1.21 and newer keep prepared statements in transaction mode. */
function keepsStatements(executable: string): boolean {
  const { stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}
