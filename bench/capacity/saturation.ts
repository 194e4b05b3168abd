import { connectionsOf, type Demand } from './demand.ts';
import type { Assumptions } from './workload.ts';

/** The smallest deployment: one process of each kind, each on one core, and servers of ordinary size. */
const smallest = {
  postgres: { cores: 4, walBytes: 100e6, connections: 100, diskBytes: 1e12 },
  natsCores: 1,
  nodeCalls: 1_000,
  networkBytes: 125e6,
};

export interface Load {
  resource: string;
  /** Used share of the smallest deployment; 1 is all that the busiest hour may use. */
  share: number;
}

/** Loads of the smallest deployment, the highest first: that part saturates first. */
export function saturation(demand: Demand, { busy }: Assumptions): Load[] {
  const { api, worker, chainReader, confirmer, relay, postgres, nats, nodeCalls, networkBytes } = demand;
  const processes = countProcesses(demand, busy);
  const loads: Load[] = [
    { resource: 'api CPU', share: api.cores + api.followShare },
    { resource: 'worker CPU', share: worker.cores + chainReader.cores + confirmer.cores },
    { resource: 'relay CPU', share: relay.cores },
    { resource: 'Postgres CPU', share: postgres.cores / smallest.postgres.cores },
    { resource: 'Postgres WAL', share: postgres.walBytes / smallest.postgres.walBytes },
    // All connections may be open. No number of processes suffices when one cannot follow all trades: no row then.
    ...(Number.isFinite(processes.api)
      ? [
          {
            resource: 'Postgres connections',
            share: (connectionsOf(processes) / smallest.postgres.connections) * busy,
          },
        ]
      : []),
    { resource: 'Postgres disk', share: postgres.diskBytes / smallest.postgres.diskBytes },
    { resource: 'NATS CPU', share: nats.cores / smallest.natsCores },
    { resource: 'nodes', share: nodeCalls / smallest.nodeCalls },
    { resource: 'network', share: networkBytes / smallest.networkBytes },
  ];
  return loads
    .map(({ resource, share }) => ({ resource, share: share / busy }))
    .sort((left, right) => right.share - left.share);
}

interface ProcessCounts {
  api: number;
  worker: number;
  relay: number;
}

/** Processes of each kind that the demand needs, one at least. */
function countProcesses({ api, worker, chainReader, confirmer, relay }: Demand, busy: number): ProcessCounts {
  const of = (cores: number) => Math.max(1, Math.ceil(cores / busy));
  return {
    api: api.processes,
    worker: of(worker.cores + chainReader.cores + confirmer.cores),
    relay: of(relay.cores),
  };
}
