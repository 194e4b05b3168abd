import type { ChainPosition } from '../node-trust/position-history.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';

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

/** Block time of a confirmed slot; null when the node has none for it. */
export function getBlockTime(
  rpc: ChainRpc,
  slot: bigint,
  timeoutMs: number,
): Promise<RpcOutcome<Date | null>> {
  return rpc.call(async (kit, abortSignal) => {
    const seconds: unknown = await kit.getBlockTime(slot).send({ abortSignal });
    const time =
      typeof seconds === 'bigint' || typeof seconds === 'number' ? new Date(Number(seconds) * 1_000) : null;
    return time === null || Number.isNaN(time.getTime()) ? null : time;
  }, timeoutMs);
}
