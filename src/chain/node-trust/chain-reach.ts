import { type ChainPace, mostIn } from '../pace/chain-pace.ts';
import { paceOf } from '../pace/measured-pace.ts';
import { LOCAL_WINDOW_BLOCKS } from '../pace/protocol.ts';
import type { ChainRpc } from '../rpc.ts';
import { GAIN_MAX_BLOCKS, isStorable } from './believed-position.ts';
import type { DatedPosition } from './position-history.ts';

/** Honest nodes may lag this long while another node lies. */
const LAG_MAX_MS = 25_600;
/** A node that lags at most this long still answers about now. Synchronised nodes are closer. */
const NEAR_MS = 6_400;
/** What few blocks a slow chain makes in these times is less than what nodes differ by. */
const NEAR_SLOTS_MIN = 16n;
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
  const { fastestPerSecond } = paceOf(rpcs);
  const heightNow = ({ blockHeight, atMs }: DatedPosition) =>
    blockHeight + mostIn(now.getTime() - atMs, fastestPerSecond);
  const top = highest(believed.map(heightNow));
  const other = highest(unproven.map(heightNow));
  if (top === null || other === null || other <= top) return top;
  return other - top <= CONTRADICTION_MAX ? other : null;
}

/**
 * The lowest slot as of which a node's answer is current: near the highest known slot. With three nodes or
 * more, one node alone does not set it. With two nodes the one that is ahead does, because a node often falls
 * behind; unless it refuses to answer as of it. 0 while no slot is known.
 */
export function leastCurrentSlot(rpcs: readonly ChainRpc[], now: Date): bigint {
  const { asked, unproven } = reports(rpcs, now);
  const reached = asked.flatMap(({ positions }) => positions.reached ?? []);
  const top = highest(reached);
  if (top === null) return 0n;
  const slots = [...reached, ...unproven.map(({ slot }) => slot)]
    .filter((slot) => slot - top <= CONTRADICTION_MAX)
    .sort(descending);
  const newest = (slots.length > 2 ? slots[1] : slots[0]) ?? 0n;
  const near = nearSlots(paceOf(rpcs));
  return newest > near ? newest - near : 0n;
}

/** Slots that a node may lag and still answer about now. */
export function nearSlots({ slotsPerSecond }: ChainPace): bigint {
  const slots = mostIn(NEAR_MS, slotsPerSecond);
  return slots > NEAR_SLOTS_MIN ? slots : NEAR_SLOTS_MIN;
}

/**
 * Blocks between the highest known block and a bound: honest nodes may lag while another node lies, and one of two that
 * lies closes no window before it is over.
 */
export function marginBlocks(rpcs: readonly ChainRpc[]): bigint {
  const blocks = mostIn(LAG_MAX_MS, paceOf(rpcs).blocksPerSecond);
  return blocks > GAIN_MAX_BLOCKS ? blocks : BigInt(GAIN_MAX_BLOCKS);
}

/**
 * The highest believed position of each node. While fewer than two nodes are believed, also the last reading
 * of each other node: the first reading of a node far ahead of another is not believed (`believedPosition`),
 * although the other node may be wrong. One that does not answer as of what it claims is left out.
 */
function reports(rpcs: readonly ChainRpc[], now: Date) {
  const asked = rpcs.filter(({ quarantine, positions }) => !quarantine.isActive && !positions.isGone(now));
  const believed = asked.flatMap(({ positions }) => positions.highest ?? []);
  const unproven =
    believed.length > 1
      ? []
      : asked.flatMap(({ positions }) =>
          positions.hasBelieved || positions.isDisproven(now) ? [] : (positions.last ?? []),
        );
  return { asked, believed, unproven: unproven.filter(isStorable) };
}

function highest(values: readonly bigint[]): bigint | null {
  return [...values].sort(descending)[0] ?? null;
}

function descending(left: bigint, right: bigint): number {
  return left < right ? 1 : Number(left > right) * -1;
}
