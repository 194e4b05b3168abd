import type { ChainPace } from '../../chain/pace/chain-pace.ts';

/** A wrong report delays a look by no more. */
const WAIT_MAX_MS = 30_000;

/**
 * When as many nodes as it takes will show a block as final, by what they report now: the slots that their final chains
 * still have to go, at the pace of the chain. So it follows the chain, whether a block is final after one slot or after
 * 32. Null while too few nodes report their final slot.
 */
export function expectFinal(
  slot: bigint,
  finalizedSlots: readonly bigint[],
  needed: number,
  { slotMs }: ChainPace,
  now: Date,
): Date | null {
  const left = finalizedSlots.map((finalized) => Math.max(0, Number(slot - finalized)));
  const slots = left.sort((one, other) => one - other)[needed - 1];
  if (slots === undefined) return null;
  return new Date(now.getTime() + Math.min(WAIT_MAX_MS, Math.ceil(slots * slotMs)));
}
