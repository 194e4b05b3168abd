import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { probe } from '../processes/readiness.ts';
import { exitOf } from '../processes/server-processes.ts';
import { type SupervisedProcess, stages } from '../processes/supervisor.ts';
import { stopOrphan } from '../services/orphan-process.ts';
import { isAlive, signalFamily } from '../services/process-family.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { type AccountFolder, accountFolder } from './account-folder.ts';
import { type ClusterContext, namesOf } from './context.ts';
import { ETCD } from './etcd.ts';
import { postgresLibraries } from './executables.ts';
import { dataDirOf, patroniConfig } from './patroni-config.ts';
import { startServer } from './server-child.ts';

export type DatabaseRole = 'primary' | 'standby' | 'none';

const STOP_TIMEOUT_MS = 20_000;
const REPLICATED_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const ASK_TIMEOUT_MS = 1_000;

/** Starts both members. Resolves when one is primary and the other its synchronous standby. */
export async function startDatabases(context: ClusterContext): Promise<void> {
  const names = namesOf('postgres');
  await Promise.all(names.map((name) => startMember(context, name)));
  await untilReplicated(context);
}

async function startMember(context: ClusterContext, name: string): Promise<void> {
  const { supervisor, folder, executables, links, secrets, durable } = context;
  const other = namesOf('postgres').find((one) => one !== name) ?? name;
  const home = homeOf(folder, name);
  const [listen, reached, api, apiReached, etcdPort] = await Promise.all([
    links.portOf(name, 'postgres'),
    links.portFor(other, name, 'postgres'),
    links.portOf(name, 'patroni'),
    links.portFor(other, name, 'patroni'),
    links.portFor(name, ETCD, 'etcd'),
  ]);
  const config = patroniConfig(
    {
      name,
      home: home.path,
      binDir: executables.postgresBin,
      postgres: { listen, reached },
      api: { listen: api, reached: apiReached },
      etcdPort,
    },
    secrets,
    durable,
  );
  const configFile = home.write('patroni.json', `${JSON.stringify(config, null, 2)}\n`);
  await supervisor.start(name, stages.database, async () => {
    const patroni = await startServer(folder, {
      name,
      command: executables.patroni,
      args: [configFile],
      env: environment(executables.postgresBin, home.path),
      cwd: home.path,
      ...(home.user === undefined ? {} : { user: home.user }),
      pidFile: patroniPidFile(folder, name),
      ready: probe(async () => (await fetch(`http://127.0.0.1:${api}/liveness`)).ok),
      stopTimeoutMs: STOP_TIMEOUT_MS,
    });
    return withPostgres(patroni, dataDirOf(home.path), () => supervisor.signal.aborted);
  });
}

/**
 * Patroni and its Postgres as one server, as they share a machine. When all of the cluster ends, no standby is to be
 * promoted: Patroni is killed, and Postgres ends in an orderly way by itself.
 */
function withPostgres(
  patroni: SupervisedProcess,
  dataDir: string,
  isClusterEnding: () => boolean,
): SupervisedProcess {
  const signal = (name: NodeJS.Signals) => {
    if (isAlive(patroni.pid)) signalFamily(patroni.pid, name);
    const postmaster = postmasterOf(dataDir);
    if (postmaster !== undefined) signalFamily(postmaster, name);
  };
  // Not `patroni.exited`: Postgres writes to the same pipe, which stays open when Patroni has ended.
  const exited = exitOf(patroni.pid);
  return {
    pid: patroni.pid,
    exited,
    signal,
    async stop() {
      if (!isClusterEnding()) return await patroni.stop();
      if (isAlive(patroni.pid)) process.kill(patroni.pid, 'SIGKILL');
      await stopOrphan(join(dataDir, 'postmaster.pid'), dataDir, 'SIGINT');
      return await exited;
    },
    kill() {
      signal('SIGKILL');
      return exited;
    },
  };
}

/** The pid of the running Postgres of a member; undefined when the file of a dead one is left. */
export function postmasterPid(folder: SandboxFolder, name: string): number | undefined {
  return postmasterOf(dataDirOf(homeOf(folder, name).path));
}

