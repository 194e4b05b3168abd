import { describe, expect, test } from 'bun:test';
import { intentErrorCodes, intentStatuses } from '../../src/db/schema/transaction-intents.ts';
import {
  intentErrorDetails,
  isTerminal,
  transitionEvent,
} from '../../src/features/transaction-intents/state.ts';
import {
  type ExpiryFacts,
  expiryVerdict,
  landedVerdict,
  type NodeView,
} from '../../src/features/transaction-intents/verdict.ts';

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
  expect(landedVerdict(null)).toBeNull();
  expect(landedVerdict({ commitment: 'processed', failure: null })).toBeNull();
  expect(landedVerdict({ commitment: 'processed', failure: '"E"' })).toBeNull();
  expect(landedVerdict({ commitment: 'confirmed', failure: null })).toBe('confirmed');
  expect(landedVerdict({ commitment: 'finalized', failure: '"E"' })).toBe('solana_transaction_failed');
});

describe('expiry', () => {
  const facts: ExpiryFacts = {
    lastValidBlockHeight: 100n,
    isPastExpiry: true,
    wasAccepted: true,
    mayHaveBeenTaken: true,
  };
  const node = (blockHeight: bigint, isKnown = false, contextSlot = 1_000n): NodeView => ({
    position: { slot: 1_000n, blockHeight },
    lookup: { contextSlot, isKnown },
  });
  const silent: NodeView = { position: null, lookup: null };

  test('needs a node whose own height passed the window and whose last look-up found nothing', () => {
    expect(expiryVerdict(facts, [node(101n)])).toBe('solana_blockhash_expired');
    expect(expiryVerdict(facts, [node(100n)])).toBeNull();
    expect(expiryVerdict(facts, [silent, node(101n)])).toBe('solana_blockhash_expired');
  });

  test('is never declared when any node knows the signature', () => {
    expect(expiryVerdict(facts, [node(101n), node(90n, true)])).toBeNull();
  });

  test('is not proven by one node’s height and another node’s ignorance', () => {
    const ahead: NodeView = { position: { slot: 1_000n, blockHeight: 101n }, lookup: null };
    expect(expiryVerdict(facts, [ahead, node(90n)])).toBeNull();
  });

  test('is not proven by a look-up that was answered from an older state than the height', () => {
    expect(expiryVerdict(facts, [node(101n, false, 999n)])).toBeNull();
  });

  test('is not declared while no node answers, unless the transaction certainly never left', () => {
    expect(expiryVerdict(facts, [silent])).toBeNull();
    expect(expiryVerdict({ ...facts, wasAccepted: false }, [silent])).toBeNull();
    const neverLeft = { ...facts, wasAccepted: false, mayHaveBeenTaken: false };
    expect(expiryVerdict(neverLeft, [silent])).toBe('transaction_intent_broadcast_exhausted');
    expect(expiryVerdict({ ...neverLeft, isPastExpiry: false }, [silent])).toBeNull();
  });

  test('of a transaction that no node ever accepted is an exhausted broadcast', () => {
    expect(expiryVerdict({ ...facts, wasAccepted: false }, [node(101n)])).toBe(
      'transaction_intent_broadcast_exhausted',
    );
  });

  test('of an intent without a block height goes by its time', () => {
    const timed = { ...facts, lastValidBlockHeight: null };
    expect(expiryVerdict(timed, [node(101n)])).toBe('transaction_intent_expired');
    expect(expiryVerdict({ ...timed, isPastExpiry: false }, [node(101n)])).toBeNull();
    expect(expiryVerdict({ ...timed, wasAccepted: false }, [node(1n)])).toBe(
      'transaction_intent_broadcast_exhausted',
    );
  });
});
