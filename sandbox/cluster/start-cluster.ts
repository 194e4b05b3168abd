import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, processEnvironment, secretKeyOf } from '../processes/environment.ts';
import { type Deployment, type LaunchContext, launch, pidsOf, type Servers } from '../processes/launch.ts';
import { stopLeftovers } from '../processes/leftovers.ts';
import { Progress } from '../processes/progress.ts';
import { apiIsReady } from '../processes/readiness.ts';
import { type LocalChainOptions, startLocalChain } from '../processes/server-processes.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { freePort } from '../services/free-port.ts';
import { createSandboxFolder, type SandboxFolder, sandboxFolder } from '../shared/sandbox-folder.ts';
import { type SandboxState, StateFile } from '../shared/state-file.ts';
import { natsUrlFor, startBroker } from './broker.ts';
import { type ClusterContext, SIZES } from './context.ts';
import { createApiLogin, createDatabase, databaseUrlFor, databaseUrlOf } from './database.ts';
import { startEtcd } from './etcd.ts';
import { findClusterExecutables } from './executables.ts';
import { HAPROXY, startHaproxy } from './haproxy.ts';
import { startLimiter } from './limiter.ts';
import { type Connect, Links } from './links.ts';
import {
  postmasterPid,
  primaryOf,
  startDatabases,
  stopLeftDatabases,
  switchOver,
  untilReplicated,
} from './patroni.ts';
import { PGBOUNCER, poolerConsoleFor, startPooler, stopLeftPooler } from './pgbouncer.ts';
import { CHAIN, ownEnvironment, startProcesses } from './product.ts';
import { clusterSecrets } from './secrets.ts';
import { type ClusterServer, ClusterServers, remarkOf } from './servers.ts';

export interface ClusterOptions {
  /** Holds everything of the cluster; created when missing. */
  readonly dir: string;
  /** Port of the one address; a free one when left out. */
  readonly port?: number;
  /** False for tests: faster, survives a crash of every process but not of the machine. Default true. */
  readonly durable?: boolean;
  /** Puts something on connections between servers, such as a proxy that can cut them. */
  readonly connect?: Connect;
  /** Variables of the service besides those that the cluster sets. */
  readonly environment?: Environment;
  /** Further variables of one api, worker or relay by its name. */
  readonly environmentOf?: (name: string) => Environment;
  /** Further nodes of the chain, and its window. */
  readonly chain?: LocalChainOptions;
  /** Ends a start that has not finished; a cluster that runs is ended by `stop`. */
  readonly signal?: AbortSignal;
  /** Gets each line of progress. If unset, lines go to the standard output. */
  readonly print?: (line: string) => void;
}

export interface Cluster {
  readonly folder: SandboxFolder;
  /** Addresses, key and wallet as `state.json` has them. */
  readonly state: SandboxState;
  /** `http://127.0.0.1:<port>` of the load balancer. */
  readonly origin: string;
  readonly servers: readonly ClusterServer[];
  /** Throws for an unknown name. */
  server(name: string): ClusterServer;
  /** The port of 127.0.0.1 on which an api, worker or relay serves HTTP itself. */
  portOf(name: string): Promise<number>;
  /** The name of the Postgres that has the lease; null while there is none. */
  primary(): Promise<string | null>;
  /** The database on one server, for its superuser, by an address without a proxy. */
  databaseUrlOf(name: string): Promise<string>;
  /** The pid of Postgres itself on `postgres-N`; undefined while it does not run. */
  postmaster(name: string): number | undefined;
  /** Makes the standby the primary in an orderly way. */
  switchOver(): Promise<void>;
  /** Waits until one Postgres is primary and the other has every commit. */
  untilReplicated(): Promise<void>;
  /** What a server is besides running: the role of Postgres, the readiness of a process. */
  remark(server: ClusterServer): Promise<string>;
  /** Ends everything; the data stays. */
  stop(): Promise<void>;
  /** SIGKILL to everything. */
  kill(): Promise<void>;
}

