import type { SignatureStatus } from '../../chain/calls.ts';
import type { IntentErrorCode } from './state.ts';

/** How a landed transaction ended, or null while that is not settled: only `confirmed` and above count (contract/intents#confirmation). */
export function landedVerdict(
  status: SignatureStatus | null,
): 'confirmed' | 'solana_transaction_failed' | null {
  if (status === null || status.commitment === 'processed') return null;
  return status.failure === null ? 'confirmed' : 'solana_transaction_failed';
}

/** What one node says about an intent that no node has a status for. */
export interface NodeView {
  /** Read before the look-up; null when the node did not answer. */
  position: { slot: bigint; blockHeight: bigint } | null;
  /** The last look-up with history; null when the node did not answer it. */
  lookup: { contextSlot: bigint; isKnown: boolean } | null;
}

export interface ExpiryFacts {
  lastValidBlockHeight: bigint | null;
  isPastExpiry: boolean;
  /** A node has accepted the transaction. */
  wasAccepted: boolean;
  /** Some node may have taken it, even if it did not say so. */
  mayHaveBeenTaken: boolean;
}

/**
 * Whether, by all that the nodes say, an intent can no longer land, and the code it fails with; null to keep on.
 * A landed transaction must never be reported expired (contract/intents#never-expired-if-landed), therefore:
 * - a node proves expiry only when its own height had passed the window before its look-up found nothing, and the
 *   look-up was answered from a state at least as new as that height (behind one URL there may be several nodes);
 * - any node that knows the signature, at whatever commitment, outvotes the rest;
 * - with no node to ask, only a transaction that certainly never left this service is given up, at its expiry.
 */
export function expiryVerdict(facts: ExpiryFacts, nodes: readonly NodeView[]): IntentErrorCode | null {
  if (nodes.some((node) => node.lookup?.isKnown === true)) return null;
  const isProven = nodes.some((node) => provesExpiry(facts, node));
  const isReachable = nodes.some((node) => node.lookup !== null);
  const isAbandoned = !isReachable && facts.isPastExpiry && !facts.mayHaveBeenTaken;
  if (!isProven && !isAbandoned) return null;
  if (!facts.wasAccepted) return 'transaction_intent_broadcast_exhausted';
  return facts.lastValidBlockHeight === null ? 'transaction_intent_expired' : 'solana_blockhash_expired';
}

function provesExpiry(facts: ExpiryFacts, { position, lookup }: NodeView): boolean {
  if (lookup === null || lookup.isKnown) return false;
  if (facts.lastValidBlockHeight === null) return facts.isPastExpiry;
  if (position === null || lookup.contextSlot < position.slot) return false;
  return position.blockHeight > facts.lastValidBlockHeight;
}

/** Whether the look-up with history is worth its cost: the node, or the clock, says that the window may be over. */
export function mayBeExpired(facts: ExpiryFacts, position: NodeView['position']): boolean {
  if (facts.lastValidBlockHeight === null || position === null) return facts.isPastExpiry;
  return position.blockHeight > facts.lastValidBlockHeight;
}
