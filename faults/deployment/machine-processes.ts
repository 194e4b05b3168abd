import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Resources } from '../../bench/cases/resources.ts';
import { CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { type ChildOptions, startChild } from '../../sandbox/services/child-process.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { startNats } from '../../sandbox/services/nats.ts';
import { startPostgres } from '../../sandbox/services/postgres.ts';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';
import { ControlledProcess, type RunningProcess } from './controlled-process.ts';
import { clockVariables } from './machine-clocks.ts';
import { NODES, RETRY_SCHEDULE } from './shared-settings.ts';
import { SmallDisk } from './small-disk.ts';

/** Two of each: one goes on while the other is gone, and both work at once. */
export const PRODUCT = {
  'api-1': 'src/api/main.ts',
  'api-2': 'src/api/main.ts',
  'worker-1': 'src/worker/main.ts',
  'worker-2': 'src/worker/main.ts',
  'relay-1': 'relay/main.ts',
  'relay-2': 'relay/main.ts',
} as const;
type ProductName = keyof typeof PRODUCT;

export const CLIENT_LINK = 'clients→apis';
export const linkName = (from: string, to: string) => `${from}→${to}`;

export interface MachineOptions {
  /** The tree whose product runs; the judge and the clients are always those of this one. */
  readonly tree: string;
  /** Default: all nodes, at mainnet's pace. */
  readonly chain?: { readonly nodes: readonly string[]; readonly slotMs: number };
}

/** Addresses of the servers that no fault touches. */
interface Servers {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly ports: { readonly postgres: number; readonly nats: number };
  readonly nodePorts: readonly number[];
}

/** The processes, links and file systems of a deployment, as they are started. */
export class SingleMachine {
  readonly logFolder: string;
  readonly processes = new Map<string, ControlledProcess>();
  readonly links = new Map<string, TcpLink>();
  readonly disks = new Map<string, SmallDisk>();
  readonly #resources: Resources;
  readonly #folder: string;
  readonly #tree: string;
  readonly #chain: NonNullable<MachineOptions['chain']>;

  constructor(
    resources: Resources,
    folder: string,
    { tree, chain = { nodes: NODES, slotMs: CLUSTER_SLOT_MS } }: MachineOptions,
  ) {
    this.logFolder = join(folder, 'logs');
    this.#resources = resources;
    this.#folder = folder;
    this.#tree = tree;
    this.#chain = chain;
  }

  async mountDisks(): Promise<void> {
    for (const name of ['postgres', 'nats']) {
      const disk = await this.#resources.start(
        () => SmallDisk.mount(join(this.#folder, name)),
        async (mounted) => mounted?.unmount(),
      );
      if (disk !== null) this.disks.set(name, disk);
    }
  }

  async startServers(): Promise<Servers> {
    const ports = { postgres: await freePort(), nats: await freePort() };
    let databaseUrl = '';
    await this.#add('postgres', async () => {
      const dataDir = join(this.#folder, 'postgres', 'data');
      const server = await startPostgres({ dataDir, port: ports.postgres });
      databaseUrl = server.url;
      return server;
    });
    await this.#add('nats', () => startNats({ storeDir: join(this.#folder, 'nats'), port: ports.nats }));
    const nodePorts = await distinctPorts(this.#chain.nodes.length);
    const slotMs = String(this.#chain.slotMs);
    await this.start('chain', {
      args: [...chainArguments(join(this.#folder, 'chain'), nodePorts), '--slot-ms', slotMs],
      ready: /"ready":true/,
    });
    return { databaseUrl, natsUrl: `nats://127.0.0.1:${ports.nats}`, ports, nodePorts };
  }

  /** @param curveConfig the config with which tokens are launched */
  async startProduct(servers: Servers, curveConfig: string) {
    const apiPorts = { 'api-1': await freePort(), 'api-2': await freePort() };
    const clientPort = await this.#link(CLIENT_LINK, apiPorts['api-1'], apiPorts['api-2']);
    const environment = {
      SECRET_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64'),
      PUBLIC_URL: `http://127.0.0.1:${clientPort}`,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
      LAUNCH_CURVE_CONFIG: curveConfig,
      LOG_LEVEL: 'info',
    };
    const metrics = new Map<string, string>();
    for (const name of Object.keys(PRODUCT) as ProductName[]) {
      const metricsPort = await freePort();
      metrics.set(name, `http://127.0.0.1:${metricsPort}`);
      await writeFile(this.#clockFile(name), '0');
      await this.start(name, {
        args: [PRODUCT[name]],
        cwd: this.#tree,
        env: {
          ...process.env,
          ...environment,
          ...(await this.#linkedServers(name, servers)),
          METRICS_PORT: String(metricsPort),
          ...(name in apiPorts ? { PORT: String(apiPorts[name as keyof typeof apiPorts]) } : {}),
          ...clockVariables(this.#clockFile(name)),
        },
      });
    }
    return { environment, metrics, apiPorts: Object.values(apiPorts) };
  }

  /** Starts a program of this tree, unless `cwd` names another one. */
  start(name: string, options: Partial<ChildOptions> & { readonly args: readonly string[] }): Promise<void> {
    return this.#add(name, () =>
      startChild({
        name,
        command: process.execPath,
        cwd: PROJECT_ROOT,
        ownSession: true,
        logFile: join(this.logFolder, `${name}.log`),
        ...options,
      }),
    );
  }

  async setClock(name: string, aheadMs: number): Promise<void> {
    await writeFile(this.#clockFile(name), String(aheadMs));
    const pid = this.processes.get(name)?.pid;
    if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  }

  /** Addresses of the servers by links of this process. */
  async #linkedServers(name: string, { databaseUrl, ports, nodePorts }: Servers) {
    const database = new URL(databaseUrl);
    database.port = String(await this.#link(linkName(name, 'postgres'), ports.postgres));
    const nodes = await Promise.all(
      this.#chain.nodes.map((node, at) => this.#link(linkName(name, node), nodePorts[at] ?? 0)),
    );
    return {
      DATABASE_URL: database.href,
      NATS_URL: `nats://127.0.0.1:${await this.#link(linkName(name, 'nats'), ports.nats)}`,
      SOLANA_RPC_URL: nodes.map((port) => `http://127.0.0.1:${port}`).join(),
    };
  }

  async #add(name: string, launch: () => Promise<RunningProcess>): Promise<void> {
    const controlled = new ControlledProcess(name, launch);
    this.processes.set(name, controlled);
    await this.#resources.start(
      () => controlled.start(),
      () => controlled.close(),
    );
  }

  /** Opens a link to these ports, and returns its own. */
  async #link(name: string, ...ports: number[]): Promise<number> {
    const link = await this.#resources.start(
      () => TcpLink.open(name, ports),
      async (opened) => opened.close(),
    );
    this.links.set(name, link);
    return link.port;
  }

  #clockFile(name: string): string {
    return join(this.#folder, `${name}.clock`);
  }
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