/** Variables that the cluster sets itself; those of the user would lead out of it. */
export const OWN_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_POOLER',
  'DATABASE_POOLER_URL',
  'DATABASE_REPLICA_URL',
  'NATS_URL',
  'REDIS_URL',
  'SOLANA_RPC_URL',
  'SOLANA_WS_URL',
  'PORT',
  'HOST',
  'API_WORKERS',
  'METRICS_PORT',
  'INTERNAL_PORT',
] as const;

const READY_POLL_MS = 50;

/**
 * Starts every server of the cluster on loopback, with the chain and the demo market of `npm start`. Resolves when all of
 * them work; after a failed start nothing runs. What an earlier launcher left running in the folder is stopped first.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = sandboxFolder(options.dir);
  createSandboxFolder(folder);
  const progress = new Progress(options.print);
  const state = new StateFile(folder.stateFile);
  const supervisor = new Supervisor(progress, () => state.update({ pids: pidsOf(supervisor) }));
  const closers: (() => Promise<void>)[] = [];
  const links = new Links(options.connect);
  const servers = new ClusterServers(supervisor);

  const stop = once(async () => {
    state.remove();
    servers.resumeAll();
    await supervisor.stop(() => stopLeft(folder, (name) => !supervisor.isRunning(name)));
    await Promise.allSettled(closers.map((close) => close()));
    rmSync(folder.pids, { recursive: true, force: true });
  });
  // The servers that are starting then fail, and so does `launch` below.
  const onAbort = () => void stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    options.signal?.throwIfAborted();
    const executables = await findClusterExecutables((line) => progress.line(`· ${line}`));
    const leftovers = await stopLeft(folder);
    if (leftovers.length > 0) progress.line(`· stopped servers of an earlier run: ${leftovers.join(', ')}`);
    const context: ClusterContext = {
      supervisor,
      folder,
      executables,
      links,
      secrets: clusterSecrets(folder),
      durable: options.durable ?? true,
      chainNodes: options.chain?.nodes ?? [],
      environmentOf: options.environmentOf ?? (() => ({})),
      log: (line) => progress.line(`· ${line}`),
    };
    const port = options.port ?? (await freePort());
    links.setPort(HAPROXY, 'api', port);
    const poolerUrl = await poolerConsoleFor(context, LAUNCHER);
    const facts = await launch(
      launchContext(context, { options, port, poolerUrl, progress, state, closers }),
      clusterDeployment(context, progress, options.chain),
    );
    supervisor.signal.throwIfAborted();
    options.signal?.removeEventListener('abort', onAbort);
    state.publish({ ...facts, pids: pidsOf(supervisor) });
    return {
      folder,
      state: facts,
      origin: `http://127.0.0.1:${port}`,
      get servers() {
        return servers.all;
      },
      server: (name) => servers.get(name),
      portOf: (name) => links.portOf(name, 'api'),
      primary: () => primaryOf(context),
      databaseUrlOf: (name) => databaseUrlOf(context, LAUNCHER, name),
      postmaster: (name) => postmasterPid(folder, name),
      switchOver: () => switchOver(context),
      untilReplicated: () => untilReplicated(context),
      remark: (server) => remarkOf(context, server),
      stop,
      kill: () => supervisor.kill(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface LaunchParts {
  readonly options: ClusterOptions;
  readonly port: number;
  readonly poolerUrl: string;
  readonly progress: Progress;
  readonly state: StateFile;
  readonly closers: (() => Promise<void>)[];
}

function launchContext(context: ClusterContext, parts: LaunchParts): LaunchContext {
  const { supervisor, folder } = context;
  const { options, port, poolerUrl, progress, state, closers } = parts;
  const given = { ...options.environment };
  for (const name of OWN_VARIABLES) delete given[name];
  return {
    supervisor,
    folder,
    progress,
    state,
    given,
    programs: [],
    completeEnvironment: ({ databaseUrl, natsUrl, rpcUrl }) => ({
      TRUSTED_PROXY_HOPS: '1',
      NATS_STREAM_REPLICAS: String(SIZES.nats),
      // Read by `admin doctor`, which has its variables from the state file.
      DATABASE_POOLER_URL: poolerUrl,
      ...processEnvironment(given, {
        port,
        databaseUrl,
        natsUrl,
        rpcUrl,
        secretKey: secretKeyOf(given, folder),
      }),
    }),
    onStop: (close) => closers.push(close),
  };
}

/** The launcher and the demo reach the servers by links of this name. */
const LAUNCHER = 'launcher';

