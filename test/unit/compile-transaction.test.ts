import { describe, expect, test } from 'bun:test';
import { getAddressComparator } from '@solana/kit';
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import {
  compileTransaction,
  type TransactionPlan,
  wireVersions,
  withComputeUnitLimit,
} from '../../src/chain/transactions/compile-transaction.ts';
import { computeUnitLimitFor } from '../../src/chain/transactions/compute-budget.ts';
import { readonly, signer, writable, writtenAccounts } from '../../src/chain/transactions/instruction.ts';
import { compareAddresses } from '../../src/chain/transactions/message-accounts.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { compileWithKit, compileWithWeb3 } from '../support/chain/library-transactions.ts';

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
    expect(callsOf(bytes)).toEqual(callsOf(compileWithWeb3({ ...plan, version })));
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

/** The bytes; null where it cannot be compiled. */
function compiled(compile: (shape: TransactionPlan) => Uint8Array, shape: TransactionPlan) {
  try {
    return compile(shape);
  } catch {
    return null;
  }
}

describe('beside @solana/kit', () => {
  const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(encodeBase58);
  // Few addresses, so that they repeat in several roles.
  const addresses = fc.array(anyAddress, { minLength: 8, maxLength: 30 });
  const choice = fc.nat({ max: 29 });
  const use = fc.tuple(choice, fc.nat({ max: 9 }), fc.boolean());
  const call = fc.tuple(
    fc.nat({ max: 3 }),
    fc.array(use, { maxLength: 20 }),
    fc.uint8Array({ maxLength: 40 }),
  );
  const anyPlan = fc
    .record({
      addresses,
      version: fc.constantFrom(...wireVersions),
      calls: fc.array(call, { maxLength: 8 }),
      blockhash: anyAddress,
      advances: fc.boolean(),
      computeUnitLimit: fc.integer({ min: 1, max: 1_400_000 }),
      computeUnitPrice: fc.bigInt({ min: 0n, max: 10_000_000n }),
      priorityLamportsMax: fc.option(fc.bigInt({ min: 0n, max: 100_000n })),
    })
    .map(({ addresses: [payer = '', ...others], calls, advances, ...rest }): TransactionPlan => {
      const at = (index: number) => others[index % others.length] ?? '';
      const [called, used] = [others.slice(0, 4), [payer, ...others.slice(4)]];
      const instructions = calls.map(([index, uses, data]) => ({
        program: called[index] ?? '',
        accounts: uses.map(([of, signs, isWritable]) => ({
          // One in ten is a program, which may not be writable.
          address: (signs === 9 ? called[of % 4] : used[of % used.length]) ?? '',
          isSigner: signs < 2,
          isWritable: isWritable && (signs < 9 || of === 0),
        })),
        data,
      }));
      const advance = {
        program: at(0),
        accounts: [writable(at(5)), signer(payer)],
        data: Uint8Array.of(4, 0, 0, 0),
      };
      return { ...rest, feePayer: payer, instructions, ...(advances ? { advance } : {}) };
    });

  test('every plan has the same bytes, or is refused by both', () => {
    let [made, refused] = [0, 0];
    fc.assert(
      fc.property(anyPlan, (shape) => {
        const bytes = compiled(compileTransaction, shape);
        expect(bytes).toEqual(compiled(compileWithKit, shape));
        if (bytes === null) refused += 1;
        else made += 1;
      }),
      { numRuns: 500 },
    );
    expect(made).toBeGreaterThan(refused);
    expect(refused).toBeGreaterThan(0);
  });

  test('addresses have the same order, also where they differ in capitals alone', () => {
    const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const text = fc
      .array(fc.constantFrom(...digits), { maxLength: 6 })
      .map((characters) => characters.join(''));
    const swapped = (of: string, at: number) =>
      [...of].map((digit, index) => (((at >> index) & 1) === 0 ? digit : swapCase(digit))).join('');
    const compare = getAddressComparator();
    fc.assert(
      fc.property(text, text, fc.nat({ max: 63 }), (one, other, at) => {
        for (const another of [other, swapped(one, at), `${swapped(one, at)}1`])
          expect(Math.sign(compareAddresses(one, another))).toBe(Math.sign(compare(one, another)));
      }),
      { numRuns: 2_000 },
    );

    function swapCase(digit: string): string {
      const swappedDigit = digit.toUpperCase() === digit ? digit.toLowerCase() : digit.toUpperCase();
      return digits.includes(swappedDigit) ? swappedDigit : digit;
    }
  });
});

test.each([
  ['more than 64 accounts', { accounts: Array.from({ length: 65 }, () => readonly(address())) }],
  ['more than 12 signers', { accounts: Array.from({ length: 12 }, () => signer(address())) }],
  [
    'more than 255 accounts of an instruction',
    { accounts: Array.from({ length: 256 }, () => readonly(written)) },
  ],
  ['data whose length cannot be said', { data: new Uint8Array(65_536) }],
  ['an account that is no address', { accounts: [readonly('1')] }],
])('a transaction of %s is not compiled', (_, part) => {
  for (const version of wireVersions) {
    const instruction = { program, accounts: [], data: new Uint8Array(0), ...part };
    expect(() => compileTransaction({ ...plan, version, instructions: [instruction] })).toThrow();
  }
});

test('more than 64 instructions are not compiled', () => {
  const instructions = Array.from({ length: 65 }, () => ({ program, accounts: [], data: new Uint8Array(0) }));
  for (const version of wireVersions)
    expect(() => compileTransaction({ ...plan, version, instructions })).toThrow();
});

test('a limit is above the measured units, and never above the maximum of the chain', () => {
  expect(computeUnitLimitFor(100_000)).toBe(125_000);
  expect(computeUnitLimitFor(1_399_999)).toBe(1_400_000);
});

test('written accounts are listed once', () => {
  const again = { program, accounts: [writable(written), readonly(feePayer)], data: new Uint8Array(0) };
  expect(writtenAccounts([...plan.instructions, again])).toEqual([written]);
});
