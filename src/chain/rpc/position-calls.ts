import type { ChainPosition } from '../node-trust/position-history.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';

/** The end of the year 9999. */
const BLOCK_TIME_MAX = 253_402_300_799n;

/** Slot and block height of the node at commitment `confirmed`. */
export function getPosition(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<ChainPosition>> {
  return rpc.call(async (kit, abortSignal) => {
    const { absoluteSlot, blockHeight } = await kit
      .getEpochInfo({ commitment: 'confirmed' })
      .send({ abortSignal });
    return { slot: requirePosition(absoluteSlot), blockHeight: requirePosition(blockHeight) };
  }, timeoutMs);
}

/** base58; it identifies the cluster. */
export function getGenesisHash(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<string>> {
  return rpc.call((kit, abortSignal) => kit.getGenesisHash().send({ abortSignal }), timeoutMs);
}

/** A slot or height as a node returned it. Throws unless it is a whole number; whether it is believed is decided in `node-trust/`. */
export function requirePosition(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw new TypeError('the node returned a position that is no whole number');
}

/** When the block of a confirmed slot was made. A node that has no time for it fails. */
export function getBlockTime(rpc: ChainRpc, slot: bigint, timeoutMs: number): Promise<RpcOutcome<Date>> {
  return rpc.call(async (kit, abortSignal) => {
    const seconds = await kit.getBlockTime(slot).send({ abortSignal });
    if (typeof seconds !== 'bigint' || seconds <= 0n || seconds > BLOCK_TIME_MAX)
      throw new TypeError('the node returned a time that is none');
    return new Date(Number(seconds) * 1000);
  }, timeoutMs);
}
