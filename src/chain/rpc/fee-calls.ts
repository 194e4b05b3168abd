import type { Blockhash, Address as KitAddress } from '@solana/kit';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { requirePosition } from './position-calls.ts';

/** Most accounts of one getRecentPrioritizationFees. */
const PRICED_ACCOUNTS_MAX = 128;

/** A blockhash and the last block that takes a transaction with it. */
export interface LatestBlockhash {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

/** The newest blockhash of a node at commitment `confirmed`. Whether its height is believed is for the caller to say. */
export function getLatestBlockhash(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<LatestBlockhash>> {
  return rpc.call(async (kit, abortSignal) => {
    const { value } = await kit.getLatestBlockhash({ commitment: 'confirmed' }).send({ abortSignal });
    const { blockhash, lastValidBlockHeight }: { blockhash: Blockhash; lastValidBlockHeight: unknown } =
      value;
    return { blockhash, lastValidBlockHeight: requirePosition(lastValidBlockHeight) };
  }, timeoutMs);
}

/**
 * The lowest prices, in micro-lamports per compute unit, that landed in each of the last 150 or so blocks among
 * transactions that wrote to these accounts. In no order.
 */
export function getRecentPrices(
  rpc: ChainRpc,
  accounts: readonly string[],
  timeoutMs: number,
): Promise<RpcOutcome<readonly bigint[]>> {
  const asked = accounts.slice(0, PRICED_ACCOUNTS_MAX) as readonly string[] as readonly KitAddress[];
  return rpc.call(async (kit, abortSignal) => {
    const prices = await kit.getRecentPrioritizationFees(asked).send({ abortSignal });
    return prices.map(({ prioritizationFee }) => requirePosition(prioritizationFee));
  }, timeoutMs);
}
