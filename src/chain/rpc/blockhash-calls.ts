import type { Blockhash } from '@solana/kit';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { requirePosition } from './position-calls.ts';

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
