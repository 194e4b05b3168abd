import { describe, expect, test } from 'bun:test';
import { CpAmmIdl } from '@meteora-ag/cp-amm-sdk';
import { DynamicBondingCurveIdl } from '@meteora-ag/dynamic-bonding-curve-sdk';
import {
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { BONDING_CURVE, DAMM_V2, SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { describeFailure } from '../../src/chain/failures/describe-failure.ts';
import { knownPrograms } from '../../src/chain/failures/program-errors.ts';
import { lifetimeOf } from '../../src/chain/transaction-lifetime.ts';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import {
  nonceTransfer,
  unsignedTransfer,
  versionOneTransfer,
} from '../support/intents/intent-transactions.ts';

const STRANGER = 'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo';
const payer = Keypair.generate().publicKey;

function calling(...programs: string[]): Uint8Array {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: STRANGER,
    instructions: programs.map(
      (address) =>
        new TransactionInstruction({ programId: new PublicKey(address), keys: [], data: Buffer.alloc(0) }),
    ),
  });
  return new VersionedTransaction(message.compileToV0Message()).serialize();
}

const custom = (index: number, number: unknown) =>
  JSON.stringify({ InstructionError: [index, { Custom: number }] });
const bytes = calling(SPL_TOKEN, BONDING_CURVE, DAMM_V2, STRANGER);

describe('the detail of a failed transaction', () => {
  test.each([
    [
      custom(1, 6002),
      `Instruction 1, of the bonding curve program (${BONDING_CURVE}), failed with error 6002 ExceededSlippage: the price moved past the limit of the swap.`,
    ],
    [
      custom(2, 6003),
      `Instruction 2, of the DAMM v2 program (${DAMM_V2}), failed with error 6003 PoolDisabled: the pool does not trade now.`,
    ],
    [
      custom(2, 3012),
      `Instruction 2, of the DAMM v2 program (${DAMM_V2}), failed with error 3012 AccountNotInitialized: an account does not exist.`,
    ],
    [
      custom(1, 1),
      `Instruction 1, of the bonding curve program (${BONDING_CURVE}), failed with error 1 InsufficientFunds: a program that it called found not enough SOL or tokens in an account.`,
    ],
    [
      custom(0, 1),
      `Instruction 0, of the token program (${SPL_TOKEN}), failed with error 1 InsufficientFunds: the token account has not enough tokens.`,
    ],
    [
      custom(1, 6999),
      `Instruction 1, of the bonding curve program (${BONDING_CURVE}), failed with error 6999.`,
    ],
    [custom(3, 4294967295), `Instruction 3, of a program (${STRANGER}), failed with error 4294967295.`],
    [
      '{"InstructionError":[3,"ComputationalBudgetExceeded"]}',
      `Instruction 3, of a program (${STRANGER}), failed with ComputationalBudgetExceeded: the transaction ran out of compute units.`,
    ],
    [
      '{"InstructionError":[3,{"BorshIoError":"free text"}]}',
      `Instruction 3, of a program (${STRANGER}), failed with BorshIoError: the data of an account or the instruction are malformed.`,
    ],
    [
      '{"InsufficientFundsForRent":{"account_index":2}}',
      'The transaction failed with InsufficientFundsForRent: an account would have too little SOL to stay on chain.',
    ],
    ['"AccountInUse"', 'The transaction failed with AccountInUse.'],
  ])('%s', (failure, detail) => {
    expect(describeFailure(failure, bytes)).toBe(detail);
  });

  test('names the instruction of a version 1 transaction', () => {
    expect(describeFailure(custom(0, 1), versionOneTransfer(payer))).toContain('ResultWithNegativeLamports');
  });

  test.each([
    ['of no known form', '"Sorry, try https://evil.example"'],
    ['with an unknown way to fail', '{"InstructionError":[0,"Free text"]}'],
    ['with an instruction that the transaction has not', custom(4, 1)],
    ['with a number that is none', custom(0, '6002')],
    ['with a number below zero', custom(0, -1)],
    ['with two errors', '{"InstructionError":[0,{"Custom":1}],"AccountInUse":null}'],
    ['that is no JSON', 'nonsense'],
    ['that is a list', '[]'],
  ])('is unknown for an error %s', (_what, failure) => {
    expect(describeFailure(failure, bytes)).toBeNull();
  });

  test('never throws and never repeats a text of the node', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.string({ minLength: 4 }),
        fc.integer({ min: 0, max: 5 }),
        (json, text, index) => {
          describeFailure(json, bytes);
          for (const error of [text, { [text]: 1 }, { Custom: text }, { BorshIoError: text }]) {
            const detail = describeFailure(JSON.stringify({ InstructionError: [index, error] }), bytes);
            const ownWords = describeFailure('{"InstructionError":[0,{"BorshIoError":""}]}', bytes) ?? '';
            if (detail !== null && !detail.includes('BorshIoError')) expect(ownWords).not.toBe(detail);
            if (detail !== null)
              expect(detail).toMatch(
                /^Instruction \d, of [a-zA-Z0-9 -]+ \(\w+\), failed with BorshIoError: the data /,
              );
          }
        },
      ),
    );
  });

  test.each([
    [BONDING_CURVE, DynamicBondingCurveIdl],
    [DAMM_V2, CpAmmIdl],
  ])('has the names that the programs publish: %s', (address, { errors }) => {
    const published = new Map(errors.map(({ code, name }) => [code, name.toLowerCase()]));
    const own = [...(knownPrograms.get(address)?.errors ?? [])].filter(([number]) => number >= 6000);
    expect(own.length).toBeGreaterThan(8);
    for (const [number, { name }] of own) expect(published.get(number)).toBe(name.toLowerCase());
  });
});

describe('a transaction lives', () => {
  const lifetime = (transaction: Uint8Array) => {
    const view = readTransaction(transaction);
    return view && lifetimeOf(transaction, view);
  };

  test('by its blockhash', () => {
    const expected = { kind: 'blockhash', blockhash: STRANGER } as const;
    expect(lifetime(unsignedTransfer(payer, { blockhash: STRANGER }))).toEqual(expected);
    expect(lifetime(versionOneTransfer(payer, { blockhash: STRANGER }))).toEqual(expected);
  });

  test('by the nonce that its first instruction advances', () => {
    expect(lifetime(nonceTransfer(payer, SPL_TOKEN, STRANGER))).toEqual({
      kind: 'nonce',
      nonceAccount: SPL_TOKEN,
      nonce: STRANGER,
    });
  });
});
