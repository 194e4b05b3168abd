import { UNIX_SECONDS_MAX } from '../accounts/sysvars.ts';
import type { ChainPosition } from '../node-trust/position-history.ts';
import type { ChainRpc, RpcOutcome } from '../rpc.ts';
import { BehindContextSlot } from './rpc-failure.ts';

/** Slot and block height of the node at commitment `confirmed`. */
export function getPosition(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<ChainPosition>> {
  return rpc.call(async (kit, abortSignal) => {
    const { absoluteSlot, blockHeight } = await kit
      .getEpochInfo({ commitment: 'confirmed' })
      .send({ abortSignal });
    return { slot: requirePosition(absoluteSlot), blockHeight: requirePosition(blockHeight) };
  }, timeoutMs);
}

/** The node's blocks up to this slot are final. */
export function getFinalizedSlot(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<bigint>> {
  return rpc.call(
    async (kit, abortSignal) =>
      requirePosition(await kit.getSlot({ commitment: 'finalized' }).send({ abortSignal })),
    timeoutMs,
  );
}

/**
 * Slots a second in the newest sample of the node, which is of a minute. Null when it has none, as in its first minute.
 * `pace/` decides what it is worth.
 */
export function getSampledPace(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<number | null>> {
  return rpc.call(async (kit, abortSignal) => {
    const [sample] = await kit.getRecentPerformanceSamples(1).send({ abortSignal });
    if (sample === undefined) return null;
    const slotsPerSecond = Number(sample.numSlots) / Number(sample.samplePeriodSecs);
    if (!Number.isFinite(slotsPerSecond) || slotsPerSecond < 0)
      throw new TypeError('the node returned a sample without a pace');
    return slotsPerSecond;
  }, timeoutMs);
}

/** Base58. The hash identifies the cluster. */
export function getGenesisHash(rpc: ChainRpc, timeoutMs: number): Promise<RpcOutcome<string>> {
  return rpc.call((kit, abortSignal) => kit.getGenesisHash().send({ abortSignal }), timeoutMs);
}

/** A slot or height from a node. Throws unless it is whole. `node-trust/` decides whether it is believed. */
export function requirePosition(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw new TypeError('the node returned a position that is not a whole number');
}

/**
 * A context slot as a node returned it. Throws when it is lower than required: some nodes ignore
 * `minContextSlot`, and one address may lead to several nodes.
 *
 * @param minContextSlot 0: every slot passes.
 */
export function requireContextSlot(value: unknown, minContextSlot: bigint): bigint {
  const slot = requirePosition(value);
  if (slot >= minContextSlot) return slot;
  throw new BehindContextSlot(`the node responded as of slot ${slot}, before ${minContextSlot}`);
}

/** The time of the block in a confirmed slot. A node that has no time for it fails. */
export function getBlockTime(rpc: ChainRpc, slot: bigint, timeoutMs: number): Promise<RpcOutcome<Date>> {
  return rpc.call(async (kit, abortSignal) => {
    const seconds = await kit.getBlockTime(slot).send({ abortSignal });
    if (typeof seconds !== 'bigint' || seconds <= 0n || seconds > UNIX_SECONDS_MAX)
      throw new TypeError('the node returned an invalid time');
    return new Date(Number(seconds) * 1000);
  }, timeoutMs);
}
