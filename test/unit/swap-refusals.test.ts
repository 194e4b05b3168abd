import { describe, expect, test } from 'bun:test';
import * as systemProgram from '@solana-program/system';
import * as tokenProgram from '@solana-program/token';
import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  DAMM_V2,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
} from '../../src/chain/accounts/programs.ts';
import { knownPrograms } from '../../src/chain/failures/program-errors.ts';
import { readSimulationFailure } from '../../src/chain/failures/simulation-failure.ts';
import { outOfRange, readRefusal, refusedSwap } from '../../src/features/trading/refusals.ts';

const called = (...programs: string[]) =>
  programs.map((program) => ({ program, accounts: [], data: new Uint8Array(0) }));
/** None of these errors names an account. */
const noBytes = new Uint8Array(0);
const custom = (index: number, number: number) =>
  JSON.stringify({ InstructionError: [index, { Custom: number }] });

describe('the error of a program has the name that the program gives it', () => {
  /** `TOKEN_ERROR__INSUFFICIENT_FUNDS` → `insufficientfunds`. */
  const namesOf = (constants: object, prefix: string) =>
    new Map(
      Object.entries(constants).flatMap(([name, number]) =>
        name.startsWith(prefix)
          ? [[Number(number), name.slice(prefix.length).replaceAll('_', '').toLowerCase()] as const]
          : [],
      ),
    );

  test.each([
    ['the token program', SPL_TOKEN, namesOf(tokenProgram, 'TOKEN_ERROR__')],
    ['Token-2022', TOKEN_2022, namesOf(tokenProgram, 'TOKEN_ERROR__')],
    ['the system program', SYSTEM_PROGRAM, namesOf(systemProgram, 'SYSTEM_ERROR__')],
    ['associated token accounts', ASSOCIATED_TOKEN, namesOf(tokenProgram, 'ASSOCIATED_TOKEN_ERROR__')],
  ])('of %s', (_title, program, names) => {
    expect(names.size).toBeGreaterThan(0);
    const own = knownPrograms.get(program)?.errors;
    for (const [number, name] of names) expect(own?.get(number)?.name.toLowerCase()).toBe(name);
  });

  test.each([BONDING_CURVE, DAMM_V2])('of a program that %s has called', (program) => {
    const own = [...(knownPrograms.get(program)?.errors ?? [])].filter(([number]) => number < 100);
    expect(own.length).toBeGreaterThan(5);
    for (const [number, { name }] of own)
      expect(knownPrograms.get(TOKEN_2022)?.errors.get(number)?.name).toBe(name);
  });
});

