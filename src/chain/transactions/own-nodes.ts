import type { ChainRpc } from '../rpc.ts';

/**
 * The nodes at which a protected transaction may be simulated: those marked as the operator's own. If none is
 * marked, every configured node counts as such.
 */
export function ownNodes(rpcs: readonly ChainRpc[]): readonly ChainRpc[] {
  const marked = rpcs.filter(({ isOwn }) => isOwn);
  return marked.length === 0 ? rpcs : marked;
}
