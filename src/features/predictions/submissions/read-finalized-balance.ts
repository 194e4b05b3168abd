import { type ChainHeadSource, isFresh } from '../../../chain/head.ts';
import { type FinalizedBalance, getFinalizedBalance } from '../../../chain/holdings/finalized-balance.ts';
import { firstResponse } from '../../../chain/rpc/first-response.ts';
import type { ChainRpc, RpcOutcome } from '../../../chain/rpc.ts';
import type { Clock } from '../../../shared/clock.ts';

const TIMEOUT_MS = 2_500;
/**
 * About two minutes: finalized slots are about 32 after the head, and a node that lags more returns an old
 * balance.
 */
const SLOTS_BEHIND_MAX = 300n;

export interface BalanceDependencies {
  /** In the order of their use. */
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  clock: Clock;
}

/**
 * Reads the finalized balance of a wallet from the chain: never cached, and never from a node that lags far.
 */
export function readFinalizedBalance(
  { rpcs, chainHead, clock }: BalanceDependencies,
  wallet: string,
  mint: string,
): Promise<RpcOutcome<FinalizedBalance>> {
  const head = chainHead.current();
  const minContextSlot =
    head !== null && isFresh(head, clock.now()) && head.slot > SLOTS_BEHIND_MAX
      ? head.slot - SLOTS_BEHIND_MAX
      : null;
  return firstResponse(rpcs, (rpc) => getFinalizedBalance(rpc, { wallet, mint, minContextSlot }, TIMEOUT_MS));
}
