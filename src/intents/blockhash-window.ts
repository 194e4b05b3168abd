import { type ChainHeadSource, isFresh } from '../chain/head.ts';
import { mostIn } from '../chain/pace/chain-pace.ts';
import { WINDOW_BLOCKS } from '../chain/pace/protocol.ts';
import type { Clock } from '../shared/clock.ts';

/** The last block height of an intent's blockhash, and when the intent was prepared. */
export interface BlockhashWindow {
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
}

/**
 * Whether the window has closed at a height that the chain can have reached since the intent was prepared. A
 * height beyond that is false or from another chain, and closes nothing. The same bound protects against the
 * first height of a single node, which no other node confirms. A window that was closed already when the intent was
 * prepared may be a window old.
 *
 * @param fastestPerSecond blocks that a chain can make in a second
 */
export function isWindowClosed(
  { lastValidBlockHeight, createdAt }: BlockhashWindow,
  blockHeight: bigint,
  now: Date,
  fastestPerSecond: number,
): boolean {
  if (!isBelow(lastValidBlockHeight, blockHeight)) return false;
  const possible = mostIn(now.getTime() - createdAt.getTime(), fastestPerSecond);
  return blockHeight - lastValidBlockHeight <= WINDOW_BLOCKS + possible;
}

function isBelow(lastValidBlockHeight: bigint | null, blockHeight: bigint): lastValidBlockHeight is bigint {
  return lastValidBlockHeight !== null && lastValidBlockHeight < blockHeight;
}

/** True when the chain has certainly passed the last block that would take the transaction. */
export function isPastWindow(
  window: BlockhashWindow,
  { chainHead, clock }: { chainHead: ChainHeadSource; clock: Clock },
): boolean {
  const head = chainHead.current();
  const now = clock.now();
  if (head === null || !isFresh(head, now)) return false;
  // The pace makes 21 objects, and the window of an ordinary submission is open at any pace.
  if (!isBelow(window.lastValidBlockHeight, head.blockHeight)) return false;
  return isWindowClosed(window, head.blockHeight, now, chainHead.pace().fastestPerSecond);
}
