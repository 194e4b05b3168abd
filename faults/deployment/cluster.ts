import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resources } from '../../bench/cases/resources.ts';
import type { ClusterServer } from '../../sandbox/cluster/servers.ts';
import { type Cluster, startCluster } from '../../sandbox/cluster/start-cluster.ts';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import { wait } from '../../src/shared/loop.ts';
import type { FaultTargets } from '../plan/fault-plan.ts';
import type { Controlled, Deployment } from './deployment.ts';
import { clockVariables } from './machine-clocks.ts';
import { NODES, RETRY_SCHEDULE } from './shared-settings.ts';

const PRODUCT = ['api-1', 'api-2', 'api-3', 'worker-1', 'worker-2', 'relay-1', 'relay-2', 'relay-3'];
const POSTGRES = ['postgres-1', 'postgres-2'];
const NATS = ['nats-1', 'nats-2', 'nats-3'];
/** The servers besides database, broker and product: balancer, pooler, counters of limits, lease of the primary. */
const OTHER_SERVERS = ['haproxy', 'pgbouncer', 'redis', 'etcd'];
/** The first node of the chain is a server of the cluster by this name. */
const CHAIN = 'chain';
/** Blocks for which a blockhash is valid, as on Solana. */
const BLOCKHASH_WINDOW = 150;
/** Sources of facts, which are no part of what is tried. */
const DEMO = ['community', 'market'];
const PROMOTED_WITHIN_MS = 60_000;
const POLL_MS = 250;

/** Targets of faults in a cluster. Its links are made while it starts, and have the names of its servers. */
export function clusterTargets(): FaultTargets {
  const apis = PRODUCT.filter((name) => name.startsWith('api'));
  const others = PRODUCT.filter((name) => !apis.includes(name));
  const each = (from: readonly string[], to: readonly string[]) =>
    from.flatMap((one) => to.filter((other) => other !== one).map((other) => `${one}→${other}`));
  const links = [
    ...each(PRODUCT, [...NATS, CHAIN, ...NODES.slice(1)]),
    ...each(others, POSTGRES),
    // Apis reach the standby through the balancer.
    ...each(apis, ['pgbouncer', 'redis', 'haproxy']),
    ...each(['haproxy'], [...apis, ...POSTGRES]),
    ...each(['pgbouncer'], ['haproxy']),
    ...each(NATS, NATS),
    ...each(POSTGRES, [...POSTGRES, 'etcd']),
  ];
  return {
    kill: [...PRODUCT, ...POSTGRES, ...NATS, ...OTHER_SERVERS],
    stop: [...PRODUCT, ...POSTGRES, ...NATS, ...OTHER_SERVERS, CHAIN],
    partition: links,
    slow: links,
    clock: PRODUCT,
    'read-only': ['primary'],
    'full-disk': [],
    'full-broker': [],
    node: NODES,
    fork: [CHAIN],
    promote: ['primary'],
    wipe: NATS,
  };
}

/** All servers of `npm run cluster`, every connection between two of them through a link of its own. */
export function startClusterDeployment(log: (line: string) => void): Promise<Deployment> {
  return Resources.build(async (resources) => {
    const dir = await resources.start(
      () => mkdtemp(join(tmpdir(), 'launchwire-faults-cluster-')),
      (path) => rm(path, { recursive: true, force: true }),
    );
    const links = new Map<string, TcpLink[]>();
    const clockFile = (name: string) => join(dir, `${name}.clock`);
    for (const name of PRODUCT) await writeFile(clockFile(name), '0');
    const cluster = await resources.start(
      () =>
        startCluster({
          dir,
          environment: { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE },
          environmentOf: (name) => clockVariables(clockFile(name)),
          chain: { nodes: NODES.slice(1), blockhashWindow: BLOCKHASH_WINDOW },
          print: log,
          async connect({ from, to, port }) {
            if (from === 'launcher') return port;
            const name = `${from}→${to}`;
            const link = await resources.start(
              () => TcpLink.open(name, [port]),
              async (one) => one.close(),
            );
            links.set(name, [...(links.get(name) ?? []), link]);
            return link.port;
          },
        }),
      (started) => started.stop(),
    );
    const { state } = cluster;
    return {
      kind: 'cluster',
      origin: cluster.origin,
      direct: {
        databaseUrl: state.databaseUrl,
        natsUrl: state.natsUrl,
        rpcUrl: state.rpcUrl.split(',')[0] ?? '',
      },
      environment: state.environment,
      processes: new Map(cluster.servers.map((server) => [server.name, controlled(server)])),
      metrics: new Map(
        await Promise.all(
          PRODUCT.map(async (name) => [name, `http://127.0.0.1:${await cluster.portOf(name)}`] as const),
        ),
      ),
      links,
      targets: clusterTargets(),
      disks: new Map(),
      databaseServers: await Promise.all(POSTGRES.map((name) => cluster.databaseUrlOf(name))),
      async primaryUrl() {
        const name = await cluster.primary();
        if (name === null) throw new Error('there is no primary');
        return cluster.databaseUrlOf(name);
      },
      async setClock(name, aheadMs) {
        await writeFile(clockFile(name), String(aheadMs));
        const { pid } = cluster.server(name);
        if (pid !== undefined) process.kill(pid, 'SIGUSR2');
      },
      promote: () => promote(cluster),
      async wipe(name) {
        const server = cluster.server(name);
        await server.kill();
        await rm(join(cluster.folder.root, 'nats', name), { recursive: true, force: true });
        return () => server.start();
      },
      async quieten() {
        for (const name of DEMO)
          if (cluster.servers.some((server) => server.name === name)) await cluster.server(name).stop();
      },
      logFolder: cluster.folder.logs,
      close: () => resources.close(),
    };
  });
}

function controlled(server: ClusterServer): Controlled {
  return {
    name: server.name,
    get unexpectedExits() {
      return server.unexpectedEnds;
    },
    get pid() {
      return server.pid;
    },
    start: () => server.start(),
    kill: () => server.kill(),
    pause: () => server.pause(),
    resume: () => server.resume(),
  };
}

/** Kills the primary and waits until the standby has taken its place. The killed one comes back as the standby. */
async function promote(cluster: Cluster): Promise<() => Promise<void>> {
  const name = await cluster.primary();
  if (name === null) throw new Error('there is no primary');
  const server = cluster.server(name);
  const mend = async () => {
    await server.start();
    await cluster.untilReplicated();
  };
  await server.kill();
  const late = AbortSignal.timeout(PROMOTED_WITHIN_MS);
  for (let next: string | null = name; next === null || next === name; next = await cluster.primary()) {
    if (late.aborted) {
      await mend();
      throw new Error(`no standby was promoted within ${PROMOTED_WITHIN_MS / 1_000} s`);
    }
    await wait(POLL_MS, late);
  }
  return mend;
}
