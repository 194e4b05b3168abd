import { describe, expect, test } from 'bun:test';
import { type TSchema, Type } from '@sinclair/typebox';
import { contractDefinitions } from '../../src/api/routes.ts';
import { compileQueryReader, compileValidator, readQuery } from '../../src/http/bodies/validation.ts';
import { paginationFields } from '../../src/http/lists/pages.ts';
import { publishedLimits } from '../../src/shared/contract-limits.ts';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../src/shared/field-schemas.ts';
import { Problem } from '../../src/shared/problem.ts';

const schema = Type.Object(
  {
    address: AddressField,
    id: UuidField,
    name: Type.String({ minLength: 2, maxLength: 4 }),
    kind: OneOf(['a', 'b']),
    note: Type.Optional(Nullable(Type.String({ maxLength: 3 }))),
    count: Type.Integer({ minimum: 1, maximum: 9 }),
    amount: IntStringField,
    at: TimestampField,
    list: Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
  },
  { additionalProperties: false },
);

const valid = {
  address: 'So11111111111111111111111111111111111111112',
  id: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  name: 'abc',
  kind: 'a',
  count: 5,
  amount: '10',
  at: '2026-11-20T10:00:00Z',
  list: ['x'],
};

function errors(value: unknown): Record<string, string> {
  try {
    compileValidator(schema, 'body')(value);
    return {};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return Object.fromEntries((error.facts.errors ?? []).map(({ path, code }) => [path, code]));
  }
}

function messages(value: unknown): string[] {
  try {
    compileValidator(schema, 'body')(value);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.facts.errors ?? []).map(({ message }) => message);
  }
}

describe('messages say what was expected', () => {
  test.each<[string, object, string]>([
    [
      'a form',
      { address: 'x' },
      'must be base58 of 32 bytes, 32 to 44 characters, e.g. So11111111111111111111111111111111111111112',
    ],
    ['a UUID', { id: 'x' }, 'must be a UUID, e.g. 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    ['a time', { at: 'now' }, 'must be an RFC 3339 time, e.g. 2026-11-20T10:00:00.000Z'],
    [
      'a number in words',
      { amount: '01' },
      'must be a whole number, without sign, point or leading zeros, e.g. 1000000',
    ],
    [
      'a type and its form',
      { amount: 1 },
      'must be a string: a whole number, without sign, point or leading zeros, e.g. 1000000',
    ],
    ['a type and its range', { count: '5' }, 'must be a whole number from 1 to 9'],
    ['allowed values', { kind: 'c' }, 'must be one of "a", "b"'],
    ['allowed values instead of another type', { kind: 5 }, 'must be one of "a", "b"'],
    ['the type of a nullable field', { note: 5 }, 'must be a string'],
    ['a range', { count: 10 }, 'must be from 1 to 9'],
    ['a least length', { name: 'a' }, 'must have at least 2 characters'],
    ['a greatest length', { name: 'abcde' }, 'must have at most 4 characters'],
    ['one item', { list: [] }, 'must have at least 1 item'],
    ['some items', { list: ['a', 'b', 'c'] }, 'must have at most 2 items'],
    ['a name that is nearly one', { nmae: 'x' }, 'is not a known field; did you mean name?'],
    ['nothing near', { somethingElse: 'x' }, 'is not a known field'],
    ['nothing that is long', { ['name'.repeat(1_000)]: 'x' }, 'is not a known field'],
  ])('%s', (_what, changes, expected) => {
    expect(messages({ ...valid, ...changes })).toEqual([expected]);
  });

  test('a missing field is required', () => {
    const { id: _, ...rest } = valid;
    expect(messages(rest)).toEqual(['is required']);
  });

  test('a range with one end', () => {
    expect(messageOf(Type.Number({ minimum: 3 }), 1)).toBe('must be at least 3');
    expect(messageOf(Type.Number({ maximum: 3 }), 4)).toBe('must be at most 3');
    expect(messageOf(Type.Integer({ minimum: 3 }), 'x')).toBe('must be a whole number at least 3');
  });

  test.each<[string, string]>([
    ['^(0|[1-9][0-9]*)$', 'a whole number, without sign, point or leading zeros'],
    ['^[1-9][0-9]*$', 'a whole number above 0, without sign, point or leading zeros'],
    ['^(0|[1-9][0-9]{0,2})$', 'a whole number from 0 to 999, without sign, point or leading zeros'],
    ['^[1-9][0-9]{0,2}$', 'a whole number from 1 to 999, without sign, point or leading zeros'],
    [
      '^(?:0|[1-9][0-9]{0,19})$',
      'a whole number from 0 to 18446744073709551615, without sign, point or leading zeros',
    ],
    [
      '^(0|[1-9][0-9]{0,38})$',
      'a whole number from 0 to 18446744073709551615, without sign, point or leading zeros',
    ],
    [
      '^(auto|0|[1-9][0-9]{0,3})$',
      '"auto" or a whole number from 0 to 9999, without sign, point or leading zeros',
    ],
    ['^[a-z][a-z0-9_]*$', 'small letters, digits and underscores, the first one a letter'],
    ['^[a-z][a-z0-9_]{0,63}$', 'small letters, digits and underscores, the first one a letter'],
    ['^x+$', 'as ^x+$'],
  ])('the pattern %s in words', (pattern, words) => {
    expect(messageOf(Type.String({ pattern }), '-1')).toBe(`must be ${words}`);
  });

  test('a pattern without words of its own is explained by its description', () => {
    const described = Type.String({ pattern: '^x+$', description: 'some letters x' });
    expect(messageOf(described, 'y')).toBe('must be some letters x');
  });

  test('no operation describes a field by its pattern', () => {
    const patterns = contractDefinitions.flatMap(({ query, body, params }) =>
      [query, body, params].flatMap((part) => (part === undefined ? [] : stringsWithPattern(part))),
    );
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.map((field) => messageOf(field, '~')).filter((text) => text?.includes('^'))).toEqual([]);
  });
});