describe('a refused swap', () => {
  test.each<[string, string, object, string]>([
    [
      'too few tokens',
      custom(2, 1),
      {
        reason: 'insufficient_funds',
        retry: 'no',
        programError: { program: BONDING_CURVE, number: 1, name: 'InsufficientFunds' },
      },
      `The chain would end this swap with error 1 InsufficientFunds of ${BONDING_CURVE}.`,
    ],
    [
      'too little SOL for an account',
      custom(1, 1),
      {
        reason: 'insufficient_funds',
        retry: 'no',
        programError: { program: ASSOCIATED_TOKEN, number: 1, name: 'InsufficientFunds' },
      },
      `The chain would end this swap with error 1 InsufficientFunds of ${ASSOCIATED_TOKEN}.`,
    ],
    [
      'a frozen account',
      custom(2, 17),
      {
        reason: 'program_error',
        retry: 'no',
        programError: { program: BONDING_CURVE, number: 17, name: 'AccountFrozen' },
      },
      `The chain would end this swap with error 17 AccountFrozen of ${BONDING_CURVE}.`,
    ],
    [
      'a price that moved',
      custom(2, 6002),
      {
        reason: 'program_error',
        retry: 'repeat',
        programError: { program: BONDING_CURVE, number: 6002, name: 'ExceededSlippage' },
      },
      `The chain would end this swap with error 6002 ExceededSlippage of ${BONDING_CURVE}.`,
    ],
    [
      'a curve that was completed',
      custom(2, 6013),
      {
        reason: 'program_error',
        retry: 'quote_again',
        programError: { program: BONDING_CURVE, number: 6013, name: 'PoolIsCompleted' },
      },
      `The chain would end this swap with error 6013 PoolIsCompleted of ${BONDING_CURVE}.`,
    ],
    [
      'a number that nobody published',
      custom(2, 9999),
      {
        reason: 'program_error',
        retry: 'no',
        programError: { program: BONDING_CURVE, number: 9999, name: null },
      },
      `The chain would end this swap with error 9999 of ${BONDING_CURVE}.`,
    ],
    [
      'an error of the runtime in a program',
      '{"InstructionError":[2,"ComputationalBudgetExceeded"]}',
      { reason: 'refused', retry: 'no', program: BONDING_CURVE, error: 'ComputationalBudgetExceeded' },
      `The chain would end this swap with ComputationalBudgetExceeded in ${BONDING_CURVE}.`,
    ],
    [
      'an error that no runtime has',
      '{"InstructionError":[2,"SomethingElse"]}',
      { reason: 'refused', retry: 'no', program: BONDING_CURVE, error: null },
      'The chain would refuse this swap now.',
    ],
    [
      'a fee payer that does not exist',
      '"AccountNotFound"',
      { reason: 'insufficient_funds', retry: 'no' },
      'The wallet has not enough SOL for this swap.',
    ],
    [
      'a full block',
      '"WouldExceedMaxBlockCostLimit"',
      { reason: 'refused', retry: 'no' },
      'The chain would refuse this swap now.',
    ],
  ])('for %s says what happened and whether to repeat', (_why, failure, expected, text) => {
    const refusal = readRefusal(
      readSimulationFailure(failure, called(ASSOCIATED_TOKEN, BONDING_CURVE), 1, noBytes),
    );
    expect<object>(refusal).toEqual(expected);
    const { message, facts } = refusedSwap(refusal, false);
    expect<object | undefined>(facts.context).toEqual(expected);
    expect(message).not.toContain('SomethingElse');
    expect(message).toStartWith(`${text} `);
    expect(message).toContain(
      { no: 'refused again', repeat: 'send the request again', quote_again: 'quote again' }[refusal.retry],
    );
  });

  test.each([
    [custom(2, 6002), `error 6002 ExceededSlippage of ${BONDING_CURVE}.`],
    [custom(2, 9999), `error 9999 of ${BONDING_CURVE}.`],
    [
      '{"InstructionError":[2,"ComputationalBudgetExceeded"]}',
      `ComputationalBudgetExceeded in ${BONDING_CURVE}.`,
    ],
    ['"AccountNotFound"', 'not enough SOL for this swap.'],
    ['"WouldExceedMaxBlockCostLimit"', 'refuse this swap now.'],
  ])('of %s names the error, its program, and its name where it has one', (failure, named) => {
    const refusal = readRefusal(
      readSimulationFailure(failure, called(ASSOCIATED_TOKEN, BONDING_CURVE), 1, noBytes),
    );
    expect(refusedSwap(refusal, false).message).toContain(named);
  });

  test('with its own limit is quoted again instead of repeated after the price moved', () => {
    const refusal = readRefusal(readSimulationFailure(custom(0, 6002), called(DAMM_V2), 0, noBytes));
    expect(refusedSwap(refusal, true).facts.context).toMatchObject({ retry: 'quote_again' });
    const frozen = readRefusal(readSimulationFailure(custom(0, 17), called(DAMM_V2), 0, noBytes));
    expect(refusedSwap(frozen, true).facts.context).toMatchObject({ retry: 'no' });
  });
});

test.each<[Parameters<typeof outOfRange>[0], Record<string, unknown>, RegExp]>([
  ['too_small', {}, /^Nothing would come out/],
  ['above_u64', {}, /an instruction can hold, which is 18446744073709551615\.$/],
  ['exceeds_liquidity', {}, /^The amount is more than the pool can fill\.$/],
  [
    'exceeds_liquidity',
    { remainingQuoteRaw: '1200', remainingBaseRaw: '51' },
    /buys can still pay 1200 lamports without fees, and get 51 raw units\.$/,
  ],
  ['balance_empty', { balanceRaw: '0', amountBps: 10 }, /holds none of the token\.$/],
  ['rounds_to_zero', { balanceRaw: '9', amountBps: 10 }, /^10 basis points of the 9 raw units/],
])('an amount out of range says which limit it is beyond: %s %p', (reason, facts, detail) => {
  const problem = outOfRange(reason, facts);
  expect(problem.message).toMatch(detail);
  expect(problem.facts).toMatchObject({ context: { reason, ...facts } });
});
