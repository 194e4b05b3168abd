import { describe, expect, test } from 'bun:test';
import { isGrantedHeap, readTransaction, refusedHeapBytes } from '../../src/chain/transaction-reader.ts';
import { type TransactionFacts, wireBytes } from '../support/chain/transaction-arbitraries.ts';

// Each limit of the chain, and one more, which it refuses.

const keys = (count: number) => Array.from({ length: count }, (_, index) => new Uint8Array(32).fill(index));
const instruction = { program: 1, accounts: [0], data: new Uint8Array(0) };

function transaction(facts: Partial<TransactionFacts>): TransactionFacts {
  return {
    version: 'legacy',
    signers: 1,
    readonlySigned: 0,
    readonlyUnsigned: 0,
    keys: keys(2),
    blockhash: new Uint8Array(32),
    instructions: [instruction],
    lookups: [],
    priorityFee: 0n,
    computeUnits: 0,
    loadedDataBytes: 0,
    heapBytes: 0,
    ...facts,
  };
}

const isRead = (facts: Partial<TransactionFacts>) => readTransaction(wireBytes(transaction(facts))) !== null;

/** A transaction of this many bytes, filled by the data of one instruction. */
function ofSize(version: TransactionFacts['version'], byteCount: number): TransactionFacts {
  const withData = (dataBytes: number) =>
    transaction({ version, instructions: [{ ...instruction, data: new Uint8Array(dataBytes) }] });
  const rest = wireBytes(withData(1_000)).byteLength - 1_000;
  return withData(byteCount - rest);
}

const table = new Uint8Array(32).fill(0xaa);
const lookup = (writable: number[], readonly: number[]) => [{ table, writable, readonly }];
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const times = (count: number) => Array.from({ length: count }, () => instruction);
const using = (account: number) => [{ ...instruction, accounts: [0, account, 1] }];

describe('the transaction reader', () => {
  test.each<[string, Partial<TransactionFacts>, Partial<TransactionFacts>]>([
    ['bytes of a legacy transaction', ofSize('legacy', 1_232), ofSize('legacy', 1_233)],
    ['bytes of version 0', ofSize(0, 1_232), ofSize(0, 1_233)],
    ['bytes of version 1', ofSize(1, 4_096), ofSize(1, 4_097)],
    ['instructions of a legacy transaction', { instructions: times(64) }, { instructions: times(65) }],
    [
      'instructions of version 1',
      { version: 1, instructions: times(64) },
      { version: 1, instructions: times(65) },
    ],
    ['addresses of version 1', { version: 1, keys: keys(64) }, { version: 1, keys: keys(65) }],
    [
      'signatures of version 1',
      { version: 1, signers: 12, keys: keys(14) },
      { version: 1, signers: 13, keys: keys(14) },
    ],
    ['the last account of a legacy transaction', { instructions: using(1) }, { instructions: using(2) }],
    [
      'the last account of version 1',
      { version: 1, instructions: using(1) },
      { version: 1, instructions: using(2) },
    ],
    [
      'the last account that is looked up',
      { version: 0, lookups: lookup([7, 8], [9]), instructions: using(4) },
      { version: 0, lookups: lookup([7, 8], [9]), instructions: using(5) },
    ],
    [
      'accounts with those that are looked up',
      { version: 0, lookups: lookup(indexes(127), indexes(127)) },
      { version: 0, lookups: lookup(indexes(127), indexes(128)) },
    ],
    [
      'tables that something is looked up in',
      { version: 0, lookups: lookup([], [0]) },
      { version: 0, lookups: lookup([], []) },
    ],
    [
      'the last program, which is never looked up',
      { version: 0, keys: keys(2), lookups: lookup([1], [2]) },
      {
        version: 0,
        keys: keys(2),
        lookups: lookup([1], [2]),
        instructions: [{ ...instruction, program: 2 }],
      },
    ],
    ['a program that does not pay', { instructions: [] }, { instructions: [{ ...instruction, program: 0 }] }],
    ['a payer that is written', { signers: 2, readonlySigned: 1 }, { signers: 2, readonlySigned: 2 }],
    ['keys for all that is readonly', { readonlyUnsigned: 1 }, { readonlyUnsigned: 2 }],
    ['keys for all signers', { signers: 2 }, { signers: 3 }],
    ['a signature', {}, { signers: 0 }],
    ['the key that pays', { keys: keys(1), instructions: [] }, { keys: [], instructions: [] }],
    [
      'the key that pays, of version 1',
      { version: 1, keys: keys(1), instructions: [] },
      { version: 1, keys: [], instructions: [] },
    ],
  ])('reads %s up to the limit, and no further', (_what, atLimit, beyond) => {
    expect(isRead(atLimit)).toBe(true);
    expect(isRead(beyond)).toBe(false);
  });

  test('reads heaps that the runtime grants, and says which size it refuses', () => {
    const KIBIBYTE = 1_024;
    for (const granted of [32 * KIBIBYTE, 33 * KIBIBYTE, 256 * KIBIBYTE]) {
      const bytes = wireBytes(transaction({ version: 1, heapBytes: granted }));
      expect(readTransaction(bytes)?.heapBytes).toBe(granted);
      expect(refusedHeapBytes(bytes)).toBeNull();
    }
    for (const refused of [1, 31 * KIBIBYTE, 32 * KIBIBYTE + 1, 257 * KIBIBYTE, 2 ** 32 - KIBIBYTE]) {
      const bytes = wireBytes(transaction({ version: 1, heapBytes: refused }));
      expect(readTransaction(bytes)).toBeNull();
      expect(refusedHeapBytes(bytes)).toBe(refused);
    }
    expect(isGrantedHeap(null)).toBe(true);
    expect(refusedHeapBytes(new Uint8Array(3))).toBeNull();
  });

  test('refuses lengths that are encoded too long, or that are impossible', () => {
    const bytes = wireBytes(transaction({}));
    for (const spelling of [
      [0x81, 0x00],
      [0x81, 0x80, 0x00],
      [0x81, 0x80],
      [0x81, 0x80, 0x01],
      [0xff, 0xff, 0x03],
    ])
      expect(readTransaction(Uint8Array.of(...spelling, ...bytes.subarray(1)))).toBeNull();
  });

  test('refuses versions that it does not know', () => {
    const bytes = wireBytes(transaction({ version: 0 }));
    const versionOffset = 1 + 64;
    expect(bytes[versionOffset]).toBe(0x80);
    for (const version of [0x81, 0x82, 0xff])
      expect(readTransaction(bytes.with(versionOffset, version))).toBeNull();
  });
});
