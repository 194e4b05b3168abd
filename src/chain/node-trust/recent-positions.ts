import type { Clock } from '../../shared/clock.ts';
import type { ChainRpc } from '../rpc.ts';
import { believedPosition, readPosition } from './believed-position.ts';
import type { ChainPosition } from './position-history.ts';

const TIMEOUT_MS = 2_000;
/** A batch asks each node once and not for every item, also a node that does not respond. */
const KEPT_MS = 1_000;

/**
 * Asks each node where it is, unless it was asked a moment ago: for processes that do not keep the head. What is read counts for
 * the trust in the nodes, and for what is known of the chain (`chain-reach.ts`).
 */
export async function readRecentPositions(rpcs: readonly ChainRpc[], clock: Clock): Promise<void> {
  const began = clock.now();
  const read = await Promise.all(
    rpcs.map(async (rpc) => {
      if (rpc.positions.wasAskedWithin(KEPT_MS, began)) return null;
      const outcome = await readPosition(rpc, TIMEOUT_MS, clock);
      return outcome.ok ? outcome.value : null;
    }),
  );
  believePositions(read, rpcs, clock);
}

/** Records how far readings are believed. A separate step, because the first ones corroborate each other. */
export function believePositions(
  positions: readonly (ChainPosition | null)[],
  rpcs: readonly ChainRpc[],
  clock: Clock,
): void {
  const now = clock.now();
  for (const [at, rpc] of rpcs.entries()) {
    const position = positions[at] ?? null;
    if (position !== null) believedPosition(rpc, position, rpcs, now);
  }
}
