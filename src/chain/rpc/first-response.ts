import type { RpcOutcome } from '../rpc.ts';
import type { RpcFailure } from './rpc-failure.ts';

/**
 * Calls the nodes in order until one responds. Only for reads, because a request may be repeated. Returns the
 * response, or the failure of the last node.
 */
export async function firstResponse<Node extends { readonly name: string }, Value>(
  nodes: readonly Node[],
  request: (node: Node) => Promise<RpcOutcome<Value>>,
): Promise<RpcOutcome<Value>> {
  let failure: RpcFailure = { kind: 'unavailable', message: 'no RPC node is configured' };
  for (const node of nodes) {
    const outcome = await request(node);
    if (outcome.ok) return outcome;
    failure = { ...outcome.failure, message: `${node.name}: ${outcome.failure.message}` };
  }
  return { ok: false, failure };
}
