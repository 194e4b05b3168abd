import type { Blockhash, Address as KitAddress } from '@solana/kit';
import { PRICED_BLOCKS_MAX } from '../pace/protocol.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { requireContextSlot, requirePosition } from './position-calls.ts';

/** Limit of accounts in one getRecentPrioritizationFees. */
const PRICED_ACCOUNTS_MAX = 128;

/** A blockhash, and the last block height at which a transaction with it can land. */
export interface LatestBlockhash {
  blockhash: string;
  lastValidBlockHeight: bigint;
}

/**
 * The newest blockhash of a node at commitment `confirmed`. The caller decides whether to believe its height.
 *
 * @param minContextSlot a node that has not reached this slot fails. 0: every node may respond.
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

/** A recent block, and its lowest price in micro-lamports per compute unit. */
export interface RecentPrices {
  slot: bigint;
  price: bigint;
}

/**
 * The lowest price, in micro-lamports per compute unit, at which a transaction that wrote to these accounts
 * landed, for each of the last 150 or so blocks. The list has no order.
 */
export function getRecentPrices(
  rpc: ChainRpc,
  accounts: readonly string[],
  timeoutMs: number,
): Promise<RpcOutcome<readonly RecentPrices[]>> {
  const asked = accounts.slice(0, PRICED_ACCOUNTS_MAX) as readonly string[] as readonly KitAddress[];
  return rpc.call(async (kit, abortSignal) => {
    const prices = await kit.getRecentPrioritizationFees(asked).send({ abortSignal });
    return prices.slice(0, PRICED_BLOCKS_MAX).map(({ slot, prioritizationFee }) => ({
      slot: requirePosition(slot),
      price: requirePosition(prioritizationFee),
    }));
  }, timeoutMs);
}

/** Whether a node takes transactions with a blockhash, and the slot of its answer. */
export interface BlockhashValidity {
  contextSlot: bigint;
  isValid: boolean;
}

/**
 * Asks a node at commitment `confirmed` whether it takes transactions with a blockhash.
 *
 * @param blockhash base58
 */
export function isBlockhashValid(
  rpc: ChainRpc,
  blockhash: string,
  timeoutMs: number,
): Promise<RpcOutcome<BlockhashValidity>> {
  return rpc.call(async (kit, abortSignal) => {
    const { context, value } = await kit
      .isBlockhashValid(blockhash as Blockhash, { commitment: 'confirmed' })
      .send({ abortSignal });
    if (typeof value !== 'boolean')
      throw new TypeError('the node did not say whether the blockhash is valid');
    return { contextSlot: requirePosition(context.slot), isValid: value };
  }, timeoutMs);
}
