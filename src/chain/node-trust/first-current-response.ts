import type { Clock } from '../../shared/clock.ts';
import { firstResponse } from '../rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { leastCurrentSlot } from './chain-reach.ts';
import { CLIMB_PER_SECOND } from './climb-limit.ts';

export interface CurrentReadDependencies {
  /** In the order they are asked. */
  rpcs: readonly ChainRpc[];
  clock: Clock;
}

/**
 * As `firstResponse`, but of a node that is near the head: one that is not refuses, and the next one is asked. Nodes that were
 * behind a moment ago are asked last, so that they cost no request while another responds.
 *
 * @param request passes `minContextSlot` on, which the node has to have reached.
 * @param slot of something that a node has shown: one that has not reached it does not know it yet.
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

/** The nodes in their order, those last that cannot have reached the slot by now. */
export function currentFirst(rpcs: readonly ChainRpc[], slot: bigint, now: Date): ChainRpc[] {
  const behind = new Set(rpcs.filter(({ positions }) => isBehind(positions.latest(now), slot, now)));
  return [...rpcs.filter((rpc) => !behind.has(rpc)), ...behind];
}

function isBehind(latest: { slot: bigint; atMs: number } | null, slot: bigint, now: Date): boolean {
  if (latest === null) return false;
  const ageSeconds = Math.max(0, now.getTime() - latest.atMs) / 1_000;
  return latest.slot + BigInt(Math.ceil(ageSeconds * CLIMB_PER_SECOND)) < slot;
}
