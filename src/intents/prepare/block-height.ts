import {
  believePositions,
  proofsNeeded,
  readPosition,
  readRecentPositions,
} from '../../chain/node-trust/believed-position.ts';
import { heightCeiling, marginBlocks } from '../../chain/node-trust/chain-reach.ts';
import type { ChainPosition } from '../../chain/node-trust/position-history.ts';
import { paceOf } from '../../chain/pace/measured-pace.ts';
import { LOCAL_WINDOW_BLOCKS, WINDOW_BLOCKS } from '../../chain/pace/protocol.ts';
import { isBlockhashValid } from '../../chain/rpc/blockhash-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Clock } from '../../shared/clock.ts';

const TIMEOUT_MS = 5_000;

/**
 * The caller's block height, within the limits of the chain. It is at least one window after the highest
 * possible block, because a height that is too low would end an intent whose transaction can still land. It
 * is at most the limit of a local chain. Null when too few nodes respond; then later reports about the
 * blockhash end the intent.
 */
export async function boundGivenHeight(
  given: bigint,
  rpcs: readonly ChainRpc[],
  clock: Clock,
): Promise<bigint | null> {
  await readRecentPositions(rpcs, clock);
  const ceiling = heightCeiling(rpcs, clock.now());
  if (ceiling === null) return null;
  const least = ceiling + WINDOW_BLOCKS + marginBlocks(rpcs);
  const most = ceiling + LOCAL_WINDOW_BLOCKS + marginBlocks(rpcs);
  if (given < least) return least;
  return given < most ? given : most;
}

/** A transaction with a durable nonce has no end, and people need time to sign on a local chain. */
const LIFE_MAX_MS = 90_000;

/**
 * For how long the chain is expected to take a transaction, by its pace: until the caller's height, but not less
 * than a window. An estimate, because the height is the bound.
 */
export function expectedLifeMs(
  { lastValidBlockHeight }: { lastValidBlockHeight: bigint | null },
  hasNonce: boolean,
  rpcs: readonly ChainRpc[],
  clock: Clock,
): number {
  if (hasNonce) return LIFE_MAX_MS;
  const ceiling = heightCeiling(rpcs, clock.now());
  const given = lastValidBlockHeight === null || ceiling === null ? 0n : lastValidBlockHeight - ceiling;
  const blocks = given > WINDOW_BLOCKS ? given : WINDOW_BLOCKS;
  return Math.min(LIFE_MAX_MS, (Number(blocks) / paceOf(rpcs).blocksPerSecond) * 1_000);
}

/**
 * The last block height at which a transaction with this blockhash may land: a blockhash that is valid now
 * lives at most one window more. It is taken from the highest node that knows the blockhash; if only one
 * knows it where two are needed, from the highest possible block. Null when no node reports it as valid, or
 * too few nodes respond; then later reports about the blockhash end the intent.
 */
export async function blockHeightBound(
  blockhash: string,
  rpcs: readonly ChainRpc[],
  clock: Clock,
): Promise<bigint | null> {
  const answers = await Promise.all(
    rpcs.map(async (rpc) => {
      const validity = await isBlockhashValid(rpc, blockhash, TIMEOUT_MS);
      // Read after the validity, so the height may only be too high.
      const position = await readPosition(rpc, TIMEOUT_MS, clock);
      const validAsOf = validity.ok && validity.value.isValid ? validity.value.contextSlot : null;
      return { position: position.ok ? position.value : null, validAsOf };
    }),
  );
  believePositions(
    answers.map(({ position }) => position),
    rpcs,
    clock,
  );
  const ceiling = heightCeiling(rpcs, clock.now());
  if (ceiling === null) return null;
  const heights = answers
    .flatMap(({ position, validAsOf }) =>
      position === null || validAsOf === null ? [] : [heightAt(position, validAsOf)],
    )
    .filter((height) => height <= ceiling + LOCAL_WINDOW_BLOCKS);
  if (heights.length === 0) return null;
  return heights.length >= proofsNeeded(rpcs, clock.now())
    ? highest(heights) + WINDOW_BLOCKS
    : highest([ceiling, ...heights]) + WINDOW_BLOCKS + marginBlocks(rpcs);
}

/**
 * The greatest height that a slot can have. One address may lead to several nodes, and the one that reported
 * its height may lag.
 */
function heightAt({ slot, blockHeight }: ChainPosition, asOf: bigint): bigint {
  return asOf > slot ? blockHeight + (asOf - slot) : blockHeight;
}

function highest(heights: readonly bigint[]): bigint {
  let best = 0n;
  for (const height of heights) if (height > best) best = height;
  return best;
}
