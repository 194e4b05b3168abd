import { ratio } from '../cases/case.ts';
import type { BenchEnvironment, BenchServer } from '../cases/environment.ts';
import { finishAll } from '../measurement/finish-all.ts';
import type { Figures } from '../measurement/rounds.ts';
import { BUN, ELYSIA, FASTIFY, HONO, OURS } from './variant-names.ts';

/** A server of `bench/servers` that does the same as the product in a usual way. */
export interface Peer {
  /** The name of its variant. */
  name: string;
  /** In the names of ratios. */
  shortName: string;
  file: string;
  runtime: 'bun' | 'node';
  variables?: Record<string, string>;
}

/** With the product's driver and pool of connections. */
export const usualPeers: readonly Peer[] = [
  { name: FASTIFY, shortName: 'Fastify', file: 'fastify.ts', runtime: 'node' },
  { name: HONO, shortName: 'Hono', file: 'hono.ts', runtime: 'bun' },
];

const bunClient = { BENCH_CLIENT: 'bun' };

/** Also those with Bun's own client of Postgres, which differ only in the framework. They serve fewer operations. */
export const allPeers: readonly Peer[] = [
  ...usualPeers,
  { name: ELYSIA, shortName: 'Elysia', file: 'elysia.ts', runtime: 'bun', variables: bunClient },
  { name: BUN, shortName: 'Bun.serve and Bun.SQL', file: 'bun.ts', runtime: 'bun', variables: bunClient },
];

export function startPeers(
  environment: BenchEnvironment,
  peers: readonly Peer[],
  variables: Record<string, string>,
): Promise<[string, BenchServer][]> {
  const start = async (peer: Peer): Promise<[string, BenchServer]> => [
    peer.name,
    await environment.startPeer(peer, { ...variables, ...peer.variables }),
  ];
  return finishAll(peers.map(start));
}

/** @param meaning what the peers do, where figures of earlier runs are of peers that did less */
export function peerRatios(figures: readonly Figures[], peers: readonly Peer[], meaning = '') {
  return Object.fromEntries(
    peers.flatMap(({ name, shortName }) => [
      [`throughput, ours / ${shortName}${meaning}`, ratio(figures, OURS, name, 'requestsPerSecond')],
      [`server CPU, ours / ${shortName}${meaning}`, ratio(figures, OURS, name, 'cpuMicrosecondsPerRequest')],
    ]),
  );
}
