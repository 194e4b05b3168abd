import { join } from 'node:path';
import type { Environment } from '../processes/environment.ts';
import { exitOf } from '../processes/server-processes.ts';
import { stages } from '../processes/supervisor.ts';
import { keepsStatements, startPgBouncer, stopLeftPgBouncer } from '../services/pgbouncer.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { accountFolder } from './account-folder.ts';
import type { ClusterContext } from './context.ts';
import { API_ROLE, DATABASE } from './database.ts';
import { HAPROXY } from './haproxy.ts';

export const PGBOUNCER = 'pgbouncer';
/** As ops/pgbouncer/pgbouncer.ini names it. */
const STATS_USER = 'launchwire_stats';

/** Starts the pooler. It reaches the primary through HAProxy, which knows who that is. */
export async function startPooler(context: ClusterContext): Promise<void> {
  const { supervisor, folder, executables, links, secrets } = context;
  const port = await links.portOf(PGBOUNCER, 'pooler');
  const primaryPort = await links.portFor(PGBOUNCER, HAPROXY, 'primary');
  await supervisor.start(PGBOUNCER, stages.servers, async () => {
    const server = await startPgBouncer({
      command: executables.pgbouncer,
      dir: dirOf(folder),
      logFile: join(folder.logs, `${PGBOUNCER}.log`),
      port,
      databases: { [DATABASE]: `host=127.0.0.1 port=${primaryPort}` },
      users: { [API_ROLE]: secrets.api, [STATS_USER]: secrets.poolerStats },
    });
    return { pid: server.pid, exited: exitOf(server.pid), stop: server.stop, kill: server.kill };
  });
}

/** Stops the pooler that a killed launcher left running. */
export async function stopLeftPooler(folder: SandboxFolder): Promise<string[]> {
  return (await stopLeftPgBouncer(dirOf(folder))) === undefined ? [] : [PGBOUNCER];
}

/** Its account may not enter the folder of the cluster. */
function dirOf(folder: SandboxFolder): string {
  return accountFolder(join(folder.root, PGBOUNCER)).path;
}

/** The console of the pooler, for `doctor`. */
export async function poolerConsoleFor({ links, secrets }: ClusterContext, from: string): Promise<string> {
  const port = await links.portFor(from, PGBOUNCER, 'pooler');
  return `postgres://${STATS_USER}:${secrets.poolerStats}@127.0.0.1:${port}/pgbouncer`;
}

/** What an api needs to work through the pooler. */
export async function poolerEnvironmentFor(
  { links, secrets, executables }: ClusterContext,
  from: string,
): Promise<Environment> {
  const port = await links.portFor(from, PGBOUNCER, 'pooler');
  const isKept = await keepsStatements(executables.pgbouncer);
  return {
    DATABASE_URL: `postgres://${API_ROLE}:${secrets.api}@127.0.0.1:${port}/${DATABASE}`,
    DATABASE_POOLER: isKept ? 'transaction' : 'transaction-unprepared',
  };
}
