export const clusterNames = ['mainnet-beta', 'devnet', 'testnet', 'localnet'] as const;
export type Cluster = (typeof clusterNames)[number];

/** Genesis hashes of the public clusters, as public tools list them. They never change. */
const clusters: ReadonlyMap<string, Cluster> = new Map([
  ['5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', 'mainnet-beta'],
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'devnet'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'testnet'],
]);

/** The public cluster with this genesis hash. A chain with another hash is a local one. */
export function clusterOf(genesisHash: string): Cluster {
  return clusters.get(genesisHash) ?? 'localnet';
}
