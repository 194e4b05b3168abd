import type { ChainRpc } from '../rpc.ts';
import { LEAD_MAX, POSITION_MAX } from './believed-position.ts';
import { CLIMB_PER_SECOND } from './climb-limit.ts';
import type { DatedPosition } from './position-history.ts';

/** Blocks for which a blockhash is valid on every public cluster. */
export const WINDOW_BLOCKS = 150n;
/** A local chain may leave people more time to sign: up to some 67 minutes. */
export const LOCAL_WINDOW_BLOCKS = 10_000n;
/** Blocks by which one node may know more of the chain than the others. */
export const LEAD_BLOCKS = BigInt(LEAD_MAX);
/**
 * Blocks between the highest known block and a bound: honest nodes may lag this much while another node lies.
 */
export const MARGIN_BLOCKS = 64n;
/** Slots that a node may lag and still answer about now: 6 seconds. Synchronised nodes are closer. */
export const NEAR_SLOTS = 16n;
/** Two nodes that contradict each other by more are of no use together, because either may be wrong. */
const CONTRADICTION_MAX = LOCAL_WINDOW_BLOCKS;

/**
 * The highest block that the chain can have reached by now, according to every node that may be right. Null
 * while no node is believed, or while two nodes contradict each other and nothing shows which one is right.
 * It may be too high. It is not too low while at least one node is honest, responds, and has been believed or
 * contradicts the only believed node: a believed height stays true, and the chain has climbed since.
 */
export function heightCeiling(rpcs: readonly ChainRpc[], now: Date): bigint | null {
  const { believed, unproven } = reports(rpcs, now);
  const top = highest(believed.map((position) => heightNow(position, now)));
  const other = highest(unproven.map((position) => heightNow(position, now)));
  if (top === null || other === null || other <= top) return top;
  return other - top <= CONTRADICTION_MAX ? other : null;
}

/**
 * The lowest slot as of which a node's answer is current: near the highest known slot. With three nodes or
 * more, one node alone does not set it. With two nodes the one that is ahead does, because a node often falls
 * behind. 0 while no slot is known.
 */
export function leastCurrentSlot(rpcs: readonly ChainRpc[], now: Date): bigint {
  const { believed, unproven } = reports(rpcs, now);
  const top = highest(believed.map(({ slot }) => slot));
  if (top === null) return 0n;
  const slots = [...believed, ...unproven]
    .map(({ slot }) => slot)
    .filter((slot) => slot - top <= CONTRADICTION_MAX)
    .sort(descending);
  const reached = (slots.length > 2 ? slots[1] : slots[0]) ?? 0n;
  return reached > NEAR_SLOTS ? reached - NEAR_SLOTS : 0n;
}

/**
 * The highest believed position of each node. While fewer than two nodes are believed, also the last reading
 * of each other node: the first reading of a node far ahead of another is not believed (`believedPosition`),
 * although the other node may be wrong.
 */
function reports(rpcs: readonly ChainRpc[], now: Date) {
  const asked = rpcs.filter(({ quarantine, positions }) => !quarantine.isActive && !positions.isGone(now));
  const believed = asked.flatMap(({ positions }) => positions.highest ?? []);
  const unproven =
    believed.length > 1
      ? []
      : asked.flatMap(({ positions }) => (positions.hasBelieved ? [] : (positions.last ?? [])));
  return { believed, unproven: unproven.filter(isStorable) };
}

function isStorable({ slot, blockHeight }: DatedPosition): boolean {
  return slot <= POSITION_MAX && blockHeight <= POSITION_MAX;
}

function heightNow({ blockHeight, atMs }: DatedPosition, now: Date): bigint {
  return blockHeight + BigInt(Math.ceil((Math.max(0, now.getTime() - atMs) / 1_000) * CLIMB_PER_SECOND));
}

function highest(values: readonly bigint[]): bigint | null {
  return [...values].sort(descending)[0] ?? null;
}

function descending(left: bigint, right: bigint): number {
  return left < right ? 1 : Number(left > right) * -1;
}
