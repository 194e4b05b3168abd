import type { Clock } from '../../shared/clock.ts';
import { fastestOf, mostIn } from '../pace/chain-pace.ts';
import { firstResponse } from '../rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { leastCurrentSlot } from './chain-reach.ts';

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
  return firstResponse(currentFirst(rpcs, least, now), (rpc) => asCurrent(rpc, least, clock, request));
}

/** One request as of a slot, which shows whether the node is where it says that it is. */
export async function asCurrent<Value>(
  rpc: ChainRpc,
  minContextSlot: bigint,
  clock: Clock,
  request: (rpc: ChainRpc, minContextSlot: bigint) => Promise<RpcOutcome<Value>>,
): Promise<RpcOutcome<Value>> {
  const outcome = await request(rpc, minContextSlot);
  if (outcome.ok) rpc.positions.answered();
  else if (outcome.failure.isBehind === true) rpc.positions.refused(minContextSlot, clock.now());
  return outcome;
}

/** The nodes in their order. Nodes that cannot have reached the slot by now come last. */
export function currentFirst(rpcs: readonly ChainRpc[], slot: bigint, now: Date): ChainRpc[] {
  const behind = new Set(rpcs.filter((rpc) => isBehind(rpc, slot, now)));
  return [...rpcs.filter((rpc) => !behind.has(rpc)), ...behind];
}

function isBehind({ positions }: ChainRpc, slot: bigint, now: Date): boolean {
  const latest = positions.latest(now);
  if (latest === null) return false;
  return latest.slot + mostIn(now.getTime() - latest.atMs, fastestOf(positions.bounds)) < slot;
}
