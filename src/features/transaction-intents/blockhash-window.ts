import { type ChainHeadSource, isFresh } from '../../chain/head.ts';
import { CLIMB_PER_SECOND } from '../../chain/node-trust/climb-limit.ts';
import type { Clock } from '../../shared/clock.ts';

/** When the window of an intent's blockhash closes, and since when it runs. */
export interface BlockhashWindow {
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
}

/** The blocks that a blockhash lives, for windows that were closed already when the intent was prepared. */
export const LATE_PREPARATION_BLOCKS = 150;

/**
 * Whether the window has closed at a height that the chain can have reached since the intent was prepared, when it had
 * not closed yet. A height beyond that is a lie or of another chain, and closes nothing. That also holds for the first height of
 * an only node, which no other confirms.
 */
export function isWindowClosed(
  { lastValidBlockHeight, createdAt }: BlockhashWindow,
  blockHeight: bigint,
  now: Date,
): boolean {
  if (lastValidBlockHeight === null || blockHeight <= lastValidBlockHeight) return false;
  const ageSeconds = Math.max(0, now.getTime() - createdAt.getTime()) / 1_000;
  return (
    Number(blockHeight - lastValidBlockHeight) <= LATE_PREPARATION_BLOCKS + ageSeconds * CLIMB_PER_SECOND
  );
}

/** True when the chain is known to have passed the last block that would take the transaction. */
export function isPastWindow(
  window: BlockhashWindow,
  { chainHead, clock }: { chainHead: ChainHeadSource; clock: Clock },
): boolean {
  const head = chainHead.current();
  const now = clock.now();
  return head !== null && isFresh(head, now) && isWindowClosed(window, head.blockHeight, now);
}
