import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resources } from '../../bench/cases/resources.ts';
import { MarketState } from '../../sandbox/market/market-state.ts';
import { apiIsReady } from '../../sandbox/processes/readiness.ts';
import { runCommand } from '../../sandbox/services/command.ts';
import { removePostgresData } from '../../sandbox/services/postgres-location.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { wait } from '../../src/shared/loop.ts';
import type { FaultTargets } from '../plan/fault-plan.ts';
import type { Deployment } from './deployment.ts';
import { CLIENT_LINK, linkName, type MachineOptions, PRODUCT, SingleMachine } from './machine-processes.ts';
import { NODES } from './shared-settings.ts';

const POLL_MS = 100;
const READY_WITHIN_MS = 120_000;

export interface SingleMachineOptions extends MachineOptions {
  readonly signal: AbortSignal;
  /** Gives Postgres and the broker file systems of their own if this account may mount them. */
  readonly hasOwnDisks?: boolean;
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
export function startSingleMachine(options: SingleMachineOptions): Promise<Deployment> {
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
    const machine = new SingleMachine(resources, folder, options);
    await mkdir(machine.logFolder);
    if (options.hasOwnDisks === true) await machine.mountDisks();
    const servers = await machine.startServers();
    await migrate(options.tree, servers.databaseUrl);
    const rpcUrl = `http://127.0.0.1:${servers.nodePorts[0]}`;
    const marketFile = join(folder, 'market.json');
    const { configs } = MarketState.open(marketFile, await new SolanaRpc(rpcUrl).genesisHash());
    const product = await machine.startProduct(servers, configs.steady.publicKey.toBase58());
    await untilReady(product.apiPorts, options.signal);
    await machine.start('market', {
      args: ['sandbox/market/main.ts', '--file', marketFile],
      env: { ...process.env, NATS_URL: servers.natsUrl, SOLANA_RPC_URL: rpcUrl },
      ready: /^\{"ready":true/,
    });
    const { databaseUrl, natsUrl } = servers;
    return {
      kind: 'single',
      origin: product.environment.PUBLIC_URL,
      direct: { databaseUrl, natsUrl, rpcUrl },
      environment: {
        ...product.environment,
        DATABASE_URL: databaseUrl,
        NATS_URL: natsUrl,
        SOLANA_RPC_URL: rpcUrl,
      },
      processes: machine.processes,
      metrics: product.metrics,
      links: new Map([...machine.links].map(([name, link]) => [name, [link]])),
      targets: singleMachineTargets(options.chain?.nodes),
      disks: machine.disks,
      databaseServers: [databaseUrl],
      primaryUrl: async () => databaseUrl,
      setClock: (name, aheadMs) => machine.setClock(name, aheadMs),
      promote: () => Promise.reject(new Error('a single machine has no standby')),
      wipe: () => Promise.reject(new Error('a single machine has one broker')),
      quieten: async () => machine.processes.get('market')?.close(),
      logFolder: machine.logFolder,
      close: () => resources.close(),
    };
  });
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
