import { describe, expect, test } from 'bun:test';
import { FASTEST_PER_SECOND, mostIn } from '../../src/chain/pace/chain-pace.ts';
import type { SignatureStatus } from '../../src/chain/rpc/transaction-calls.ts';
import { intentErrorCodes, intentStatuses } from '../../src/db/values/transaction-intents.ts';
import {
  decideOutcome,
  landedOutcome,
  type NodeView,
  type SubmissionFacts,
} from '../../src/intents/confirm/outcome.ts';
import { intentErrorDetails, isTerminal, transitionEvent } from '../../src/intents/state.ts';

const status: SignatureStatus = { commitment: 'confirmed', slot: 1_000n, failure: null };

test('exactly the transitions of contract/intents#transitions exist, each with its event', () => {
  const transitions = intentStatuses.flatMap((from) =>
    intentStatuses.flatMap((to) => {
      const event = transitionEvent(from, to);
      return event === null ? [] : [`${from} → ${to}: ${event}`];
    }),
  );
  expect(transitions).toEqual([
    'prepared → submitted: transaction_intent.submitted',
    'prepared → expired: transaction_intent.expired',
    'submitted → confirmed: transaction_intent.confirmed',
    'submitted → failed: transaction_intent.failed',
  ]);
  expect(intentStatuses.filter(isTerminal)).toEqual(['confirmed', 'expired', 'failed']);
});

test('every result code has a sentence for the client', () => {
  for (const code of intentErrorCodes) expect(intentErrorDetails[code]).toEndWith('.');
});

test('a landed transaction counts from commitment confirmed on, success and failure alike', () => {
  expect(landedOutcome(null)).toBeNull();
  expect(landedOutcome({ ...status, commitment: 'processed' })).toBeNull();
  expect(landedOutcome({ ...status, commitment: 'processed', failure: '"E"' })).toBeNull();
  expect(landedOutcome(status)).toBe('confirmed');
  expect(landedOutcome({ ...status, commitment: 'finalized', failure: '"E"' })).toBe(
    'solana_transaction_failed',
  );
});