function postmasterOf(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
    return pid > 1 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The role of a member as its Patroni reports it; `none` while it does not answer or does not serve. */
export async function roleOf({ links }: Pick<ClusterContext, 'links'>, name: string): Promise<DatabaseRole> {
  const port = await links.portOf(name, 'patroni');
  const answers = async (path: string) => {
    try {
      const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
      return (await fetch(`http://127.0.0.1:${port}/${path}`, { signal })).ok;
    } catch {
      return false;
    }
  };
  if (await answers('primary')) return 'primary';
  return (await answers('replica')) ? 'standby' : 'none';
}

/** The name of the member that has the lease; null while there is none. */
export async function primaryOf(context: Pick<ClusterContext, 'links'>): Promise<string | null> {
  const names = namesOf('postgres');
  const roles = await Promise.all(names.map((name) => roleOf(context, name)));
  return names[roles.indexOf('primary')] ?? null;
}

/** Waits until one member is primary and the other has every commit. */
export async function untilReplicated(context: Pick<ClusterContext, 'links'>): Promise<void> {
  const deadline = performance.now() + REPLICATED_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await isReplicated(context)) return;
    await delay(POLL_MS);
  }
  throw new Error(
    'Postgres has no primary with a synchronous standby: see the logs of postgres-1 and postgres-2.',
  );
}

async function isReplicated({ links }: Pick<ClusterContext, 'links'>): Promise<boolean> {
  const answers = await Promise.all(
    namesOf('postgres').flatMap((name) =>
      ['primary', 'synchronous'].map(async (path) => {
        const port = await links.portOf(name, 'patroni');
        const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
        const response = await fetch(`http://127.0.0.1:${port}/${path}`, { signal }).catch(() => null);
        return response?.ok === true ? path : null;
      }),
    ),
  );
  return answers.includes('primary') && answers.includes('synchronous');
}

/** Makes the standby the primary in an orderly way. */
export async function switchOver(context: Pick<ClusterContext, 'links'>): Promise<void> {
  const names = namesOf('postgres');
  const roles = await Promise.all(names.map((name) => roleOf(context, name)));
  const leader = names[roles.indexOf('primary')];
  const candidate = names[roles.indexOf('standby')];
  if (leader === undefined || candidate === undefined) throw new Error(`no switchover among ${roles.join()}`);
  const port = await context.links.portOf(leader, 'patroni');
  const response = await fetch(`http://127.0.0.1:${port}/switchover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leader, candidate }),
  });
  if (!response.ok) throw new Error(`the switchover was refused: ${await response.text()}`);
}

/** Stops the members that a killed launcher left running, Patroni before its Postgres. */
export async function stopLeftDatabases(
  folder: SandboxFolder,
  isLeft: (name: string) => boolean,
): Promise<string[]> {
  const stopped = await Promise.all(
    namesOf('postgres')
      .filter(isLeft)
      .map(async (name) => {
        const { path } = homeOf(folder, name);
        const patroni = await stopOrphan(patroniPidFile(folder, name), path, 'SIGKILL');
        const dataDir = dataDirOf(path);
        const postgres = await stopOrphan(join(dataDir, 'postmaster.pid'), dataDir, 'SIGINT');
        return patroni === undefined && postgres === undefined ? [] : [name];
      }),
  );
  return stopped.flat();
}

function homeOf(folder: SandboxFolder, name: string): AccountFolder {
  return accountFolder(join(folder.root, name));
}

/** Not among the pid files of the folder: Patroni may work in another folder, and ends before its Postgres. */
function patroniPidFile(folder: SandboxFolder, name: string): string {
  return join(folder.root, name, 'patroni.pid');
}

/** Our environment without variables that would change Postgres or Patroni. */
function environment(postgresBin: string, home: string): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|PATRONI|PYTHON)/.test(name));
  const libraries = postgresLibraries(postgresBin).join(':');
  return {
    ...Object.fromEntries(inherited),
    ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }),
    HOME: home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PYTHONDONTWRITEBYTECODE: '1',
  };
}
