import type { Clock } from '../../shared/clock.ts';
import { firstResponse } from '../rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { leastCurrentSlot } from './chain-reach.ts';
import { CLIMB_PER_SECOND } from './climb-limit.ts';

export interface CurrentReadDependencies {
  /** In the order in which they are asked. */
  rpcs: readonly ChainRpc[];
  clock: Clock;
}

/**
 * Works as `firstResponse`, but takes only responses of nodes near the head. A node that lags refuses, and
 * the next one is asked. Nodes that lagged a moment ago are asked last, so that they cost no request while
 * another node responds.
 *
 * @param request passes `minContextSlot` on, the least slot that the node must have reached.
 * @param slot of a fact that some node has reported. A node before that slot does not know the fact yet.
 */
export function firstCurrentResponse<Value>(
  { rpcs, clock }: CurrentReadDependencies,
  request: (rpc: ChainRpc, minContextSlot: bigint) => Promise<RpcOutcome<Value>>,
  slot = 0n,
): Promise<RpcOutcome<Value>> {
  const now = clock.now();
  const current = leastCurrentSlot(rpcs, now);
  const least = current > slot ? current : slot;
  return firstResponse(currentFirst(rpcs, least, now), (rpc) => request(rpc, least));
}

/** The nodes in their order. Nodes that cannot have reached the slot by now come last. */
export function currentFirst(rpcs: readonly ChainRpc[], slot: bigint, now: Date): ChainRpc[] {
  const behind = new Set(rpcs.filter(({ positions }) => isBehind(positions.latest(now), slot, now)));
  return [...rpcs.filter((rpc) => !behind.has(rpc)), ...behind];
}

function isBehind(latest: { slot: bigint; atMs: number } | null, slot: bigint, now: Date): boolean {
  if (latest === null) return false;
  const ageSeconds = Math.max(0, now.getTime() - latest.atMs) / 1_000;
  return latest.slot + BigInt(Math.ceil(ageSeconds * CLIMB_PER_SECOND)) < slot;
}
