import { hasFinalBlock, spanAround } from '../../chain/final-chain.ts';
import { getFinalizedBlocks, getFinalizedSignatures } from '../../chain/rpc/history-calls.ts';
import { getFinalizedSlot } from '../../chain/rpc/position-calls.ts';
import { getSignatureStatuses } from '../../chain/rpc/transaction-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { FinalityReport } from './judge-finality.ts';

const TIMEOUT_MS = 2_000;
/** Slots of one batch whose final blocks are looked at. Others have their turn at the next look. */
const SLOTS_MAX = 16;

/** A transaction, and the block in which it was last seen. */
export interface SeenTransaction {
  signature: string;
  slot: bigint;
}

/** What one node says about transactions. */
export interface NodeFinality {
  /** Its blocks up to this slot are final. */
  finalizedSlot: bigint;
  /** In the order of the transactions; none where nothing was asked. */
  reports: FinalityReport[];
}

/**
 * One node's reports about transactions; null when it did not respond. That a node does not know a transaction
 * proves nothing, because it may have lost it. The blocks of its final chain prove it.
 * @param transactions at most `STATUSES_MAX`
 * @param areYoung they landed a moment ago: while none of their slots is final, there is nothing to ask
 */
export async function readFinality(
  rpc: ChainRpc,
  transactions: readonly SeenTransaction[],
  areYoung: boolean,
): Promise<NodeFinality | null> {
  // The slot is read first: what was final then is also final in the statuses.
  const finalized = await getFinalizedSlot(rpc, TIMEOUT_MS);
  if (!finalized.ok) return null;
  const finalizedSlot = finalized.value;
  if (areYoung && transactions.every(({ slot }) => slot > finalizedSlot))
    return { finalizedSlot, reports: [] };
  const read = await getSignatureStatuses(
    rpc,
    transactions.map(({ signature }) => signature),
    { searchHistory: true, timeoutMs: TIMEOUT_MS },
  );
  if (!read.ok) return null;
  const { statuses } = read.value;
  const absent = transactions.filter(({ slot }, at) => statuses[at] == null && slot < finalizedSlot);
  const dropped = await droppedOf(rpc, absent);
  const reports = transactions.map((transaction, at) => ({
    status: statuses[at] ?? null,
    provesDropped: dropped.has(transaction),
  }));
  return { finalizedSlot, reports };
}

/** The transactions that the node's final chain does not have in their slots. */
async function droppedOf(
  rpc: ChainRpc,
  absent: readonly SeenTransaction[],
): Promise<ReadonlySet<SeenTransaction>> {
  const dropped = new Set<SeenTransaction>();
  for (const slot of [...new Set(absent.map((one) => one.slot))].slice(0, SLOTS_MAX)) {
    const signatures = await finalSignatures(rpc, slot);
    if (signatures === null) continue;
    for (const one of absent) if (one.slot === slot && !signatures.has(one.signature)) dropped.add(one);
  }
  return dropped;
}

/**
 * What the final block of the slot has; empty when the slot has no block. Null while the node does not show
 * that it has this part of the chain.
 */
async function finalSignatures(rpc: ChainRpc, slot: bigint): Promise<ReadonlySet<string> | null> {
  const { first, last } = spanAround(slot);
  const blocks = await getFinalizedBlocks(rpc, first, last, TIMEOUT_MS);
  if (!blocks.ok) return null;
  const isThere = hasFinalBlock(blocks.value, slot);
  if (isThere === null) return null;
  if (!isThere) return new Set();
  const signatures = await getFinalizedSignatures(rpc, slot, TIMEOUT_MS);
  return signatures.ok ? signatures.value : null;
}
