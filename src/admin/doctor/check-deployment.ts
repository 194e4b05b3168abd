import { type Cluster, clusterOf } from '../../chain/cluster.ts';
import { getGenesisHash } from '../../chain/rpc/position-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { AdminConfig } from '../../config/load.ts';
import { publicAddressFault } from '../../shared/public-addresses.ts';
import { type Finding, failed, ok } from './finding.ts';

const TIMEOUT_MS = 5_000;

/**
 * Checks that the parts fit the environment: a live deployment is on mainnet-beta, or on the `cluster` that was asked
 * for, and has an address that clients reach. Nodes that do not answer have a finding of their own.
 */
export async function checkDeployment(
  rpcs: readonly ChainRpc[],
  { apiEnvironment, publicUrl, docsUrl }: AdminConfig,
  cluster: string | undefined,
): Promise<Finding> {
  const isLive = apiEnvironment === 'live';
  const expected = cluster ?? (isLive ? 'mainnet-beta' : undefined);
  const asked = await Promise.all(rpcs.map(readCluster));
  const found = asked.flatMap((one) => one ?? []);
  const strangers = expected === undefined ? [] : found.filter((node) => node.cluster !== expected);
  const faults = [
    ...(isLive ? [publicAddressFault({ publicUrl, docsUrl })] : []),
    ...strangers.map((node) => `node ${node.name} is of ${node.cluster}, not of ${expected}`),
  ].filter((fault) => fault !== null);
  const clusters = [...new Set(found.map((node) => node.cluster))].join(', ') || 'no node says the cluster';
  return faults.length === 0
    ? ok('deployment', `${apiEnvironment}, ${publicUrl}, ${clusters}`)
    : failed('deployment', `API_ENVIRONMENT is ${apiEnvironment}, and ${faults.join('; ')}`);
}

async function readCluster(rpc: ChainRpc): Promise<{ name: string; cluster: Cluster } | null> {
  const genesis = await getGenesisHash(rpc, TIMEOUT_MS);
  return genesis.ok ? { name: rpc.name, cluster: clusterOf(genesis.value) } : null;
}
