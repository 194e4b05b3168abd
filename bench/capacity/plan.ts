import type { Costs } from './cost-figures.ts';
import { connectionsOf, type Demand, demandOf } from './demand.ts';
import {
  APP_MACHINE_CORES,
  CONNECTIONS_WITHOUT_POOLER,
  GB_PER_CORE,
  machineCores,
  smallest,
} from './limits.ts';
import type { Prices } from './prices.ts';
import {
  countProcesses,
  type Exhausted,
  exhausted,
  type Load,
  type ProcessCounts,
  saturation,
} from './saturation.ts';
import type { Assumptions, Workload } from './workload.ts';

export interface MachineGroup {
  role: string;
  count: number;
  cores: number;
  /** TB of disk of each. */
  diskTb: number;
}

export interface Plan {
  workload: Workload;
  demand: Demand;
  /** What the smallest deployment has least of, first. */
  loads: Load[];
  /** Parts of the design that are used up. */
  exhausted: Exhausted[];
  /** Deployments among which pools and accounts are divided; 1 while the design suffices. */
  cells: number;
  /** Processes of all cells together. */
  processes: ProcessCounts;
  hasPooler: boolean;
  machines: MachineGroup[];
  nodes: number;
  costPerMonth: number;
}

/** Beyond it no division is tried. */
const CELLS_MAX = 65_536;
/** Processes of one machine of which a smaller deployment consists, with Postgres and NATS on it. */
const ONE_MACHINE_CORES = 8;

/**
 * The processes and machines for a workload, and their cost. Where one deployment cannot take it, the plan is that of as
 * many as it needs, each with its share of pools and accounts. Throws when no number of them suffices.
 */
export function planFor(workload: Workload, costs: Costs, assumed: Assumptions, prices: Prices): Plan {
  const demand = demandOf(workload, costs, assumed);
  const cells = cellsFor(workload, costs, assumed);
  const cell = demandOf(shareOf(workload, cells), costs, assumed);
  const needed = countProcesses(cell, assumed.busy);
  const isOneMachine = cells === 1 && fitsOneMachine(cell, needed, assumed.busy);
  // On several machines the loss of one leaves another process of each kind.
  const least = isOneMachine ? 1 : 2;
  const counts = {
    api: Math.max(least, needed.api),
    worker: Math.max(least, needed.worker),
    relay: Math.max(least, needed.relay),
  };
  const hasPooler = connectionsOf(counts) > CONNECTIONS_WITHOUT_POOLER;
  const groups = isOneMachine
    ? [{ role: 'everything', count: 1, cores: ONE_MACHINE_CORES, diskTb: diskTbOf(cell, assumed.busy) }]
    : machinesFor(cell, counts, assumed.busy);
  const machines = groups.map((group) => ({ ...group, count: group.count * cells }));
  const nodes = Math.max(2, Math.ceil(cell.nodeCalls / (smallest.nodeCalls * assumed.busy))) * cells;
  const processes = { api: counts.api * cells, worker: counts.worker * cells, relay: counts.relay * cells };
  return {
    workload,
    demand,
    loads: saturation(demand, assumed),
    exhausted: exhausted(demand, assumed),
    cells,
    processes,
    hasPooler,
    machines,
    nodes,
    costPerMonth: costOf(machines, nodes, demand.trafficBytes, prices),
  };
}

/** A cell's part: its pools and accounts. Who follows every trade follows it in each cell. */
function shareOf(workload: Workload, cells: number): Workload {
  const { trades, pools, reads, submissions, deliveries, endpoints, readers, streams } = workload;
  return {
    trades: trades / cells,
    pools: pools / cells,
    reads: reads / cells,
    submissions: submissions / cells,
    deliveries: deliveries / cells,
    endpoints: endpoints / cells,
    readers: readers / cells,
    streams,
  };
}

function cellsFor(workload: Workload, costs: Costs, assumed: Assumptions): number {
  const suffices = (cells: number) =>
    exhausted(demandOf(shareOf(workload, cells), costs, assumed), assumed).length === 0;
  let most = 1;
  while (!suffices(most)) {
    most *= 2;
    if (most > CELLS_MAX) throw new Error('no number of deployments takes this workload');
  }
  let least = Math.floor(most / 2) + 1;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (suffices(middle)) most = middle;
    else least = middle + 1;
  }
  return most;
}

function fitsOneMachine(demand: Demand, { api, worker, relay }: ProcessCounts, busy: number): boolean {
  const cores =
    demand.api.cores +
    demand.api.followShare +
    demand.worker.cores +
    demand.chainReader.cores +
    demand.confirmer.cores +
    demand.relay.cores +
    demand.postgres.cores +
    demand.nats.cores;
  return cores / busy <= ONE_MACHINE_CORES && api + worker + relay <= ONE_MACHINE_CORES;
}

const DISK_TB_MIN = 0.1;

function diskTbOf({ postgres }: Demand, busy: number): number {
  return Math.max(DISK_TB_MIN, postgres.diskBytes / 1e12 / busy);
}

function machinesFor(demand: Demand, counts: ProcessCounts, busy: number): MachineGroup[] {
  const { postgres, nats, api } = demand;
  const processes = counts.api + counts.worker + counts.relay;
  const memoryBytes = api.memoryBytes + counts.relay * demand.relay.memoryBytesEach;
  const byCores = Math.ceil(processes / (APP_MACHINE_CORES - 1));
  const byMemory = Math.ceil(memoryBytes / 1e9 / busy / (APP_MACHINE_CORES * GB_PER_CORE));
  return [
    {
      role: 'api, worker, relay',
      count: Math.max(2, byCores, byMemory),
      cores: APP_MACHINE_CORES,
      diskTb: 0.05,
    },
    {
      role: 'Postgres, primary and standby',
      count: 2,
      cores: sizeFor(Math.max(4, postgres.cores / busy)),
      diskTb: diskTbOf(demand, busy),
    },
    { role: 'NATS', count: 3, cores: sizeFor(nats.cores / busy), diskTb: 0.2 },
    {
      role: 'load balancer',
      count: 2,
      cores: sizeFor(demand.networkBytes / BALANCED_BYTES_PER_CORE),
      diskTb: 0.02,
    },
  ];
}

/** A core of a load balancer passes about 2 Gbit/s with TLS. */
const BALANCED_BYTES_PER_CORE = 250e6;

/** The smallest machine with as many cores; the largest when none has. */
export function sizeFor(cores: number): number {
  return machineCores.find((size) => size >= cores) ?? machineCores[machineCores.length - 1] ?? 0;
}

function costOf(
  machines: readonly MachineGroup[],
  nodes: number,
  trafficBytes: number,
  prices: Prices,
): number {
  const ofMachines = machines.reduce(
    (sum, { count, cores, diskTb }) =>
      sum + count * (cores * (prices.perCore + GB_PER_CORE * prices.perGbMemory) + diskTb * prices.perTbDisk),
    0,
  );
  return ofMachines + nodes * prices.perNode + (trafficBytes / 1e12) * prices.perTbTraffic;
}
