import { describe, expect, test } from 'bun:test';
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { readTransaction } from '../../src/chain/transaction-reader.ts';

const BLOCKHASH = bs58.encode(Buffer.alloc(32, 9));
const seeded = (seed: number) => Keypair.fromSeed(Buffer.alloc(32, seed));

function instructions(count: number, from: PublicKey) {
  return [
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000n }),
    ...Array.from({ length: count }, (_, index) =>
      SystemProgram.transfer({
        fromPubkey: from,
        toPubkey: seeded(100 + index).publicKey,
        lamports: 1n + BigInt(index),
      }),
    ),
  ];
}

function legacy(signerCount: number, instructionCount: number): Uint8Array {
  const signers = Array.from({ length: signerCount }, (_, index) => seeded(index + 1));
  const [payer] = signers;
  if (payer === undefined) throw new Error('no payer');
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: BLOCKHASH });
  transaction.add(...signers.flatMap((signer) => instructions(instructionCount, signer.publicKey)));
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

function versioned(tableCount: number): Uint8Array {
  const payer = seeded(1);
  const tables = Array.from({ length: tableCount }, (_, index) => {
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [seeded(100 + index).publicKey],
    };
    return new AddressLookupTableAccount({ key: seeded(200 + index).publicKey, state });
  });
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: BLOCKHASH,
    instructions: instructions(3, payer.publicKey),
  }).compileToV0Message(tables);
  return new VersionedTransaction(message).serialize();
}

/** A v1 transaction by SIMD-0385: one signer, one instruction with two bytes of data. */
function versionOne({ configMask = 0b100, configBytes = 4, signerCount = 1 } = {}): Uint8Array {
  return Buffer.concat([
    Uint8Array.of(0x81, signerCount, 0, 1),
    Uint8Array.of(configMask, 0, 0, 0),
    Buffer.alloc(32, 9),
    Uint8Array.of(1, 2),
    seeded(1).publicKey.toBytes(),
    SystemProgram.programId.toBytes(),
    Buffer.alloc(configBytes, 1),
    Uint8Array.of(1, 1, 2, 0),
    Uint8Array.of(0, 7, 8),
    Buffer.alloc(64 * signerCount),
  ]);
}

describe('the transaction reader', () => {
  const samples: [string, Uint8Array][] = [
    ...[1, 2, 5].flatMap((signers) =>
      [0, 1, 3].map((count): [string, Uint8Array] => [`legacy ${signers}/${count}`, legacy(signers, count)]),
    ),
    ...[0, 1, 2].map((tables): [string, Uint8Array] => [`v0 with ${tables} tables`, versioned(tables)]),
  ];

  test.each(samples)('agrees with @solana/kit and @solana/web3.js on %s', (_name, bytes) => {
    const view = readTransaction(bytes);
    if (view === null) throw new Error('not read');
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const { message } = VersionedTransaction.deserialize(bytes);
    expect(view.version).toBe(compiled.version);
    expect(view.signatureCount).toBe(Object.keys(signatures).length);
    expect(Buffer.from(bytes.subarray(view.messageOffset, view.messageOffset + view.messageLength))).toEqual(
      Buffer.from(messageBytes),
    );
    const keys = Array.from({ length: view.keyCount }, (_, index) => {
      const start = view.keysOffset + index * 32;
      return bs58.encode(bytes.subarray(start, start + 32));
    });
    expect(keys).toEqual(message.staticAccountKeys.map((key) => key.toBase58()));
    expect(bs58.encode(bytes.subarray(view.blockhashOffset, view.blockhashOffset + 32))).toBe(BLOCKHASH);
    expect(view.instructions.map(({ programIndex }) => programIndex)).toEqual(
      message.compiledInstructions.map(({ programIdIndex }) => programIdIndex),
    );
    expect(
      view.instructions.map(({ dataOffset, dataLength }) =>
        bytes.subarray(dataOffset, dataOffset + dataLength),
      ),
    ).toEqual(message.compiledInstructions.map(({ data }) => Uint8Array.from(data)));
    expect(view.lookups.length).toBe(message.addressTableLookups.length);
  });

  test('reads version 1, whose signatures come last', () => {
    const bytes = versionOne();
    expect(readTransaction(bytes)).toMatchObject({
      version: 1,
      signatureCount: 1,
      signaturesOffset: bytes.byteLength - 64,
      messageOffset: 0,
      messageLength: bytes.byteLength - 64,
      keyCount: 2,
      instructions: [{ programIndex: 1, dataLength: 2 }],
    });
  });

  test('refuses half a priority fee, unknown configuration bits and missing values in version 1', () => {
    expect(readTransaction(versionOne({ configMask: 0b001 }))).toBeNull();
    expect(readTransaction(versionOne({ configMask: 0b100000 }))).toBeNull();
    expect(readTransaction(versionOne({ configMask: 0b011, configBytes: 4 }))).toBeNull();
    expect(readTransaction(versionOne({ configMask: 0b011, configBytes: 8 }))).not.toBeNull();
  });

  test('refuses trailing bytes, missing bytes, no bytes and more than the limit of the version', () => {
    for (const [, bytes] of [...samples, ['v1', versionOne()] as const]) {
      expect(readTransaction(Buffer.concat([bytes, Uint8Array.of(0)]))).toBeNull();
      expect(readTransaction(bytes.subarray(0, -1))).toBeNull();
    }
    expect(readTransaction(new Uint8Array(0))).toBeNull();
    expect(readTransaction(new Uint8Array(5_000))).toBeNull();
  });

  test('refuses a signature count that differs from the header, in both directions', () => {
    const bytes = Uint8Array.from(legacy(2, 1));
    bytes[1 + 128] = 1;
    expect(readTransaction(bytes)).toBeNull();
    bytes[1 + 128] = 3;
    expect(readTransaction(bytes)).toBeNull();
  });

  test('refuses aliases of compact lengths', () => {
    const bytes = legacy(1, 0);
    const aliased = Buffer.concat([Uint8Array.of(0x81, 0x00), bytes.subarray(1)]);
    expect(readTransaction(aliased)).toBeNull();
  });

  test('never throws, and reads nothing from random bytes that kit would refuse', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples.map(([, bytes]) => bytes)),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        (original, changes) => {
          const bytes = Uint8Array.from(original);
          for (const [position, value] of changes) bytes[position % bytes.byteLength] = value;
          const view = readTransaction(bytes);
          if (view === null) return;
          const { messageBytes } = getTransactionDecoder().decode(bytes);
          expect(messageBytes.byteLength).toBe(view.messageLength);
        },
      ),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => void readTransaction(bytes)),
      { numRuns: 2_000 },
    );
  });

  test('reads a view into a buffer by its own bytes alone', () => {
    const bytes = legacy(1, 1);
    const padded = Buffer.concat([Buffer.alloc(7, 0xff), bytes, Buffer.alloc(7, 0xff)]);
    expect(readTransaction(padded.subarray(7, 7 + bytes.byteLength))).toEqual(readTransaction(bytes));
  });
});
