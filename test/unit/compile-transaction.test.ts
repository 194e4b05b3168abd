import { describe, expect, test } from 'bun:test';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import {
  compileTransaction,
  type TransactionPlan,
  wireVersions,
  withComputeUnitLimit,
} from '../../src/chain/transactions/compile-transaction.ts';
import { computeUnitLimitFor } from '../../src/chain/transactions/compute-budget.ts';
import { readonly, signer, writable, writtenAccounts } from '../../src/chain/transactions/instruction.ts';

const address = () => Keypair.generate().publicKey.toBase58();
const feePayer = address();
const cosigner = address();
const program = address();
const written = address();
const plan: TransactionPlan = {
  version: 'v0',
  feePayer,
  instructions: [
    {
      program,
      accounts: [signer(feePayer), signer(cosigner), writable(written), readonly(address())],
      data: Uint8Array.of(1, 2, 3),
    },
  ],
  blockhash: address(),
  computeUnitLimit: 400_000,
  computeUnitPrice: 7_000n,
};

/** The same transaction as web3.js 1.x makes it. */
function byWeb3({ version, ...shape }: TransactionPlan): Uint8Array {
  const message = new TransactionMessage({
    payerKey: new PublicKey(shape.feePayer),
    recentBlockhash: shape.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: shape.computeUnitLimit }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: shape.computeUnitPrice }),
      ...shape.instructions.map(
        ({ program: programId, accounts, data }) =>
          new TransactionInstruction({
            programId: new PublicKey(programId),
            keys: accounts.map((use) => ({ ...use, pubkey: new PublicKey(use.address) })),
            data: Buffer.from(data),
          }),
      ),
    ],
  });
  const compiled = version === 'legacy' ? message.compileToLegacyMessage() : message.compileToV0Message();
  return new VersionedTransaction(compiled).serialize();
}

/** Called program and data of each instruction: the order of accounts is free within their kinds. */
function callsOf(bytes: Uint8Array) {
  const { message } = VersionedTransaction.deserialize(bytes);
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: message.staticAccountKeys[programIdIndex]?.toBase58(),
    accounts: accountKeyIndexes.map((index) => ({
      address: message.staticAccountKeys[index]?.toBase58(),
      isSigner: message.isAccountSigner(index),
      isWritable: message.isAccountWritable(index),
    })),
    data: [...data],
  }));
}

describe('a compiled transaction', () => {
  test.each(['legacy', 'v0'] as const)('%s has the same content as one made by web3.js 1.x', (version) => {
    const bytes = compileTransaction({ ...plan, version });
    expect(callsOf(bytes)).toEqual(callsOf(byWeb3({ ...plan, version })));
    expect(VersionedTransaction.deserialize(bytes).message.recentBlockhash).toBe(plan.blockhash);
  });

  test.each(wireVersions)('%s has a zero slot for every signer, the fee payer first', (version) => {
    const bytes = compileTransaction({ ...plan, version });
    const view = readTransaction(bytes);
    expect(view?.version).toBe(version === 'legacy' ? 'legacy' : version === 'v0' ? 0 : 1);
    expect(view?.signatureCount).toBe(2);
    const { signaturesOffset, keysOffset } = view ?? { signaturesOffset: 0, keysOffset: 0 };
    expect(bytes.subarray(signaturesOffset, signaturesOffset + 128).every((byte) => byte === 0)).toBe(true);
    expect(new PublicKey(bytes.subarray(keysOffset, keysOffset + 32)).toBase58()).toBe(feePayer);
  });

  test('version 1 says its price as lamports for the whole limit', () => {
    const view = readTransaction(compileTransaction({ ...plan, version: 'v1' }));
    expect(view?.price).toEqual({ priorityFeeLamports: 2_800n, computeUnitLimit: 400_000 });
    const free = readTransaction(compileTransaction({ ...plan, version: 'v1', computeUnitPrice: 0n }));
    expect(free?.price).toEqual({ priorityFeeLamports: 0n, computeUnitLimit: 400_000 });
  });

  test.each(wireVersions.flatMap((version) => [0n, 7_000n].map((price) => [version, price] as const)))(
    '%s at price %p with a changed limit equals one planned with that limit',
    (version, computeUnitPrice) => {
      const priced = { ...plan, version, computeUnitPrice };
      const limited = { ...priced, computeUnitLimit: 61_234 };
      expect(withComputeUnitLimit(compileTransaction(priced), limited)).toEqual(compileTransaction(limited));
    },
  );
});

test('a limit is above the measured units, and never above the maximum of the chain', () => {
  expect(computeUnitLimitFor(100_000)).toBe(125_000);
  expect(computeUnitLimitFor(1_399_999)).toBe(1_400_000);
});

test('written accounts are listed once', () => {
  const again = { program, accounts: [writable(written), readonly(feePayer)], data: new Uint8Array(0) };
  expect(writtenAccounts([...plan.instructions, again])).toEqual([written]);
});
