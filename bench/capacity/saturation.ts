import { connectionsOf, type Demand } from './demand.ts';
import { largest, smallest } from './limits.ts';
import type { Assumptions } from './workload.ts';

export interface Load {
  resource: string;
  /** Share of the smallest deployment that is used; 1 is all that may be used in the busiest hour. */
  share: number;
}

/** What the smallest deployment has least of, first. */
export function saturation(demand: Demand, { busy }: Assumptions): Load[] {
  const { api, worker, chainReader, confirmer, relay, postgres, nats, nodeCalls, networkBytes } = demand;
  const processes = countProcesses(demand, busy);
  const loads: Load[] = [
    { resource: 'api CPU', share: api.cores + api.followShare },
    { resource: 'worker CPU', share: worker.cores + chainReader.cores + confirmer.cores },
    { resource: 'relay CPU', share: relay.cores },
    { resource: 'Postgres CPU', share: postgres.cores / smallest.postgres.cores },
    { resource: 'Postgres WAL', share: postgres.walBytes / smallest.postgres.walBytes },
    // All connections may be open. Endless processes have no number of them: `exhausted` names the reason.
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

export interface ProcessCounts {
  api: number;
  worker: number;
  relay: number;
}

/** Processes of each kind that the demand needs, one at least. */
export function countProcesses(
  { api, worker, chainReader, confirmer, relay }: Demand,
  busy: number,
): ProcessCounts {
  const of = (cores: number) => Math.max(1, Math.ceil(cores / busy));
  return {
    api: api.processes,
    worker: of(worker.cores + chainReader.cores + confirmer.cores),
    relay: of(relay.cores),
  };
}

/** A part of the design that is used up, whatever is bought, and what takes its place. */
export interface Exhausted {
  part: string;
  /** Demand divided by the most that it can take. */
  times: number;
  instead: string;
}

export function exhausted(demand: Demand, { busy }: Assumptions): Exhausted[] {
  const { postgres, chainReader, confirmer, nats, nodeCalls, api } = demand;
  const { postgres: primary } = largest;
  const { api: apis, worker, relay } = countProcesses(demand, busy);
  const connections = Number.isFinite(apis)
    ? connectionsOf({ api: apis, worker, relay })
    : Number.POSITIVE_INFINITY;
  const limits: Exhausted[] = [
    {
      part: 'one log of streams that every api follows',
      times: api.followShare / busy,
      instead:
        'streams by subjects of NATS, of which an api follows those of its readers; a super-cluster beyond one cluster',
    },
    {
      part: 'one worker that reads pools',
      times: chainReader.cores / (largest.chainReaderCores * busy),
      instead: 'pools divided among workers, or a Geyser feed that publishes trades itself',
    },
    {
      part: 'one worker that confirms',
      times: confirmer.cores / (largest.confirmerCores * busy),
      instead: 'intents divided among confirmers by account',
    },
    { part: 'CPU of one primary', times: postgres.cores / (primary.cores * busy), instead: engineOf(demand) },
    {
      part: 'WAL of one primary',
      times: postgres.walBytes / (primary.walBytes * busy),
      instead: engineOf(demand),
    },
    {
      part: 'disk of one primary',
      times: postgres.diskBytes / (primary.diskBytes * busy),
      instead: 'trades in TimescaleDB (compressed) or ClickHouse; intents need a retention',
    },
    {
      part: 'sessions of one primary',
      times: connections / primary.connections,
      instead: 'partitions by account on Citus, each with its own pooler',
    },
    {
      part: 'leader of a stream of NATS',
      times: nats.cores / (largest.natsCores * busy),
      instead: 'several streams by hash of the mint and the account, in a super-cluster',
    },
    {
      part: 'calls of nodes',
      times: nodeCalls / largest.nodeCalls,
      instead: 'own validators with a Geyser feed instead of calls',
    },
  ];
  return limits.filter(({ times }) => times > 1).sort((left, right) => right.times - left.times);
}

/** What relieves the primary of the work that takes most of it. */
function engineOf({ postgres: { coresBySource } }: Demand): string {
  const [[most] = ['reads']] = Object.entries(coresBySource).sort(([, left], [, right]) => right - left);
  if (most === 'trades') return 'trades and candles in TimescaleDB or ClickHouse';
  if (most === 'reads')
    return 'replicas for anonymous reads, and an HTTP cache that holds each answer for a second';
  return 'partitions by account on Citus';
}