describe('an intent is given up', () => {
  const now = new Date('2026-01-01T00:01:00Z');
  const facts: SubmissionFacts = {
    lastValidBlockHeight: 100n,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: now,
    wasAccepted: true,
    mayHaveBeenTaken: true,
    hasSignatureMismatch: false,
  };
  const notYet = new Date(now.getTime() - 1);
  const lookup = (status: SignatureStatus | null, contextSlot = 1_000n) => ({ contextSlot, status });
  const node = (
    blockHeight: bigint,
    status: SignatureStatus | null = null,
    contextSlot = 1_000n,
  ): NodeView => ({
    position: { slot: 1_000n, blockHeight },
    lifetime: null,
    lookup: lookup(status, contextSlot),
  });
  const silent: NodeView = { position: null, lifetime: null, lookup: null };
  const processed: SignatureStatus = { ...status, commitment: 'processed' };
  const failed: SignatureStatus = { ...status, failure: '"E"' };
  function verdict(nodes: NodeView[], needed = 1, changes: Partial<SubmissionFacts> = {}, at = now) {
    const judged = decideOutcome({ ...facts, ...changes }, nodes, needed, at);
    return judged?.status === 'failed' ? judged.errorCode : (judged?.status ?? null);
  }

  test('when a node’s own height passed the window and its last look-up found nothing', () => {
    expect(verdict([node(101n)])).toBe('solana_blockhash_expired');
    expect(verdict([node(100n)])).toBeNull();
    expect(verdict([silent, node(101n)])).toBe('solana_blockhash_expired');
  });

  test('only by two nodes where two count, whichever others are silent', () => {
    expect(verdict([node(101n), silent], 2)).toBeNull();
    expect(verdict([node(101n), node(100n)], 2)).toBeNull();
    expect(verdict([node(101n), node(102n)], 2)).toBe('solana_blockhash_expired');
    expect(verdict([node(101n), silent, node(102n)], 2)).toBe('solana_blockhash_expired');
  });

  test('never while any node knows the signature, and one that has it confirmed is enough to confirm it', () => {
    expect(verdict([node(101n), node(102n), node(90n, processed)], 2)).toBeNull();
    expect(verdict([node(101n), node(102n), node(90n, status)], 2)).toBe('confirmed');
    expect(verdict([node(101n, failed), node(90n, status)], 2)).toBe('confirmed');
  });

  test('as failed on chain by as many nodes as an expiry needs, those that prove expiry included', () => {
    expect(verdict([node(90n, failed)])).toBe('solana_transaction_failed');
    expect(verdict([node(90n, failed), node(90n)], 2)).toBeNull();
    expect(verdict([node(90n, failed), node(90n, failed)], 2)).toBe('solana_transaction_failed');
    expect(verdict([node(90n, failed), node(101n)], 2)).toBe('solana_transaction_failed');
  });

  test('not by one node’s height and another node’s ignorance', () => {
    const ahead: NodeView = { ...silent, position: { slot: 1_000n, blockHeight: 101n } };
    expect(verdict([ahead, node(90n)])).toBeNull();
  });

  test('not by a look-up that was answered from an older state than the height', () => {
    expect(verdict([node(101n, null, 999n)])).toBeNull();
  });

  test('not by a height of a single node that the chain cannot have reached since the preparation', () => {
    const possible = mostIn(60_000, FASTEST_PER_SECOND);
    expect(verdict([node(100n + 150n + possible)])).toBe('solana_blockhash_expired');
    expect(verdict([node(100n + 150n + possible + 1n)])).toBeNull();
    // Two nodes confirm each other.
    const [farther, farthest] = [node(100n + 150n + 60n * 5n + 1n), node(10_000n)];
    expect(verdict([farther, farthest], 2)).toBe('solana_blockhash_expired');
  });

  test('not while no node answers, unless the transaction was certainly never sent', () => {
    expect(verdict([silent])).toBeNull();
    expect(verdict([silent], 1, { wasAccepted: false })).toBeNull();
    const neverLeft = { wasAccepted: false, mayHaveBeenTaken: false };
    expect(verdict([silent], 1, neverLeft)).toBe('transaction_intent_broadcast_exhausted');
    expect(verdict([silent], 1, neverLeft, notYet)).toBeNull();
    expect(verdict([silent], 1, { ...neverLeft, lastValidBlockHeight: null })).toBeNull();
  });

  test('as an exhausted broadcast when no node accepted it, as a mismatch when one misanswered it besides', () => {
    const unaccepted = { wasAccepted: false };
    expect(verdict([node(101n)], 1, unaccepted)).toBe('transaction_intent_broadcast_exhausted');
    const misanswered = { wasAccepted: false, hasSignatureMismatch: true };
    expect(verdict([node(101n)], 1, misanswered)).toBe('solana_signature_mismatch');
    expect(verdict([node(100n)], 1, misanswered)).toBeNull();
    expect(verdict([node(101n)], 1, { hasSignatureMismatch: true })).toBe('solana_blockhash_expired');
  });

  test('without a block height when its blockhash or nonce is over in a state no newer than the look-up', () => {
    const untimed = { lastValidBlockHeight: null };
    const told = (isOver: boolean, contextSlot = 1_000n): NodeView => ({
      ...node(1n),
      lifetime: { contextSlot, isOver },
    });
    expect(verdict([told(true)], 1, untimed)).toBe('transaction_intent_expired');
    expect(verdict([told(true)], 1, { ...untimed, wasAccepted: false })).toBe(
      'transaction_intent_broadcast_exhausted',
    );
    expect(verdict([told(false)], 1, untimed)).toBeNull();
    expect(verdict([told(true, 1_001n)], 1, untimed)).toBeNull();
    expect(verdict([node(1n)], 1, untimed)).toBeNull();
    expect(verdict([{ ...told(true), position: null }], 1, untimed)).toBeNull();
    expect(verdict([told(true), told(false)], 2, untimed)).toBeNull();
    expect(verdict([told(true), told(true)], 2, untimed)).toBe('transaction_intent_expired');
  });
});
