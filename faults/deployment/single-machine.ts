import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resources } from '../../bench/cases/resources.ts';
import { CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { MarketState } from '../../sandbox/market/market-state.ts';
import { apiIsReady } from '../../sandbox/processes/readiness.ts';
import { startChild } from '../../sandbox/services/child-process.ts';
import { runCommand } from '../../sandbox/services/command.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { wait } from '../../src/shared/loop.ts';
import type { FaultTargets } from '../plan/fault-plan.ts';
import { ControlledProcess } from './controlled-process.ts';
import type { Deployment } from './deployment.ts';
import { clockVariables } from './machine-clocks.ts';
import { NODES, RETRY_SCHEDULE } from './shared-settings.ts';
import { SmallDisk } from './small-disk.ts';

/** Two of each: one goes on while the other is gone, and both work at once. */
const PRODUCT = {
  'api-1': 'src/api/main.ts',
  'api-2': 'src/api/main.ts',
  'worker-1': 'src/worker/main.ts',
  'worker-2': 'src/worker/main.ts',
  'relay-1': 'relay/main.ts',
  'relay-2': 'relay/main.ts',
} as const;
type ProductName = keyof typeof PRODUCT;

const CLIENT_LINK = 'clients→apis';
const linkName = (from: string, to: string) => `${from}→${to}`;
const POLL_MS = 100;
const READY_WITHIN_MS = 120_000;

export interface SingleMachineOptions {
  /** The tree whose product runs; the judge and the clients are always those of this one. */
  readonly tree: string;
  readonly signal: AbortSignal;
  /** Gives Postgres and the broker file systems of their own, as far as this account may. */
  readonly hasOwnDisks?: boolean;
  /** Default: all nodes, at mainnet's pace. */
  readonly chain?: { readonly nodes: readonly string[]; readonly slotMs: number };
}

/** Targets of faults on a single machine. */
export function singleMachineTargets(nodes: readonly string[] = NODES): FaultTargets {
  const product = Object.keys(PRODUCT);
  const servers = ['postgres', 'nats'];
  const links = product.flatMap((name) => [...servers, ...nodes].map((server) => linkName(name, server)));
  return {
    kill: [...product, ...servers],
    stop: [...product, ...servers, 'chain'],
    partition: [CLIENT_LINK, ...links],
    slow: [CLIENT_LINK, ...links],
    clock: product,
    'read-only': ['postgres'],
    'full-disk': servers,
    'full-broker': ['nats'],
    node: nodes,
    fork: ['chain'],
    promote: [],
    wipe: [],
  };
}

/** The processes of a sandbox, two of each of the product, every one with links of its own to what it needs. */
export function startSingleMachine({
  tree,
  signal,
  hasOwnDisks = false,
  chain = { nodes: NODES, slotMs: CLUSTER_SLOT_MS },
}: SingleMachineOptions): Promise<Deployment> {
  return Resources.build(async (resources) => {
    const folder = await resources.start(
      () => mkdtemp(join(tmpdir(), 'launchwire-faults-')),
      async (path) => {
        await removePostgresData(join(path, 'postgres', 'data'));
        await rm(path, { recursive: true, force: true });
      },
    );
    // Under root, Postgres runs as another account, which must pass through this folder.
    await chmod(folder, 0o711);
    const logFolder = join(folder, 'logs');
    await mkdir(logFolder);
    const processes = new Map<string, ControlledProcess>();
    const links = new Map<string, TcpLink>();
    const add = async (name: string, launch: ConstructorParameters<typeof ControlledProcess>[1]) => {
      const controlled = new ControlledProcess(name, launch);
      processes.set(name, controlled);
      await resources.start(
        () => controlled.start(),
        () => controlled.close(),
      );
    };
    const link = async (name: string, ...ports: number[]) => {
      const opened = await resources.start(
        () => TcpLink.open(name, ports),
        async (one) => one.close(),
      );
      links.set(name, opened);
      return opened.port;
    };

    const disks = new Map<string, SmallDisk>();
    for (const name of hasOwnDisks ? ['postgres', 'nats'] : []) {
      const disk = await resources.start(
        () => SmallDisk.mount(join(folder, name)),
        async (mounted) => mounted?.unmount(),
      );
      if (disk !== null) disks.set(name, disk);
    }
    const ports = { postgres: await freePort(), nats: await freePort() };
    let databaseUrl = '';
    await add('postgres', async () => {
      const server = await startPostgres({ dataDir: join(folder, 'postgres', 'data'), port: ports.postgres });
      databaseUrl = server.url;
      return server;
    });
    await add('nats', () => startNats({ storeDir: join(folder, 'nats'), port: ports.nats }));
    const nodePorts = await distinctPorts(chain.nodes.length);
    await add('chain', () =>
      startChild({
        name: 'chain',
        command: process.execPath,
        args: [...chainArguments(join(folder, 'chain'), nodePorts), '--slot-ms', String(chain.slotMs)],
        cwd: PROJECT_ROOT,
        ownSession: true,
        logFile: join(logFolder, 'chain.log'),
        ready: /"ready":true/,
      }),
    );
    await migrate(tree, databaseUrl);
    const rpcUrl = `http://127.0.0.1:${nodePorts[0]}`;
    const marketFile = join(folder, 'market.json');
    const { configs } = MarketState.open(marketFile, await new SolanaRpc(rpcUrl).genesisHash());

    const apiPorts = { 'api-1': await freePort(), 'api-2': await freePort() };
    const origin = `http://127.0.0.1:${await link(CLIENT_LINK, apiPorts['api-1'], apiPorts['api-2'])}`;
    const common = {
      SECRET_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
      PUBLIC_URL: origin,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
      LAUNCH_CURVE_CONFIG: configs.steady.publicKey.toBase58(),
      LOG_LEVEL: 'info',
    };
    const metrics = new Map<string, string>();
    const environmentOf = async (name: ProductName) => {
      const metricsPort = await freePort();
      metrics.set(name, `http://127.0.0.1:${metricsPort}`);
      const database = new URL(databaseUrl);
      database.port = String(await link(linkName(name, 'postgres'), ports.postgres));
      const nodes = await Promise.all(
        chain.nodes.map((node, at) => link(linkName(name, node), nodePorts[at] ?? 0)),
      );
      return {
        ...common,
        DATABASE_URL: database.href,
        NATS_URL: `nats://127.0.0.1:${await link(linkName(name, 'nats'), ports.nats)}`,
        SOLANA_RPC_URL: nodes.map((port) => `http://127.0.0.1:${port}`).join(),
        METRICS_PORT: String(metricsPort),
        ...(name in apiPorts ? { PORT: String(apiPorts[name as keyof typeof apiPorts]) } : {}),
      };
    };
    for (const name of Object.keys(PRODUCT) as ProductName[]) {
      const environment = await environmentOf(name);
      const clockFile = join(folder, `${name}.clock`);
      await writeFile(clockFile, '0');
      await add(name, () =>
        startChild({
          name,
          command: process.execPath,
          args: [PRODUCT[name]],
          cwd: tree,
          env: { ...process.env, ...environment, ...clockVariables(clockFile) },
          ownSession: true,
          logFile: join(logFolder, `${name}.log`),
        }),
      );
    }
    await untilReady(Object.values(apiPorts), signal);
    await add('market', () =>
      startChild({
        name: 'market',
        command: process.execPath,
        args: ['sandbox/market/main.ts', '--file', marketFile],
        cwd: PROJECT_ROOT,
        env: { ...process.env, NATS_URL: `nats://127.0.0.1:${ports.nats}`, SOLANA_RPC_URL: rpcUrl },
        ownSession: true,
        logFile: join(logFolder, 'market.log'),
        ready: /^\{"ready":true/,
      }),
    );
    return {
      kind: 'single',
      origin,
      direct: { databaseUrl, natsUrl: `nats://127.0.0.1:${ports.nats}`, rpcUrl },
      environment: {
        ...common,
        DATABASE_URL: databaseUrl,
        NATS_URL: `nats://127.0.0.1:${ports.nats}`,
        SOLANA_RPC_URL: rpcUrl,
      },
      processes,
      metrics,
      links: new Map([...links].map(([name, one]) => [name, [one]])),
      targets: singleMachineTargets(chain.nodes),
      disks,
      databaseServers: [databaseUrl],
      primaryUrl: async () => databaseUrl,
      async setClock(name, aheadMs) {
        await writeFile(join(folder, `${name}.clock`), String(aheadMs));
        const pid = processes.get(name)?.pid;
        if (pid !== undefined) process.kill(pid, 'SIGUSR2');
      },
      promote: () => Promise.reject(new Error('a single machine has no standby')),
      wipe: () => Promise.reject(new Error('a single machine has one broker')),
      quieten: async () => processes.get('market')?.close(),
      logFolder,
      close: () => resources.close(),
    };
  });
}

function chainArguments(dataDir: string, [main, ...others]: readonly number[]): string[] {
  const nodes = others.flatMap((port, at) => ['--node', `name=${NODES[at + 1]},port=${port}`]);
  return ['sandbox/chain/main.ts', '--port', String(main), '--data', dataDir, ...nodes];
}

/** Each has the port after it free as well: a node serves its sockets there. */
async function distinctPorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (ports.every((taken) => Math.abs(taken - port) > 1)) ports.push(port);
  }
  return ports;
}

async function untilReady(apiPorts: readonly number[], signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (const port of apiPorts) {
    while (!(await apiIsReady(`http://127.0.0.1:${port}`).catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`no api was ready within ${READY_WITHIN_MS} ms`);
      await wait(POLL_MS, signal);
      signal.throwIfAborted();
    }
  }
}

/** The migrations of the tree that is tried. */
async function migrate(tree: string, databaseUrl: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { succeeded, output } = await runCommand(process.execPath, ['src/db/main.ts'], { cwd: tree, env });
  if (!succeeded) throw new Error(`the migrations failed: ${output}`);
}
