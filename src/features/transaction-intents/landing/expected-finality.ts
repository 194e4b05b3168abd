import type { DatedPosition } from '../../../chain/node-trust/position-history.ts';

/** A node's final chain, and the newest block that it has reported. */
export interface NodeProgress {
  finalizedSlot: bigint;
  /** Null where no reading is fresh. */
  head: DatedPosition | null;
}

/** A wrong report delays a look by no more. */
const WAIT_MAX_MS = 30_000;

/**
 * When as many nodes as it takes will show a block as final, by what they report now: the slots that their final chains
 * still have to go, at the pace at which their heads went since the block. So it follows the chain, whether a block is
 * final after one slot or after 32. Null while too few nodes report enough.
 */
export function expectFinal(
  { slot, landedAt }: { slot: bigint; landedAt: Date },
  nodes: readonly NodeProgress[],
  needed: number,
  now: Date,
): Date | null {
  const waits = nodes.flatMap((node) => waitMs(slot, landedAt, node) ?? []).sort((one, other) => one - other);
  const wait = waits[needed - 1];
  return wait === undefined ? null : new Date(now.getTime() + Math.min(wait, WAIT_MAX_MS));
}

function waitMs(slot: bigint, landedAt: Date, { finalizedSlot, head }: NodeProgress): number | null {
  if (finalizedSlot >= slot) return 0;
  if (head === null || head.slot <= slot || head.atMs <= landedAt.getTime()) return null;
  const msPerSlot = (head.atMs - landedAt.getTime()) / Number(head.slot - slot);
  return Math.ceil(Number(slot - finalizedSlot) * msPerSlot);
}
