import { join } from 'node:path';
import { exitOf } from '../processes/server-processes.ts';
import { stages } from '../processes/supervisor.ts';
import { startNatsCluster } from '../services/nats-cluster.ts';
import { type ClusterContext, namesOf } from './context.ts';

/** Starts the nodes of the JetStream cluster. Resolves when it has a leader. */
export async function startBroker({ supervisor, folder, links, durable }: ClusterContext): Promise<void> {
  const names = namesOf('nats');
  const cluster = await startNatsCluster({
    dir: join(folder.root, 'nats'),
    durable,
    size: names.length,
    ports: await Promise.all(names.map((name) => links.portOf(name, 'nats'))),
    routePort(from, to, port) {
      links.setPort(to, 'nats-routes', port);
      return links.portFor(from, to, 'nats-routes');
    },
  });
  let isFirst = true;
  const start = cluster.nodes.map((node) => async () => {
    // One that ended by itself is still known as running.
    if (!isFirst) await node.kill();
    await node.start();
    const pid = node.pid ?? 0;
    return { pid, exited: exitOf(pid), stop: () => node.stop(), kill: () => node.kill() };
  });
  await Promise.all(
    cluster.nodes.map(({ name }, at) => {
      const begin = start[at];
      if (begin === undefined) throw new Error(`no node ${name}`);
      return supervisor.start(name, stages.servers, begin);
    }),
  );
  isFirst = false;
}

/** The addresses of all nodes, as a process reaches them. */
export async function natsUrlFor({ links }: Pick<ClusterContext, 'links'>, from: string): Promise<string> {
  const ports = await Promise.all(namesOf('nats').map((name) => links.portFor(from, name, 'nats')));
  return ports.map((port) => `nats://127.0.0.1:${port}`).join(',');
}
