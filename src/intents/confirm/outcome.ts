import type { ChainPosition } from '../../chain/node-trust/position-history.ts';
import { FASTEST_PER_SECOND } from '../../chain/pace/chain-pace.ts';
import type { SignatureStatus } from '../../chain/rpc/transaction-calls.ts';
import { isWindowClosed } from '../blockhash-window.ts';
import type { IntentErrorCode } from '../state.ts';
import type { LifetimeReading } from './read-lifetimes.ts';

/**
 * How a landed transaction ended; null while that is not final: only `confirmed` and above count
 * (contract/intents#confirmation).
 */
export function landedOutcome(
  status: SignatureStatus | null,
): 'confirmed' | 'solana_transaction_failed' | null {
  if (status === null || status.commitment === 'processed') return null;
  return status.failure === null ? 'confirmed' : 'solana_transaction_failed';
}

/** One node's report about an intent; a quarantined node gives none. */
export interface NodeView {
  /** Read before the look-up; null when the node did not respond, or is not believed. */
  position: ChainPosition | null;
  /**
   * Lifetime of the blockhash or nonce of a transaction without a height, read before the look-up; null when
   * the node reported none.
   */
  lifetime: LifetimeReading | null;
  /** The last look-up with history; null when the node did not respond. */
  lookup: { contextSlot: bigint; status: SignatureStatus | null } | null;
}

export interface SubmissionFacts {
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
  expiresAt: Date;
  /** A node has accepted the transaction. */
  wasAccepted: boolean;
  /** A node may have accepted it without reporting that. */
  mayHaveBeenTaken: boolean;
  /** A node has accepted a send with the signature of another transaction. */
  hasSignatureMismatch: boolean;
}

export type IntentOutcome =
  | { status: 'confirmed'; slot: bigint }
  | {
      status: 'failed';
      errorCode: IntentErrorCode;
      /** Slot of the block when it landed and failed, else null. */
      slot: bigint | null;
      /** The chain's error as JSON, when it landed and all nodes report the same error. */
      failure: string | null;
    };

/** The failure that all nodes report; null when they differ, because any of them may be right. */
export function agreedFailure(failures: readonly (string | null)[]): string | null {
  const [first = null, ...others] = failures;
  return others.every((failure) => failure === first) ? first : null;
}

/**
 * How an intent ends by the reports of all nodes, or null to keep on. A transaction that landed, or still
 * can, must never be reported as failed (contract/intents#never-expired-if-landed). Therefore:
 * - one node that reports it as confirmed is enough to confirm it;
 * - a node proves expiry only when its own, believed height had passed the window before its look-up found
 * nothing, and the look-up was served from a state at least as new as that height (one URL may lead to
 * several nodes);
 * - without a height, the report of a believed node that the blockhash or nonce is over replaces the height;
 * - it takes `proofsNeeded` nodes to give it up, each of which proves expiry or reports it as landed and
 * failed: as long as one of them is honest, it has not succeeded and never can;
 * - any node that knows the signature in a block that is not confirmed yet outvotes the rest;
 * - without a responding node, only a transaction that certainly never left this service is given up, at its
 * expiry; one without a height is not, because its blockhash or nonce may be valid for longer.
 *
 * @param fastestPerSecond blocks that a chain can make in a second
 */
export function decideOutcome(
  facts: SubmissionFacts,
  nodes: readonly NodeView[],
  proofsNeeded: number,
  now: Date,
  fastestPerSecond = FASTEST_PER_SECOND,
): IntentOutcome | null {
  const lookups = nodes.flatMap(({ lookup }) => (lookup === null ? [] : [lookup]));
  const landed = lookups.flatMap(({ status }) =>
    status !== null && landedOutcome(status) !== null ? [status] : [],
  );
  const confirmed = landed.find(({ failure }) => failure === null);
  if (confirmed !== undefined) return { status: 'confirmed', slot: confirmed.slot };
  if (lookups.length === 0) return isAbandoned(facts, now) ? exhausted : null;
  if (lookups.some(({ status }) => status !== null && landedOutcome(status) === null)) return null;
  const proofs = nodes.filter((node) =>
    provesExpiry(facts, node, proofsNeeded, now, fastestPerSecond),
  ).length;
  if (landed.length + proofs < proofsNeeded) return null;
  const errorCode = landed.length > 0 ? 'solana_transaction_failed' : expiryCode(facts);
  const failure = agreedFailure(landed.map((status) => status.failure));
  return { status: 'failed', errorCode, slot: landed[0]?.slot ?? null, failure };
}

const exhausted: IntentOutcome = {
  status: 'failed',
  errorCode: 'transaction_intent_broadcast_exhausted',
  slot: null,
  failure: null,
};

/** True when no node can be asked and no node can have the transaction. */
function isAbandoned(facts: SubmissionFacts, now: Date): boolean {
  return facts.lastValidBlockHeight !== null && facts.expiresAt <= now && !facts.mayHaveBeenTaken;
}

function expiryCode(facts: SubmissionFacts): IntentErrorCode {
  if (!facts.wasAccepted)
    return facts.hasSignatureMismatch
      ? 'solana_signature_mismatch'
      : 'transaction_intent_broadcast_exhausted';
  return facts.lastValidBlockHeight === null ? 'transaction_intent_expired' : 'solana_blockhash_expired';
}

function provesExpiry(
  facts: SubmissionFacts,
  { position, lifetime, lookup }: NodeView,
  proofsNeeded: number,
  now: Date,
  fastestPerSecond: number,
): boolean {
  if (lookup === null || lookup.status !== null) return false;
  if (position === null || lookup.contextSlot < position.slot) return false;
  if (facts.lastValidBlockHeight === null)
    return lifetime?.isOver === true && lookup.contextSlot >= lifetime.contextSlot;
  // The report of a single node must also fit the times of the intent.
  return proofsNeeded > 1
    ? position.blockHeight > facts.lastValidBlockHeight
    : isWindowClosed(facts, position.blockHeight, now, fastestPerSecond);
}

/**
 * Whether the look-up with history is worth its cost: by the node's height, or the clock, the window may be
 * over.
 */
export function mayBeExpired(facts: SubmissionFacts, position: ChainPosition | null, now: Date): boolean {
  if (facts.lastValidBlockHeight === null || position === null) return facts.expiresAt <= now;
  return position.blockHeight > facts.lastValidBlockHeight;
}
