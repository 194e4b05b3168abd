import { believedPosition, readPosition } from '../../../chain/node-trust/believed-position.ts';
import { isBlockhashValid } from '../../../chain/rpc/blockhash-calls.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import type { Clock } from '../../../shared/clock.ts';
import { LATE_PREPARATION_BLOCKS } from '../blockhash-window.ts';

const TIMEOUT_MS = 5_000;

/**
 * The last block height at which a transaction with this blockhash may land, at the latest: a blockhash that is valid now lives
 * at most 150 blocks more. By the highest of the nodes that know it and are believed, so that it never ends too early.
 * Null when no node says that it is valid: then the intent ends by what nodes say of the blockhash later.
 */
export async function blockHeightBound(
  blockhash: string,
  rpcs: readonly ChainRpc[],
  clock: Clock,
): Promise<bigint | null> {
  const positions = await Promise.all(
    rpcs.map(async (rpc) => {
      const validity = await isBlockhashValid(rpc, blockhash, TIMEOUT_MS);
      // The height after the validity: it may only be too high.
      const position = await readPosition(rpc, TIMEOUT_MS, clock);
      return validity.ok && validity.value.isValid && position.ok ? position.value : null;
    }),
  );
  const now = clock.now();
  const heights = rpcs.flatMap((rpc, at) => {
    const position = positions[at] ?? null;
    const believed = position && believedPosition(rpc, position, rpcs, now);
    return believed === null ? [] : [believed.blockHeight];
  });
  const highest = heights.sort((left, right) => (left < right ? 1 : -1))[0];
  return highest === undefined ? null : highest + BigInt(LATE_PREPARATION_BLOCKS);
}
