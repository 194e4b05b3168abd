import { startBunChild } from '../processes/bun-child.ts';
import type { Environment } from '../processes/environment.ts';
import { apiIsReady, probe } from '../processes/readiness.ts';
import { stages } from '../processes/supervisor.ts';
import { natsUrlFor } from './broker.ts';
import { type ClusterContext, namesOf } from './context.ts';
import { databaseUrlFor, replicaUrlFor } from './database.ts';
import { redisUrlFor } from './limiter.ts';
import { poolerEnvironmentFor } from './pgbouncer.ts';

export const CHAIN = 'chain';

/** The contract allows 15 s; a process that takes longer than this is not worth waiting for. */
const STOP_TIMEOUT_MS = 8_000;

const ENTRIES = {
  api: { entry: 'src/api/main.ts', stage: stages.product },
  worker: { entry: 'src/worker/main.ts', stage: stages.product },
  relay: { entry: 'relay/main.ts', stage: stages.sources },
} as const;

/** Starts the processes of one kind. Each is ready when its `/readyz` says so. */
export async function startProcesses(
  context: ClusterContext,
  kind: keyof typeof ENTRIES,
  shared: Environment,
): Promise<void> {
  await Promise.all(namesOf(kind).map((name) => startProcess(context, kind, name, shared)));
}

async function startProcess(
  context: ClusterContext,
  kind: keyof typeof ENTRIES,
  name: string,
  shared: Environment,
): Promise<void> {
  const { supervisor, folder, links } = context;
  const { entry, stage } = ENTRIES[kind];
  const port = await links.portOf(name, 'api');
  const environment = {
    ...shared,
    ...(await ownEnvironment(context, name)),
    ...(kind === 'api'
      ? {
          ...(await poolerEnvironmentFor(context, name)),
          DATABASE_REPLICA_URL: await replicaUrlFor(context, name),
          PORT: String(port),
          API_DRAIN_SECONDS: '2',
        }
      : { METRICS_PORT: String(port) }),
    ...context.environmentOf(name),
  };
  await supervisor.start(name, stage, () =>
    startBunChild(folder, {
      name,
      // The folder marks the process as ours (processes/leftovers.ts).
      args: [entry, '--sandbox', folder.root],
      environment,
      ready: probe(() => apiIsReady(`http://127.0.0.1:${port}`)),
      stopTimeoutMs: STOP_TIMEOUT_MS,
    }),
  );
}

/** The addresses that a process reaches by links of its own. */
export async function ownEnvironment(context: ClusterContext, name: string): Promise<Environment> {
  const { links, chainNodes } = context;
  const nodes = await Promise.all(
    [CHAIN, ...chainNodes].map(async (node) => ({
      rpc: await links.portFor(name, node, 'chain'),
      socket: await links.portFor(name, node, 'chain-socket'),
    })),
  );
  return {
    DATABASE_URL: await databaseUrlFor(context, name),
    NATS_URL: await natsUrlFor(context, name),
    REDIS_URL: await redisUrlFor(context, name),
    SOLANA_RPC_URL: nodes.map(({ rpc }) => `http://127.0.0.1:${rpc}`).join(','),
    SOLANA_WS_URL: nodes.map(({ socket }) => `ws://127.0.0.1:${socket}`).join(','),
  };
}
