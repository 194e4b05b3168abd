import { hasFinalBlock, spanAround } from '../../chain/final-chain.ts';
import { getFinalizedBlocks, getFinalizedSlots } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type NodeSet, NodeUnavailable } from '../pool-history/node-set.ts';

/** A transaction, and the block in which a node listed it when the block was confirmed. */
export interface Landing {
  signature: string;
  slot: bigint;
}

/**
 * - `final`: a node has the transaction in a final block of that slot.
 * - `elsewhere`: it is final in another slot, or no node has a final block in that slot.
 * - `unknown`: no node shows either. It is asked again.
 */
export type Finality = 'final' | 'elsewhere' | 'unknown';

/** Signatures in one request. */
export const LANDINGS_MAX = 256;
const TIMEOUT_MS = 4_000;

/**
 * The final state of landings, by all nodes that respond. A node that does not know a transaction may have
 * lost it or never had it. So a rollback is proven only when a node shows the final chain without the
 * transaction, and no node shows it there.
 */
export async function judgeLandings(nodes: NodeSet, landings: readonly Landing[]): Promise<Finality[]> {
  const verdicts: Finality[] = landings.map(() => 'unknown');
  for (const rpc of nodes.available(0)) {
    const undecided = landings.map((_, at) => at).filter((at) => verdicts[at] !== 'final');
    if (undecided.length === 0) break;
    try {
      const byNode = await judgeAt(
        nodes,
        rpc,
        undecided.map((at) => landings[at]).filter((one) => one !== undefined),
      );
      byNode.forEach((verdict, index) => {
        const at = undecided[index];
        if (at !== undefined && verdict !== 'unknown') verdicts[at] = verdict;
      });
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error;
    }
  }
  return verdicts;
}

async function judgeAt(nodes: NodeSet, rpc: ChainRpc, landings: readonly Landing[]): Promise<Finality[]> {
  const signatures = landings.map(({ signature }) => signature);
  const { finalizedSlot, slots } = await nodes.call(rpc, (node) =>
    getFinalizedSlots(node, signatures, TIMEOUT_MS),
  );
  const absent = landings.filter(({ slot }, at) => slots[at] == null && slot < finalizedSlot);
  const empty = await emptySlots(nodes, rpc, absent);
  return landings.map((landing, at) => {
    const slot = slots[at] ?? null;
    if (slot !== null) return slot === landing.slot ? 'final' : 'elsewhere';
    return absent.includes(landing) && empty.has(landing.slot) ? 'elsewhere' : 'unknown';
  });
}

/** The slots of these landings in which the node's final chain has no block. */
async function emptySlots(
  nodes: NodeSet,
  rpc: ChainRpc,
  landings: readonly Landing[],
): Promise<ReadonlySet<bigint>> {
  const empty = new Set<bigint>();
  for (const slot of new Set(landings.map((landing) => landing.slot))) {
    const { first, last } = spanAround(slot);
    const blocks = await nodes.call(rpc, (node) => getFinalizedBlocks(node, first, last, TIMEOUT_MS));
    if (hasFinalBlock(blocks, slot) === false) empty.add(slot);
  }
  return empty;
}
