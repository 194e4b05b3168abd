/**
 * Slots on either side of a dropped block in which the same fork can have dropped others, and in which a node must have
 * a final block: more than any confirmed chain has gone back, and than a cluster has skipped in a row. A range of
 * searches and not a wait: how long a block takes to become final is what nodes report (decisions/0096).
 */
export const FORK_SPAN_SLOTS = 512n;

/** The slots around one, in which its neighbours are looked for. */
export function spanAround(slot: bigint): { first: bigint; last: bigint } {
  const first = slot > FORK_SPAN_SLOTS ? slot - FORK_SPAN_SLOTS : 0n;
  return { first, last: slot + FORK_SPAN_SLOTS };
}

/**
 * Whether the final chain has a block in this slot, as one response of a node shows it. Null while it shows no block on
 * both sides: then the node has not decided the slot yet, or has lost this part of the chain.
 *
 * @param blocks final blocks around the slot, from one response: an address may lead to machines of which some are late
 */
export function hasFinalBlock(blocks: ReadonlySet<bigint>, slot: bigint): boolean | null {
  if (blocks.has(slot)) return true;
  let isAfterOne = false;
  let isBeforeOne = false;
  for (const one of blocks) {
    if (one < slot) isAfterOne = true;
    else isBeforeOne = true;
  }
  return isAfterOne && isBeforeOne ? false : null;
}
