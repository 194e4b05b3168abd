/**
 * The oldest nats-server for a cluster. Older ones leave consumers without a leader, or lose what they have
 * acknowledged, when nodes are lost (decisions/0068).
 */
export const CLUSTER_VERSION_MIN = '2.12.6';

/** @param version as the server sends it, `2.10.27` */
export function isTooOldForCluster(version: string): boolean {
  return Bun.semver.order(version, CLUSTER_VERSION_MIN) < 0;
}
