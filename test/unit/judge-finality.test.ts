import { describe, expect, test } from 'bun:test';
import type { SignatureStatus } from '../../src/chain/rpc/transaction-calls.ts';
import { type FinalityReport, judgeFinality } from '../../src/intents/land/judge-finality.ts';

const at = (slot: bigint, commitment: SignatureStatus['commitment']): FinalityReport => ({
  status: { slot, commitment, failure: null },
  provesDropped: false,
});
const dropped: FinalityReport = { status: null, provesDropped: true };
const ignorant: FinalityReport = { status: null, provesDropped: false };
const confirmed = { slot: 100n, finality: 'confirmed' } as const;
const reverted = { slot: 100n, finality: 'reverted' } as const;

describe('a landing is final', () => {
  test('when as many nodes as decide name the same final slot', () => {
    expect(judgeFinality(confirmed, [at(100n, 'finalized')], 1)).toEqual({
      finality: 'finalized',
      slot: 100n,
    });
    expect(judgeFinality(confirmed, [at(100n, 'finalized'), ignorant], 2)).toBeNull();
    expect(judgeFinality(confirmed, [at(100n, 'finalized'), at(101n, 'finalized')], 2)).toBeNull();
    expect(judgeFinality(confirmed, [at(101n, 'finalized'), dropped, at(101n, 'finalized')], 2)).toEqual({
      finality: 'finalized',
      slot: 101n,
    });
  });

  test('also when a fork had dropped it before', () => {
    expect(judgeFinality(reverted, [at(107n, 'finalized')], 1)).toEqual({
      finality: 'finalized',
      slot: 107n,
    });
  });

  test('for good', () => {
    const final = { slot: 100n, finality: 'finalized' } as const;
    expect(judgeFinality(final, [dropped, dropped], 2)).toBeNull();
    expect(judgeFinality(final, [at(105n, 'confirmed')], 1)).toBeNull();
  });
});

describe('a landing is reverted', () => {
  test('when as many nodes as decide have a final chain without it', () => {
    expect(judgeFinality(confirmed, [dropped], 1)).toEqual({ finality: 'reverted', slot: null });
    expect(judgeFinality(confirmed, [dropped, ignorant], 2)).toBeNull();
    expect(judgeFinality(confirmed, [dropped, dropped], 2)).toEqual({ finality: 'reverted', slot: null });
  });

  test('not while a node knows it in any block, and not because nodes have lost it', () => {
    expect(judgeFinality(confirmed, [dropped, dropped, at(108n, 'processed')], 2)).toBeNull();
    expect(judgeFinality(confirmed, [dropped, dropped, at(100n, 'confirmed')], 2)).toBeNull();
    expect(judgeFinality(confirmed, [ignorant, ignorant], 2)).toBeNull();
    expect(judgeFinality(confirmed, [], 1)).toBeNull();
  });
});

test('a landing moves to another block when enough nodes agree on it and none has it in the first', () => {
  expect(judgeFinality(confirmed, [at(104n, 'confirmed')], 1)).toEqual({ finality: 'confirmed', slot: 104n });
  expect(judgeFinality(confirmed, [at(104n, 'confirmed')], 2)).toBeNull();
  expect(judgeFinality(confirmed, [at(104n, 'confirmed'), at(100n, 'confirmed')], 1)).toBeNull();
});

test('one node is enough to show that a transaction has landed again', () => {
  expect(judgeFinality(reverted, [dropped, at(107n, 'confirmed')], 2)).toEqual({
    finality: 'confirmed',
    slot: 107n,
  });
  expect(judgeFinality(reverted, [dropped, at(107n, 'processed')], 2)).toBeNull();
});
