import type { Clock } from '../shared/clock.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { type ChainHeadSource, freshSlot } from './head.ts';
import { getFinalizedSlot } from './rpc/position-calls.ts';
import type { ChainRpc } from './rpc.ts';

const TIMEOUT_MS = 1_000;
/** A reading of this age is read again beside the request that uses it, so that no request waits for it. */
const KEPT_MS = 2_000;
/** An older reading says nothing about a node that is late now. */
const USED_MS = 30_000;

export interface FinalizedSlotDependencies {
  rpcs: readonly ChainRpc[];
  chainHead: Pick<ChainHeadSource, 'current'>;
  clock: Clock;
}

/**
 * The newest slot that a node has reported as final, never beyond the believed head. Null while none is known. It costs
 * requests only while it is used. The chain decides how far it is behind the head.
 */
export function createFinalizedSlotSource({
  rpcs,
  chainHead,
  clock,
}: FinalizedSlotDependencies): () => Promise<bigint | null> {
  const readings = new SingleFlight<void>();
  let newest: bigint | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    const asked = rpcs.filter(({ quarantine }) => !quarantine.isActive);
    const responses = await Promise.all(asked.map((rpc) => getFinalizedSlot(rpc, TIMEOUT_MS)));
    const slots = responses.flatMap((response) => (response.ok ? [response.value] : []));
    if (slots.length === 0) return;
    // A final slot stays final, whichever nodes respond now.
    for (const slot of slots) if (newest === null || slot > newest) newest = slot;
    readAtMs = clock.now().getTime();
  }

  return async () => {
    const age = clock.now().getTime() - readAtMs;
    const reading = age < KEPT_MS ? undefined : readings.run('finalized', read);
    if (age >= USED_MS) await reading;
    const head = freshSlot(chainHead, clock);
    if (head === null || newest === null) return null;
    // A chain that was set back, or a node that reports too much.
    if (newest > head) newest = head;
    return newest;
  };
}
