import type { BlockhashRing } from './blockhash-ring.ts';
import { durableNonceOf, nonceAddressOf } from './durable-nonces.ts';
import type { LandingResult } from './landing.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { SlotClock } from './slot-clock.ts';
import type { VirtualMachine } from './vm.ts';
import type { SentTransaction, Waiting } from './waiting-transactions.ts';

/** How long a node of Agave waits before it sends a transaction again. */
const RETRY_MS = 2_000;
/** A node sends for this many blocks where no blockhash says when a transaction ends: those with a durable nonce. */
const BLOCKS_WITHOUT_BLOCKHASH = 300n;
/** Of a transaction that landed before, and of one that no block can ever take. */
const FINAL_REFUSALS: readonly unknown[] = ['AlreadyProcessed', 'SignatureFailure'];

interface RetryingChain {
  readonly vm: VirtualMachine;
  readonly slot: bigint;
  readonly ring: BlockhashRing;
  readonly skipped: SkippedSlots;
  readonly clock: SlotClock;
}

/** A transaction that has just been sent. */
export function arrival({ ring, skipped, slot }: RetryingChain, sent: SentTransaction): Waiting {
  const { message } = sent.transaction;
  const end = nonceAddressOf(message) === null ? ring.lastHeightOf(message.blockhash) : null;
  return {
    sent,
    dueMs: 0,
    retriesLeft: sent.maxRetries,
    isRetry: false,
    lastHeight: end ?? skipped.heightAt(slot) + BLOCKS_WITHOUT_BLOCKHASH,
  };
}

/**
 * What becomes of a transaction after an attempt to land it; null when it has landed, or is given up. A block without room
 * leaves it to the next one. Whatever else keeps it from landing may pass, such as a payer without funds, a table without
 * the address or a nonce that was advanced in the same block: its node sends it again until its blockhash ends.
 */
export function afterAttempt(
  chain: RetryingChain,
  waiting: Waiting,
  { landed, err, isBlockFull }: LandingResult,
): Waiting | null {
  const { vm, slot, skipped, clock } = chain;
  if (landed || FINAL_REFUSALS.includes(err) || skipped.heightAt(slot) >= waiting.lastHeight) return null;
  if (isBlockFull === true) return { ...waiting, dueMs: 0 };
  const { message } = waiting.sent.transaction;
  const hasLostNonce =
    nonceAddressOf(message) !== null && durableNonceOf(message, (address) => vm.getAccount(address)) === null;
  if (waiting.retriesLeft < 1 || (waiting.isRetry && hasLostNonce)) return null;
  const dueMs = clock.unixMsOf(slot) + RETRY_MS;
  return { ...waiting, dueMs, retriesLeft: waiting.retriesLeft - 1, isRetry: true };
}