function clusterDeployment(
  context: ClusterContext,
  progress: Progress,
  chain: LocalChainOptions | undefined,
): Deployment {
  return {
    startServers: () => startServers(context, progress, chain),
    async startApi({ environment }, origin) {
      await createApiLogin(context, LAUNCHER);
      await progress.step(`${SIZES.api} apis`, () => startProcesses(context, 'api', environment));
      await untilServed(origin, context.supervisor.signal);
    },
    async startBackground({ environment }) {
      await Promise.all([
        progress.step(`${SIZES.worker} workers`, () => startProcesses(context, 'worker', environment)),
        progress.step(`${SIZES.relay} relays`, () => startProcesses(context, 'relay', environment)),
      ]);
    },
  };
}

async function startServers(
  context: ClusterContext,
  progress: Progress,
  chainOptions: LocalChainOptions | undefined,
): Promise<Servers> {
  const { supervisor, folder, links } = context;
  const started = await Promise.allSettled([
    progress.step('etcd, Postgres with a synchronous standby', async () => {
      await startEtcd(context);
      await startDatabases(context);
      await createDatabase(context, LAUNCHER);
    }),
    progress.step(`${SIZES.nats} nats-servers`, () => startBroker(context)),
    progress.step('redis-server', () => startLimiter(context)),
    progress.step('HAProxy', () => startHaproxy(context)),
    progress.step('PgBouncer', () => startPooler(context)),
    progress.step('Solana chain', (log) => startLocalChain(supervisor, folder, [], log, chainOptions)),
  ]);
  for (const one of started) if (one.status === 'rejected') throw one.reason;
  const chain = started[5].status === 'fulfilled' ? started[5].value : undefined;
  if (chain === undefined) throw new Error('the chain has not started');
  const chainPort = Number(new URL(chain.rpcUrl).port);
  for (const [name, nodePort] of [[CHAIN, chainPort] as const, ...chain.nodePorts]) {
    links.setPort(name, 'chain', nodePort);
    links.setPort(name, 'chain-socket', nodePort + 1);
  }
  const own = await ownEnvironment(context, LAUNCHER);
  return {
    databaseUrl: await databaseUrlFor(context, LAUNCHER),
    natsUrl: await natsUrlFor(context, LAUNCHER),
    // The launcher and the demo use the first node.
    rpcUrl: own.SOLANA_RPC_URL?.split(',')[0] ?? '',
    sendUrls: { fastUrl: chain.fastUrl, privateUrl: chain.privateUrl },
  };
}

/** The load balancer looks at the apis every half second. */
async function untilServed(origin: string, signal: AbortSignal): Promise<void> {
  while (!(await apiIsReady(origin).catch(() => false))) {
    signal.throwIfAborted();
    await delay(READY_POLL_MS);
  }
}

/** Stops what an earlier launcher left running, and what is still starting. Returns the names. */
export async function stopLeft(
  folder: SandboxFolder,
  isLeft: (name: string) => boolean = () => true,
): Promise<string[]> {
  const stopped = await Promise.all([
    stopLeftovers(folder, isLeft),
    stopLeftDatabases(folder, isLeft),
    isLeft(PGBOUNCER) ? stopLeftPooler(folder) : [],
  ]);
  return stopped.flat();
}

/** Runs it at the first call; later calls wait for the same end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
