import type { NatsConnection } from '@nats-io/transport-node';

/**
 * The oldest nats-server for a cluster. Older ones leave consumers without a leader, or lose what they have
 * acknowledged, when nodes are lost (decisions/0068).
 */
export const CLUSTER_VERSION_MIN = '2.12.6';

/** The first nats-server with `sync_interval`, without which acknowledged messages are not on disk yet. */
const SYNC_INTERVAL_SINCE = '2.10.0';

/**
 * The version of the server of a connection when it is too old for the cluster that it belongs to; null
 * otherwise.
 */
export function outdatedClusterVersion({ info }: Pick<NatsConnection, 'info'>): string | null {
  if (info?.cluster === undefined) return null;
  return isTooOldForCluster(info.version) ? info.version : null;
}

/** @param version as the server sends it, `2.10.27` */
export function isTooOldForCluster(version: string): boolean {
  return Bun.semver.order(version, CLUSTER_VERSION_MIN) < 0;
}

/** @param version as the server sends it */
export function hasSyncInterval(version: string): boolean {
  return Bun.semver.order(version, SYNC_INTERVAL_SINCE) >= 0;
}
