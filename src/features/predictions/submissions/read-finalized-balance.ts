import { type FinalizedBalance, getFinalizedBalance } from '../../../chain/holdings/finalized-balance.ts';
import { firstResponse } from '../../../chain/rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../../../chain/rpc.ts';

const TIMEOUT_MS = 2_500;
/**
 * Slots that a node may be behind the newest final slot that any node reports; honest ones are closer. Wider than the 32 by which
 * TowerBFT finalises behind the head, so that a node which reports its head as final keeps no other one out.
 */
const SLOTS_BEHIND_MAX = 64n;

export interface BalanceDependencies {
  /** In the order of their use. */
  rpcs: readonly ChainRpc[];
  /** Null while no node has reported one. */
  newestFinalizedSlot(): Promise<bigint | null>;
}

/**
 * Reads the finalized balance of a wallet from the chain: never cached, and never from a node that lags far.
 */
export async function readFinalizedBalance(
  { rpcs, newestFinalizedSlot }: BalanceDependencies,
  wallet: string,
  mint: string,
): Promise<RpcOutcome<FinalizedBalance>> {
  const newest = await newestFinalizedSlot();
  const minContextSlot = newest !== null && newest > SLOTS_BEHIND_MAX ? newest - SLOTS_BEHIND_MAX : null;
  return firstResponse(rpcs, (rpc) => getFinalizedBalance(rpc, { wallet, mint, minContextSlot }, TIMEOUT_MS));
}