function messageOf(field: TSchema, value: unknown): string | undefined {
  try {
    compileValidator(Type.Object({ n: field }), 'query')({ n: value });
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.facts.errors?.[0]?.message : String(error);
  }
}

/** Every string below a schema that a pattern restricts. */
function stringsWithPattern(schema: unknown): TSchema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema as unknown as TSchema] : [];
  return [...own, ...Object.values(schema).flatMap(stringsWithPattern)];
}

describe('the detail of a problem', () => {
  const failure = (value: unknown) => {
    try {
      compileValidator(schema, 'body')(value);
    } catch (error) {
      if (error instanceof Problem) return error.message;
    }
    return expect.unreachable();
  };

  test('names the field and what is wrong with it when it is the only one', () => {
    expect(failure({ ...valid, count: 10 })).toBe('/body/count: must be from 1 to 9.');
    expect(failure({ ...valid, nots: 'abc' })).toBe('/body/nots: is not a known field; did you mean note?');
  });

  test('names no field when several are wrong', () => {
    expect(failure({ ...valid, count: 10, kind: 'c' })).toBe('One or more fields are invalid.');
  });
});

describe('validation reports', () => {
  test('nothing for valid input, with an optional field absent, null or present', () => {
    expect(errors(valid)).toEqual({});
    expect(errors({ ...valid, note: null })).toEqual({});
    expect(errors({ ...valid, note: 'abc' })).toEqual({});
  });

  test.each([
    [{ ...valid, address: 'I'.repeat(40) }, { '/body/address': 'invalid_format' }],
    [{ ...valid, address: '1'.repeat(33) }, { '/body/address': 'invalid_format' }],
    [{ ...valid, id: 'x' }, { '/body/id': 'invalid_format' }],
    [{ ...valid, name: 'a' }, { '/body/name': 'too_short' }],
    [{ ...valid, name: 'abcde' }, { '/body/name': 'too_long' }],
    [{ ...valid, name: 5 }, { '/body/name': 'invalid_type' }],
    [{ ...valid, kind: 'c' }, { '/body/kind': 'invalid_value' }],
    [{ ...valid, kind: 5 }, { '/body/kind': 'invalid_type' }],
    [{ ...valid, note: 'abcd' }, { '/body/note': 'too_long' }],
    [{ ...valid, note: 5 }, { '/body/note': 'invalid_type' }],
    [{ ...valid, count: 10 }, { '/body/count': 'out_of_range' }],
    [{ ...valid, count: '5' }, { '/body/count': 'invalid_type' }],
    [{ ...valid, count: 1.5 }, { '/body/count': 'invalid_type' }],
    [{ ...valid, amount: '01' }, { '/body/amount': 'invalid_format' }],
    [{ ...valid, at: '2026-13-40T10:00:00Z' }, { '/body/at': 'invalid_format' }],
    [{ ...valid, list: [] }, { '/body/list': 'too_short' }],
    [{ ...valid, list: ['a', 'b', 'c'] }, { '/body/list': 'too_long' }],
    [{ ...valid, list: [1] }, { '/body/list/0': 'invalid_type' }],
    [{ ...valid, 'a/b': 1 }, { '/body/a~1b': 'unknown_field' }],
    [[], { '/body': 'invalid_type' }],
    [null, { '/body': 'invalid_type' }],
  ])('%j as %j', (value, expected) => {
    expect(errors(value)).toEqual(expected);
  });

  test('every error of a part at once, a missing field as required', () => {
    const { address: _, ...rest } = valid;
    expect(errors({ ...rest, name: 'a', extra: 1 })).toEqual({
      '/body/address': 'required',
      '/body/name': 'too_short',
      '/body/extra': 'unknown_field',
    });
  });

  test('at most `fieldErrors` errors', () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, 1]));
    expect(Object.keys(errors({ ...valid, ...fields })).length).toBe(publishedLimits.fieldErrors);
  });
});

