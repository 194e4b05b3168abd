import type { Blockhash, Address as KitAddress } from '@solana/kit';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { requireContextSlot, requirePosition } from './position-calls.ts';

/** Most accounts of one getRecentPrioritizationFees. */
const PRICED_ACCOUNTS_MAX = 128;

/** A blockhash, and a height above which no block takes a transaction with it. */
export interface LatestBlockhash {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

/**
 * The newest blockhash of a node at commitment `confirmed`. Whether its height is believed is for the caller to say.
 *
 * @param minContextSlot a node that has not reached it fails; 0: any may respond.
 */
export function getLatestBlockhash(
  rpc: ChainRpc,
  timeoutMs: number,
  minContextSlot = 0n,
): Promise<RpcOutcome<LatestBlockhash>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .getLatestBlockhash({
        commitment: 'confirmed',
        ...(minContextSlot === 0n ? {} : { minContextSlot }),
      })
      .send({ abortSignal });
    requireContextSlot(context.slot, minContextSlot);
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

/** Whether a node takes transactions with a blockhash, as of a slot. */
export interface BlockhashValidity {
  contextSlot: bigint;
  isValid: boolean;
}

/** At commitment `confirmed`. @param blockhash base58 */
export function isBlockhashValid(
  rpc: ChainRpc,
  blockhash: string,
  timeoutMs: number,
): Promise<RpcOutcome<BlockhashValidity>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .isBlockhashValid(blockhash as Blockhash, { commitment: 'confirmed' })
      .send({ abortSignal });
    if (typeof value !== 'boolean') throw new TypeError('the node returned no validity');
    return { contextSlot: requirePosition(context.slot), isValid: value };
  }, timeoutMs);
}
