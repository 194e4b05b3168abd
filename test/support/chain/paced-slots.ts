import type { SandboxChain } from '../../../sandbox/chain/server.ts';
import { NOMINAL_SLOT_MS } from '../../../src/chain/pace/protocol.ts';

/**
 * For a loop that waits for a process on a manual chain: each call moves the chain by one slot, unless the last slot
 * is younger than one of mainnet. A process believes no height of a faster chain, and a blockhash of such a chain ends
 * before the process sends again.
 */
export function pacedSlots(chain: SandboxChain): () => void {
  let nextAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs < nextAtMs) return;
    nextAtMs = nowMs + NOMINAL_SLOT_MS;
    chain.advanceSlots(1);
  };
}
