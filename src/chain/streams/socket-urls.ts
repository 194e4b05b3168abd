import type { NodeAddress } from '../../shared/node-address.ts';

/**
 * WebSocket addresses of the nodes. The default is the RPC addresses, because hosted nodes serve both
 * protocols at one address.
 */
export function socketUrls({
  solanaNodes,
  solanaSocketUrls,
}: {
  solanaNodes: readonly Pick<NodeAddress, 'url'>[];
  solanaSocketUrls: readonly string[] | undefined;
}): readonly string[] {
  return solanaSocketUrls ?? solanaNodes.map(({ url }) => url.replace(/^http/i, 'ws'));
}
