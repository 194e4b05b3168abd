import { createSolanaRpcFromTransport } from '@solana/kit';
import { type NodeOrUrl, namedNode } from '../shared/node-address.ts';
import { PositionHistory } from './node-trust/position-history.ts';
import { type PaceBounds, protocolBounds } from './pace/protocol.ts';
import { type AskNode, createAsk } from './rpc/ask-node.ts';
import { createBoundedTransport } from './rpc/post.ts';
import { describeRpcFailure, type RpcOutcome } from './rpc/rpc-failure.ts';
import { createSendTarget, type SendTarget, sendsInFlightMax } from './rpc/send-target.ts';

export type SolanaRpc = ReturnType<typeof createKit>;

export type { RpcOutcome } from './rpc/rpc-failure.ts';

/** One JSON-RPC node, with the trust of this process in it. */
export interface ChainRpc extends SendTarget {
  /** The operator's own, as configured. */
  readonly isOwn: boolean;
  readonly positions: PositionHistory;
  /**
   * Runs one request of @solana/kit within `timeoutMs`, for example `rpc.call((kit, abortSignal) =>
   * kit.getSlot().send({ abortSignal }), 2_000)`, or one that is written by hand. A quarantined node is not called.
   */
  call<Value>(request: RpcRequest<Value>, timeoutMs: number): Promise<RpcOutcome<Value>>;
}

export type RpcRequest<Value> = (kit: SolanaRpc, abortSignal: AbortSignal, ask: AskNode) => Promise<Value>;

/**
 * One client per node of `SOLANA_RPC_URL`, in order.
 *
 * @param otherTargets number of other addresses to which this process sends: all share the limit of requests
 * in flight.
 */
export function createChainRpcs(
  nodes: readonly NodeOrUrl[],
  otherTargets = 0,
  bounds: PaceBounds = protocolBounds,
): ChainRpc[] {
  return nodes.map((node) => createChainRpc(node, nodes.length + otherTargets, bounds));
}

/** @param targets number of addresses to which this process sends. */
export function createChainRpc(node: NodeOrUrl, targets = 1, bounds: PaceBounds = protocolBounds): ChainRpc {
  const { name, url, isOwn = false } = namedNode(node);
  const kit = createKit(url);
  const ask = createAsk(url);
  const target = createSendTarget(url, { inFlightMax: sendsInFlightMax(targets), name });
  const { quarantine } = target;
  async function callNode<Value>(request: RpcRequest<Value>, timeoutMs: number): Promise<RpcOutcome<Value>> {
    try {
      return { ok: true, value: await request(kit, AbortSignal.timeout(timeoutMs), ask) };
    } catch (error) {
      return { ok: false, failure: describeRpcFailure(error) };
    }
  }
  return {
    ...target,
    isOwn,
    positions: new PositionHistory(bounds),
    async call(request, timeoutMs) {
      if (quarantine.isActive) return quarantined;
      const outcome = await callNode(request, timeoutMs);
      // If the node was quarantined in the meantime, this response does not count either.
      return quarantine.isActive ? quarantined : outcome;
    },
  };
}

const quarantined: RpcOutcome<never> = {
  ok: false,
  failure: { kind: 'unavailable', message: 'the node is quarantined' },
};

function createKit(url: string) {
  return createSolanaRpcFromTransport(createBoundedTransport(url));
}
