import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resources } from '../../bench/cases/resources.ts';
import type { ClusterServer } from '../../sandbox/cluster/servers.ts';
import { type Cluster, startCluster } from '../../sandbox/cluster/start-cluster.ts';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import { wait } from '../../src/shared/loop.ts';
import type { FaultTargets } from '../plan/fault-plan.ts';
import type { Controlled, Deployment } from './deployment.ts';

/** Seconds. Short, so that a walk has retries, and long enough that no endpoint runs out of them. */
const RETRY_SCHEDULE = Array.from({ length: 40 }, (_, at) => Math.min(1 + at, 5)).join(',');
const PRODUCT = ['api-1', 'api-2', 'api-3', 'worker-1', 'worker-2', 'relay-1', 'relay-2', 'relay-3'];
const POSTGRES = ['postgres-1', 'postgres-2'];
const NATS = ['nats-1', 'nats-2', 'nats-3'];
const MIDDLE = ['haproxy', 'pgbouncer'];
/** Sources of facts and the demo: they are no part of what is tried. */
const AROUND = ['community', 'market'];
const PROMOTED_WITHIN_MS = 60_000;
const POLL_MS = 250;

/** What can fail in a cluster. Links are made while it starts; their names follow from its servers. */
export function clusterTargets(): FaultTargets {
  const links = [
    ...PRODUCT.flatMap((from) => [...POSTGRES, ...NATS].map((to) => `${from}→${to}`)),
    ...NATS.flatMap((from) => NATS.filter((to) => to !== from).map((to) => `${from}→${to}`)),
    ...PRODUCT.filter((name) => name.startsWith('api')).map((to) => `haproxy→${to}`),
    'postgres-1→postgres-2',
    'postgres-2→postgres-1',
  ];
  return {
    kill: [...PRODUCT, ...POSTGRES, ...NATS, ...MIDDLE],
    stop: [...PRODUCT, ...POSTGRES, ...NATS],
    partition: links,
    slow: links,
    clock: [],
    'read-only': [],
    // With one node nothing contradicts a lie.
    node: [],
    fork: ['chain'],
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
    const cluster = await resources.start(
      () =>
        startCluster({
          dir,
          environment: { WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE },
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
      links,
      targets: clusterTargets(),
      setClock: () => Promise.reject(new Error('the clocks of a cluster are not moved')),
      promote: () => promote(cluster),
      async wipe(name) {
        const server = cluster.server(name);
        await server.kill();
        await rm(join(cluster.folder.root, 'nats', name), { recursive: true, force: true });
        return () => server.start();
      },
      async quieten() {
        for (const name of AROUND)
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
    unexpectedExits: 0,
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
  await server.kill();
  const late = AbortSignal.timeout(PROMOTED_WITHIN_MS);
  for (let next: string | null = name; next === null || next === name; next = await cluster.primary()) {
    if (late.aborted) break;
    await wait(POLL_MS, late);
  }
  return async () => {
    await server.start();
    await cluster.untilReplicated();
  };
}
