import { type ChainHeadSource, isFresh } from '../../chain/head.ts';
import { CLIMB_PER_SECOND } from '../../chain/node-trust/climb-limit.ts';
import type { Clock } from '../../shared/clock.ts';

/** The last block height of an intent's blockhash, and when the intent was prepared. */
export interface BlockhashWindow {
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
}

/**
 * Blocks for which a blockhash is valid, for windows that were closed already when the intent was prepared.
 */
export const LATE_PREPARATION_BLOCKS = 150;

/**
 * Whether the window has closed at a height that the chain can have reached since the intent was prepared. A
 * height beyond that is false or from another chain, and closes nothing. The same bound protects against the
 * first height of a single node, which no other node confirms.
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

/** True when the chain has certainly passed the last block that would take the transaction. */
export function isPastWindow(
  window: BlockhashWindow,
  { chainHead, clock }: { chainHead: ChainHeadSource; clock: Clock },
): boolean {
  const head = chainHead.current();
  const now = clock.now();
  return head !== null && isFresh(head, now) && isWindowClosed(window, head.blockHeight, now);
}
