import { describe, expect, test } from 'bun:test';
import type { SignatureRange, SignatureRecord } from '../../src/chain/rpc/history-calls.ts';
import { WalkEvidence } from '../../src/indexer/proofs/walk-evidence.ts';
import { newestProofs } from '../../src/indexer/store/source-proofs.ts';

test('the proof of a token that reaches furthest counts, in any order', () => {
  const of = (mintAddresses: string[], second: number) => ({
    mintAddresses,
    through: `2026-01-01T00:00:0${second}Z`,
    slot: String(second),
  });
  const expected = [
    { mintAddress: 'a', through: '2026-01-01T00:00:03Z', slot: '3' },
    { mintAddress: 'b', through: '2026-01-01T00:00:02Z', slot: '2' },
  ];
  const messages = [of(['a'], 1), of(['a', 'b'], 2), of(['a'], 3)];
  const sorted = (proofs: ReturnType<typeof newestProofs>) =>
    proofs.toSorted((left, right) => left.mintAddress.localeCompare(right.mintAddress));
  expect(sorted(newestProofs(messages))).toEqual(expected);
  expect(sorted(newestProofs(messages.toReversed()))).toEqual(expected);
});

describe('the evidence of a walk', () => {
  const head = { slot: 9n, blockTime: new Date(9_000) };
  const record = (signature: string): SignatureRecord => ({
    signature,
    slot: 1n,
    failed: false,
    transactionIndex: null,
  });

  test('demands the slot of the head with the newest page only', async () => {
    const asked: SignatureRange[] = [];
    const evidence = new WalkEvidence(head, {
      async list(range) {
        asked.push(range);
        return [record('newest')];
      },
      isAvailable: () => true,
    });
    await evidence.list({ limit: 10, until: 'cursor' });
    await evidence.list({ limit: 10, before: 'oldest' });
    expect(asked).toEqual([
      { limit: 10, until: 'cursor', minContextSlot: 9n },
      { limit: 10, before: 'oldest' },
    ]);
    expect(evidence.head).toEqual(head);
  });

  test('is missing when the node at the address has not reached the head, but its list is still used', async () => {
    const list = async ({ minContextSlot }: SignatureRange) => {
      if (minContextSlot !== undefined) throw new Error('not reached');
      return [record('older')];
    };
    const evidence = new WalkEvidence(head, { list, isAvailable: () => true });
    expect(await evidence.list({ limit: 10 })).toEqual([record('older')]);
    expect(evidence.head).toBeNull();
    const gone = new WalkEvidence(head, { list, isAvailable: () => false });
    expect(gone.list({ limit: 10 })).rejects.toThrow('not reached');
  });
});
