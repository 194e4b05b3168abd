import { describe, expect, test } from 'bun:test';
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readTransaction, type TransactionView } from '../../src/chain/transaction-reader.ts';
import { type TransactionFacts, transactions, wireBytes } from '../support/chain/transaction-arbitraries.ts';

/** A reader's view of a transaction, in one form for all three. */
interface Reading {
  version: 'legacy' | 0 | 1;
  signers: number;
  keys: string[];
  blockhash: string;
  instructions: { program: number; data: string }[];
  lookups: { table: string; writable: number[]; readonly: number[] }[];
}

function ours(bytes: Uint8Array, view: TransactionView): Reading {
  const key = (offset: number) => bs58.encode(bytes.subarray(offset, offset + 32));
  const indexes = (offset: number, count: number) => [...bytes.subarray(offset, offset + count)];
  return {
    version: view.version,
    signers: view.signatureCount,
    keys: Array.from({ length: view.keyCount }, (_, index) => key(view.keysOffset + index * 32)),
    blockhash: key(view.blockhashOffset),
    instructions: view.instructions.map(({ programIndex, dataOffset, dataLength }) => ({
      program: programIndex,
      data: Buffer.from(bytes.subarray(dataOffset, dataOffset + dataLength)).toString('hex'),
    })),
    lookups: view.lookups.map((lookup) => ({
      table: key(lookup.tableOffset),
      writable: indexes(lookup.writableOffset, lookup.writableCount),
      readonly: indexes(lookup.readonlyOffset, lookup.readonlyCount),
    })),
  };
}

function kits(bytes: Uint8Array): Reading {
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const hex = (data: ArrayLike<number> | undefined) => Buffer.from(data ?? []).toString('hex');
  const instructions =
    'instructionHeaders' in message
      ? message.instructionHeaders.map(({ programAccountIndex }, at) => ({
          program: programAccountIndex,
          data: hex(message.instructionPayloads[at]?.instructionData),
        }))
      : message.instructions.map(({ programAddressIndex, data }) => ({
          program: programAddressIndex,
          data: hex(data),
        }));
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : [];
  return {
    version: message.version,
    signers: Object.keys(signatures).length,
    keys: [...message.staticAccounts],
    blockhash: message.lifetimeToken ?? '',
    instructions,
    lookups: lookups.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
      table: lookupTableAddress,
      writable: [...writableIndexes],
      readonly: [...readonlyIndexes],
    })),
  };
}

function web3s(bytes: Uint8Array): Reading {
  const { message, signatures } = VersionedTransaction.deserialize(bytes);
  return {
    version: message.version,
    signers: signatures.length,
    keys: message.staticAccountKeys.map((key) => key.toBase58()),
    blockhash: message.recentBlockhash,
    instructions: message.compiledInstructions.map(({ programIdIndex, data }) => ({
      program: programIdIndex,
      data: Buffer.from(data).toString('hex'),
    })),
    lookups: message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      table: accountKey.toBase58(),
      writable: [...writableIndexes],
      readonly: [...readonlyIndexes],
    })),
  };
}

describe('the transaction reader beside @solana/kit and @solana/web3.js', () => {
  test('generated transactions of every shape read alike', () => {
    const versions = new Set<TransactionFacts['version']>();
    fc.assert(
      fc.property(transactions, (facts) => {
        const bytes = wireBytes(facts);
        const view = readTransaction(bytes);
        if (view === null) throw new Error('not read');
        const reading = ours(bytes, view);
        expect(reading).toEqual(kits(bytes));
        if (facts.version !== 1) expect(reading).toEqual(web3s(bytes));
        expect(view.price?.priorityFeeLamports ?? null).toBe(facts.version === 1 ? facts.priorityFee : null);
        expect(view.price?.computeUnitLimit ?? null).toBe(facts.version === 1 ? facts.computeUnits : null);
        const heapBytes = facts.version === 1 && facts.heapBytes > 0 ? facts.heapBytes : null;
        expect(view.heapBytes).toBe(heapBytes);
        versions.add(facts.version);
      }),
      { numRuns: 600 },
    );
    expect(versions.size).toBe(3);
  });

  test('a mutated, cut or extended transaction is read as kit reads it, or is refused', () => {
    let read = 0;
    const edit = fc.record({
      at: fc.nat(),
      value: fc.nat(255),
      kind: fc.constantFrom('set', 'insert', 'remove'),
    });
    fc.assert(
      fc.property(transactions, fc.array(edit, { maxLength: 3 }), (facts, edits) => {
        const edited = [...wireBytes(facts)];
        for (const { at, value, kind } of edits) {
          const index = at % edited.length;
          if (kind === 'set') edited[index] = value;
          else if (kind === 'insert') edited.splice(index, 0, value);
          else edited.splice(index, 1);
        }
        const bytes = Uint8Array.from(edited);
        const view = readTransaction(bytes);
        if (view === null) return;
        read += 1;
        // Kit names signatures by their keys, so a repeated key hides a slot; both count the slots by the header.
        const { signers, ...reading } = ours(bytes, view);
        const { signers: named, ...kit } = kits(bytes);
        expect(reading).toEqual(kit);
        expect(named).toBe(new Set(reading.keys.slice(0, signers)).size);
      }),
      { numRuns: 1_500 },
    );
    expect(read).toBeGreaterThan(200);
  });

  test('random bytes never throw and are never read where kit refuses', () => {
    const prefixed = fc
      .tuple(
        fc.constantFrom([], [1], [0x81], [0x81, 1, 0, 1]),
        fc.uint8Array({ maxLength: 400, size: 'max' }),
      )
      .map(([prefix, rest]) => Uint8Array.of(...prefix, ...rest));
    fc.assert(
      fc.property(prefixed, (bytes) => {
        if (readTransaction(bytes) !== null) kits(bytes);
      }),
      { numRuns: 3_000 },
    );
  });
});
