import { setTimeout as delay } from 'node:timers/promises';
import { CLUSTER_SLOT_MS } from '../chain/cluster-facts.ts';
import type { ChildExit } from '../services/child-process.ts';
import { freePort } from '../services/free-port.ts';
import { elapsed, type Log, silent } from '../services/log.ts';
import { startNats } from '../services/nats.ts';
import { startPostgres } from '../services/postgres.ts';
import { isAlive } from '../services/process-family.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { startBunChild } from './bun-child.ts';
import { type SupervisedProcess, type Supervisor, stages } from './supervisor.ts';

/** For how long a blockhash is valid here: a person needs longer to sign than a bot. */
const SIGNING_MS = 30 * 60_000;
const LOCAL_BLOCKHASH_WINDOW_BLOCKS = SIGNING_MS / CLUSTER_SLOT_MS;
const ALIVE_POLL_MS = 500;

/** Starts the sandbox's own Postgres. Returns its URL. */
export async function startDatabase(
  supervisor: Supervisor,
  folder: SandboxFolder,
  log: Log,
): Promise<string> {
  const port = await freePort();
  let say = log;
  let url = '';
  await supervisor.start('postgres', stages.database, async () => {
    const server = await startPostgres({ dataDir: folder.postgres, port, log: say });
    say = silent;
    url = server.url;
    return watched(server);
  });
  return url;
}

/** Starts the sandbox's own nats-server. Returns its URL. */
export async function startBroker(supervisor: Supervisor, folder: SandboxFolder, log: Log): Promise<string> {
  const port = await freePort();
  let say = log;
  let url = '';
  await supervisor.start('nats', stages.servers, async () => {
    const server = await startNats({ storeDir: folder.nats, port, log: say });
    say = silent;
    url = server.url;
    return watched(server);
  });
  return url;
}

/** The landing services of the local chain. */
export interface SendUrls {
  /** Takes transactions that pay a tip, and lands them in blocks that are full for others. */
  readonly fastUrl: string;
  /** Takes transactions without a tip and shows them to nobody; they land a slot later. */
  readonly privateUrl: string;
}

interface LocalChain extends SendUrls {
  readonly rpcUrl: string;
  /** Ports of the other nodes by their names. */
  readonly nodePorts: ReadonlyMap<string, number>;
}

/** What differs from the chain of `npm start`. */
export interface LocalChainOptions {
  /** Names of further nodes of the chain, each with an address and faults of its own. */
  readonly nodes?: readonly string[];
  /** For how many blocks a blockhash is valid; Solana has 150. */
  readonly blockhashWindow?: number;
}

/** The tip that the fast address asks for. */
export const FAST_TIP_LAMPORTS = 10_000;

/** Starts the local chain, with two landing services. */
export async function startLocalChain(
  supervisor: Supervisor,
  folder: SandboxFolder,
  programs: readonly string[],
  log: Log,
  { nodes = [], blockhashWindow = LOCAL_BLOCKHASH_WINDOW_BLOCKS }: LocalChainOptions = {},
): Promise<LocalChain> {
  const startedAt = performance.now();
  // The same after a restart of the chain. The sockets of a node are on the port after its own.
  const port = await freePort();
  const fastPort = await freePort();
  const privatePort = await freePort();
  const nodePorts = new Map<string, number>();
  for (const name of nodes) nodePorts.set(name, await freePort());
  const landingServices = [
    `name=fast,port=${fastPort},minTipLamports=${FAST_TIP_LAMPORTS}`,
    `name=private,port=${privatePort},minTipLamports=0,delaySlots=1`,
  ];
  const loaded = programs.flatMap((program) => ['--program', program]);
  const options = [
    '--port',
    String(port),
    '--data',
    folder.chain,
    '--blockhash-window',
    String(blockhashWindow),
    ...[...nodePorts].flatMap(([name, nodePort]) => ['--node', `name=${name},port=${nodePort}`]),
    ...landingServices.flatMap((service) => ['--landing-service', service]),
    ...loaded,
  ];
  await supervisor.start('chain', stages.servers, () =>
    startBunChild(folder, {
      name: 'chain',
      args: ['sandbox/chain/main.ts', ...options],
      ready: /"ready":true/,
    }),
  );
  log(`Solana chain on port ${port} (${elapsed(startedAt)})`);
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    nodePorts,
    fastUrl: `http://127.0.0.1:${fastPort}`,
    privateUrl: `http://127.0.0.1:${privatePort}`,
  };
}

/** A server whose exit is detected by its pid: the services report only a stop that was requested. */
function watched(server: { pid: number; stop(): Promise<void>; kill(): Promise<void> }): SupervisedProcess {
  return { pid: server.pid, exited: exitOf(server.pid), stop: server.stop, kill: server.kill };
}

/** Settles when the process has ended: looked at twice a second. */
export async function exitOf(pid: number): Promise<ChildExit> {
  while (isAlive(pid)) await delay(ALIVE_POLL_MS, undefined, { ref: false });
  return { code: null, signal: null };
}
