import type { SignatureStatus } from '../../chain/rpc/transaction-calls.ts';
import type { Finality } from './landing.ts';

/** One node's report about a landing. */
export interface FinalityReport {
  /** By a look-up with history; null when the node does not know the transaction. */
  status: SignatureStatus | null;
  /** The node's final chain goes beyond the slot, and holds no block there that has the transaction. */
  provesDropped: boolean;
}

/** Where the transaction is now. Null slot: nowhere. */
export type FinalityVerdict =
  | { finality: 'finalized' | 'confirmed'; slot: bigint }
  | { finality: 'reverted'; slot: null };

/**
 * What the nodes say about a landing, or null when nothing has changed. What a client may rely on takes as
 * many nodes as an expiry (contract/intents#finality): that a block is final, that the transaction is in
 * another block, that a fork has dropped it. A node that knows the transaction in any block outvotes the
 * nodes that have seen it dropped. After that one node is enough to show that it landed again.
 */
export function judgeFinality(
  landing: { slot: bigint; finality: Finality },
  reports: readonly FinalityReport[],
  proofsNeeded: number,
): FinalityVerdict | null {
  const statuses = reports.flatMap(({ status }) => (status === null ? [] : [status]));
  const final = agreedSlot(
    statuses.filter(({ commitment }) => commitment === 'finalized'),
    proofsNeeded,
  );
  if (final !== null) return { finality: 'finalized', slot: final };
  if (landing.finality === 'finalized') return null;
  const landed = statuses.filter(({ commitment }) => commitment !== 'processed');
  if (landing.finality === 'reverted') {
    const [again] = landed;
    return again === undefined ? null : { finality: 'confirmed', slot: again.slot };
  }
  if (landed.some(({ slot }) => slot === landing.slot)) return null;
  const elsewhere = agreedSlot(landed, proofsNeeded);
  if (elsewhere !== null) return { finality: 'confirmed', slot: elsewhere };
  const isDropped = reports.filter(({ provesDropped }) => provesDropped).length >= proofsNeeded;
  return statuses.length === 0 && isDropped ? { finality: 'reverted', slot: null } : null;
}

/** The slot that enough of the statuses name. */
function agreedSlot(statuses: readonly SignatureStatus[], needed: number): bigint | null {
  const counts = new Map<bigint, number>();
  for (const { slot } of statuses) {
    const count = (counts.get(slot) ?? 0) + 1;
    if (count >= needed) return slot;
    counts.set(slot, count);
  }
  return null;
}
