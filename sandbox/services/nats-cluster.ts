import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { elapsed, type Log, silent } from './log.ts';
import { NATS_CACHE_DIR, type NatsOptions, type NatsServer, startNats } from './nats.ts';
import { findClusterNatsServer } from './nats-binary.ts';
import { responds } from './tcp-probe.ts';

export interface NatsClusterOptions
  extends Pick<NatsOptions, 'durable' | 'binary' | 'settings' | 'environment'> {
  /** Each node has a folder in it; created when missing. */
  readonly dir: string;
  /** Default 3. */
  readonly size?: number;
  /** Client ports, one for each node; free ones when left out. */
  readonly ports?: readonly number[];
  /** The port on which node `from` reaches the routes of node `to`, where something stands between them. */
  readonly routePort?: (from: string, to: string, port: number) => number | Promise<number>;
  readonly log?: Log;
}

/** One nats-server of a cluster; its name, address and folder stay the same when it ends and starts again. */
export interface NatsNode {
  /** `server_name`, by which JetStream names leaders and replicas. */
  readonly name: string;
  readonly url: string;
  readonly port: number;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Starts it when it does not run; resolves when it accepts clients. */
  start(): Promise<void>;
  /** Ends it in an orderly way: it hands its leaderships over first. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Deletes its store; only while it does not run. */
  wipe(): void;
}

export interface NatsCluster {
  /** Comma-separated addresses of all nodes, as `NATS_URL` takes them. */
  readonly url: string;
  readonly nodes: readonly NatsNode[];
  /** `2.12.15` */
  readonly version: string;
  node(name: string): NatsNode;
  /** Resolves when JetStream of the cluster has a leader; rejects when it has none within a minute. */
  untilLed(): Promise<void>;
  stop(): Promise<void>;
}

const SIZE = 3;
const LED_TIMEOUT_MS = 60_000;
const POLL_MS = 25;

/**
 * Starts nats-servers on loopback that form one JetStream cluster (0.5 to 3 s: their leader is elected). All of them run,
 * and streams with as many replicas as nodes can be made, when it resolves.
 */
export async function startNatsCluster(options: NatsClusterOptions): Promise<NatsCluster> {
  const { dir, size = SIZE, log = silent } = options;
  const binary = options.binary ?? (await findClusterNatsServer({ cacheDir: NATS_CACHE_DIR, log }));
  const startedAt = performance.now();
  const routePorts = await freePorts(size);
  const ports = options.ports ?? (await freePorts(size));
  const nodes = await Promise.all(
    ports.map(async (port, at) =>
      createNode({
        name: nameOf(at),
        port,
        options: {
          ...options,
          binary,
          storeDir: resolve(join(dir, nameOf(at))),
          port,
          settings: [
            ...(await clusterSettings(at, routePorts, options.routePort)),
            ...(options.settings ?? []),
          ],
        },
      }),
    ),
  );
  const cluster: NatsCluster = {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    version: binary.version.join('.'),
    node(name) {
      const found = nodes.find((node) => node.name === name);
      if (found === undefined) throw new Error(`the cluster has no node ${name}`);
      return found;
    },
    untilLed: () => untilLed(nodes),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.untilLed();
    await untilWhole(ports[0] ?? 0, size);
  } catch (error) {
    await Promise.all(nodes.map((node) => node.kill()));
    throw error;
  }
  log(
    `cluster of ${size} nats-servers ${cluster.version} on ports ${ports.join(', ')} (${elapsed(startedAt)})`,
  );
  return cluster;
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

function nameOf(at: number): string {
  return `nats-${at + 1}`;
}

/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1';

/**
 * Every node gets the route to every other one, so that any two find each other. With something between them a node names
 * no address of its own to others, which would use it directly.
 */
async function clusterSettings(
  at: number,
  routePorts: readonly number[],
  routePort: NatsClusterOptions['routePort'],
): Promise<string[]> {
  const others = routePorts.map((port, other) => ({ port, other })).filter(({ other }) => other !== at);
  const reached = await Promise.all(
    others.map(({ port, other }) => routePort?.(nameOf(at), nameOf(other), port) ?? port),
  );
  const routes = reached.map((port) => `nats-route://127.0.0.1:${port}`);
  return [
    `server_name: ${nameOf(at)}`,
    'cluster {',
    '  name: launchwire',
    `  listen: "127.0.0.1:${routePorts[at]}"`,
    `  routes: [${routes.join(', ')}]`,
    ...(routePort === undefined ? [] : ['  no_advertise: true', `  advertise: "${NOWHERE}"`]),
    '}',
  ];
}

function createNode({ name, port, options }: { name: string; port: number; options: NatsOptions }): NatsNode {
  let server: NatsServer | undefined;
  const end = async (how: 'stop' | 'kill') => {
    const running = server;
    server = undefined;
    await running?.[how]();
  };
  return {
    name,
    port,
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server?.pid;
    },
    async start() {
      server ??= await startNats({ ...options, log: silent });
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    wipe() {
      if (server !== undefined) throw new Error(`${name} runs`);
      rmSync(join(options.storeDir, 'jetstream'), { recursive: true, force: true });
    },
  };
}

/** Only a cluster with a leader answers about JetStream; a server with users or TLS refuses the question instead. */
const LED = /account_info_response",(?!"error")|Authorization Violation|"tls_required":true/;
const QUESTION = 'CONNECT {"verbose":false}\r\nSUB led 1\r\nPUB $JS.API.INFO led 0\r\n\r\n';

/** A server with users or TLS refuses the question, and nothing is known then. */
const MADE = /"created":|Authorization Violation|"tls_required":true/;
const DELETED = /"success":true|stream not found|Authorization Violation|"tls_required":true/;

/**
 * Makes a stream in memory on every node and deletes it again. The leader is elected by two of three nodes, and refuses
 * such a stream until it has heard of the third.
 */
async function untilWhole(port: number, size: number): Promise<void> {
  const config = JSON.stringify({
    name: 'whole',
    subjects: ['whole'],
    storage: 'memory',
    num_replicas: size,
  });
  const ask = (action: string, body: string) =>
    `CONNECT {"verbose":false}\r\nSUB whole.reply 1\r\nPUB $JS.API.STREAM.${action}.whole whole.reply ${body.length}\r\n${body}\r\n`;
  await untilTrue('has fewer nodes than were started', () => responds(port, ask('CREATE', config), MADE));
  await untilTrue('does not delete a stream', () => responds(port, ask('DELETE', ''), DELETED));
}

function untilLed(nodes: readonly NatsNode[]): Promise<void> {
  return untilTrue('has no leader', async () => {
    const running = nodes.filter(({ pid }) => pid !== undefined);
    const answers = await Promise.all(running.map(({ port }) => responds(port, QUESTION, LED)));
    return answers.length > 0 && answers.every(Boolean);
  });
}

/** @param fault what JetStream of the cluster does when `check` stays false */
async function untilTrue(fault: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LED_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await check()) return;
    await delay(POLL_MS);
  }
  throw new Error(`JetStream of the cluster ${fault}`);
}