describe('query parameters', () => {
  const query = Type.Object(paginationFields);

  test('become integers, take defaults, and unknown ones are ignored', () => {
    expect(readQuery('limit=7&other=1', query)).toEqual({ limit: 7 });
    expect(readQuery('', query)).toEqual({ limit: 50 });
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=abc',
    '?limit=',
    '?limit=1.5',
    '?limit=1&limit=2',
    '?limit=99999999999999999999',
  ])('%s is refused', (text) => {
    const check = compileValidator(query, 'query');
    expect(() => check(readQuery(text, query))).toThrow(Problem);
  });
});

describe('unknown names in a query', () => {
  const query = Type.Object({ ...paginationFields, slippageBps: Type.Integer({ minimum: 0, default: 50 }) });
  const strict = compileQueryReader(query, true);
  const errorsOf = (text: string): unknown => {
    try {
      return strict(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.facts.errors;
    }
  };
  const unknown = (name: string, meant?: string) => ({
    path: `/query/${name}`,
    code: 'unknown_field',
    message: `is not a known parameter${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  });

  test('are left out, or refused once each with the nearest, beside every other error', () => {
    expect(compileQueryReader(query, false)('slippagebps=1')).toEqual({ limit: 50, slippageBps: 50 });
    expect(strict('slippageBps=1')).toEqual({ limit: 50, slippageBps: 1 });
    expect(strict('&&')).toEqual({ limit: 50, slippageBps: 50 });
    expect(errorsOf('limit=0&slippagebps=1&slippagebps=2&limits=3')).toEqual([
      { path: '/query/limit', code: 'out_of_range', message: 'must be from 1 to 100' },
      unknown('slippagebps', 'slippageBps'),
      unknown('limits', 'limit'),
    ]);
    expect(errorsOf('a%2Fb~c=1&=2')).toEqual([unknown('a~1b~0c'), unknown('')]);
  });

  test('are shortened when they are long, hidden when they are credentials, and limited in number', () => {
    expect(errorsOf(`${'n'.repeat(5_000)}=1`)).toEqual([unknown('n'.repeat(64))]);
    expect(errorsOf(`lw_live_${'A'.repeat(16)}_${'B'.repeat(43)}`)).toEqual([unknown('lw_[redacted]')]);
    const many = Array.from({ length: 3_000 }, (_, at) => `p${at}`).join('&');
    expect(errorsOf(many)).toHaveLength(100);
  });
});
