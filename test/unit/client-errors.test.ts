import { describe, expect, test } from 'bun:test';
import { ProblemError } from '../../packages/client/src/errors.ts';
import type { Schemas } from '../../packages/client/src/operations.ts';

type Problem = Schemas['Problem'];

function messageOf(problem: Partial<Problem> & Pick<Problem, 'code' | 'detail'>): string {
  const whole: Problem = {
    type: 'about:blank',
    title: 'A title',
    status: 409,
    instance: '/api/v2/x',
    requestId: 'req_0',
    ...problem,
  };
  return new ProblemError('createSwap', whole, undefined).message;
}

describe('the message of a problem', () => {
  test.each<[string, unknown, string]>([
    [
      'by its name and number',
      { program: 'dbc', number: 6002, name: 'ExceededSlippage' },
      'ExceededSlippage 6002 of dbc',
    ],
    ['by its number alone', { program: 'dbc', number: 9, name: null }, '9 of dbc'],
    ['that has no number', { program: 'dbc' }, 'dbc'],
  ])('says the error of a program %s', (_how, programError, text) => {
    const message = messageOf({
      code: 'swap_refused',
      detail: 'Refused.',
      context: { reason: 'program_error', programError },
    });
    expect(message).toBe(`swap_refused: Refused. (reason: program_error, programError: ${text})`);
  });

  test('says what a wallet has and needs, and leaves out what has no short form', () => {
    const context = { haveRaw: '1', needRaw: '2', program: null, list: [1], record: { number: 5 } };
    expect(messageOf({ code: 'swap_refused', detail: 'Refused.', context })).toBe(
      'swap_refused: Refused. (haveRaw: 1, needRaw: 2)',
    );
  });

  test('names a field once, whether or not the detail names it', () => {
    const errors: Problem['errors'] = [
      { path: '/body/side', code: 'invalid_value', message: 'must be one of "buy", "sell"' },
    ];
    const text = '/body/side: must be one of "buy", "sell".';
    expect(messageOf({ code: 'validation_failed', detail: text, errors })).toBe(`validation_failed: ${text}`);
    expect(messageOf({ code: 'validation_failed', detail: 'Invalid.', errors })).toBe(
      'validation_failed: Invalid. /body/side must be one of "buy", "sell".',
    );
    const misspelt: Problem['errors'] = [
      { path: '/body/sid', code: 'unknown_field', message: 'is not a known field; did you mean side?' },
    ];
    expect(messageOf({ code: 'validation_failed', detail: 'Invalid.', errors: misspelt })).toBe(
      'validation_failed: Invalid. /body/sid is not a known field; did you mean side?',
    );
  });
});
