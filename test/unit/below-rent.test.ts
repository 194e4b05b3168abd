import { expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readTransactionFailure } from '../../src/chain/failures/simulation-failure.ts';
import { transactions, wireBytes } from '../support/chain/transaction-arbitraries.ts';

const failureOf = (index: unknown) => JSON.stringify({ InsufficientFundsForRent: { account_index: index } });

test('an account below its rent is named, unless it pays the fee or comes from a lookup table', () => {
  fc.assert(
    fc.property(transactions, fc.nat(20), (facts, index) => {
      const read = readTransactionFailure(failureOf(index), wireBytes(facts));
      const key = facts.keys[index];
      const belowRent = index === 0 || key === undefined ? null : bs58.encode(key);
      expect(read).toEqual({ kind: 'transaction', isUnfunded: index === 0, belowRent });
    }),
  );
});

test('an account that the node does not name is taken for the payer', () => {
  for (const failure of [failureOf(undefined), failureOf('2'), '"InsufficientFundsForRent"'])
    expect(readTransactionFailure(failure, new Uint8Array(0))).toEqual({
      kind: 'transaction',
      isUnfunded: true,
      belowRent: null,
    });
});
